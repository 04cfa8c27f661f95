// SPDX-License-Identifier: MPL-2.0
// Tables of what happens in a trace: their definitions, and their rows as batches.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <ositrace/edit/static.hpp>
#include <ositrace/traffic_batch.hpp>

#include "python/src/arrow_structs.hpp"
#include "python/src/convert.hpp"
#include "python/src/frame_cursor.hpp"
#include "python/src/parts.hpp"
#include "python/src/signal_check.hpp"
#include "python/src/table.hpp"

namespace ositrace::python {

namespace {

/// A table with its options and columns, for any channel.
struct TrafficPlan {
    const TrafficTableRow* table = nullptr;
    TrafficOptions options;
    std::vector<std::string> columns;

    [[nodiscard]] TrafficBatchBuilder builder() const { return {*table, columns}; }
};

const TrafficTableRow& traffic_row(const std::string& name)
{
    const auto* const row = find_traffic_table(name);
    if (row == nullptr) throw nb::value_error("unknown name of a table");
    return *row;
}

/// Throws Error (usage) for wrong options and columns.
TrafficPlan traffic_plan(const std::string& name, const std::map<std::string, std::string>& options,
                         const std::optional<std::vector<std::string>>& columns)
{
    const auto& row = traffic_row(name);
    TrafficPlan plan{&row, TrafficOptions(row.options), columns.value_or(std::vector<std::string>())};
    for (const auto& [option, value] : options) {
        try {
            plan.options.set(option, value);
        } catch (const Error& error) {
            throw error.reworded(option + ": " + error.reason());
        }
    }
    static_cast<void>(row.create(plan.options));
    static_cast<void>(plan.builder());
    return plan;
}

TableSchema schema_of(const TrafficPlan& plan)
{
    const auto schema = released_struct<ArrowSchema>();
    plan.builder().export_schema(schema.get());
    return {schema};
}

nb::list columns_of(const TrafficPlan& self)
{
    nb::list columns;
    for (const auto& column : self.builder().columns())
        columns.append(nb::make_tuple(text_object(column.name), text_object(column.unit), text_object(column.text)));
    return columns;
}

nb::list definitions()
{
    nb::list tables;
    for (const auto* const table : traffic_tables()) {
        nb::list columns, options;
        for (const auto& column : table->columns) columns.append(text_object(column.name));
        for (const auto& option : table->options) options.append(text_object(option.name));
        tables.append(nb::make_tuple(text_object(table->name), columns, options));
    }
    return tables;
}

bool fits(const ChannelOfTrace& channel, const std::string& name) { return traffic_row(name).reads(channel.channel); }

/// The rows of a channel, batch by batch. One thread at a time.
class TrafficBatches {
public:
    TrafficBatches(FrameCursor cursor, TrafficPlan plan, std::size_t batch_bytes, TimeSpan time,
                   std::optional<std::uint64_t> first)
        : cursor_(std::move(cursor)),
          warnings_(cursor_->trace().warnings),
          plan_(std::move(plan)),
          table_(plan_.table->create(plan_.options)),
          builder_(plan_.builder()),
          batch_bytes_(batch_bytes),
          time_(time),
          first_(first),
          schema_(schema_of(plan_)),
          file_(cursor_->trace().trace->info().file.string())
    {
    }
    TrafficBatches(TrafficBatches&&) = default;
    TrafficBatches& operator=(TrafficBatches&&) = delete;
    ~TrafficBatches()
    {
        const nb::gil_scoped_release no_gil;
        cursor_.reset();
    }

    /// nullopt at the end. Holds the GIL when called.
    [[nodiscard]] std::optional<Batch> next()
    {
        auto batch = read_batch();
        warnings_->give();
        return batch;
    }

private:
    std::optional<Batch> read_batch()
    {
        const nb::gil_scoped_release no_gil;
        try {
            fill();
            if (builder_.rows() == 0) return std::nullopt;
            const auto array = released_struct<ArrowArray>();
            builder_.finish(array.get());
            return Batch{schema_.schema, array};
        } catch (...) {
            cursor_.reset();
            builder_ = plan_.builder();
            throw;
        }
    }

    void fill()
    {
        while (cursor_ && builder_.bytes() < batch_bytes_) {
            check_signals_();
            if (cursor_->read(frame_)) {
                if (is_in_time()) add();
                continue;
            }
            table_->finish(builder_);
            for (const auto& note : table_->notes()) warnings_->add(file_ + ": " + note);
            cursor_.reset();
        }
        frame_ = {};
    }
    [[nodiscard]] bool is_in_time() const
    {
        if (!time_.from && !time_.to) return true;
        const auto time = frame_.known_time();
        return time && time_.contains(*time);
    }
    void add()
    {
        const auto& open = cursor_->trace();
        const auto& channel = *open.channels[frame_.channel];
        try {
            channel.check_claimed_type(frame_.bytes);
            if (const auto place = std::exchange(first_, std::nullopt))
                if (auto whole = with_static_data(*open.trace, frame_, *place, [&] {
                        check_signals_();
                        return false;
                    }))
                    frame_ = std::move(*whole);
            table_->add(frame_, channel.channel, builder_);
        } catch (const Error& error) {
            const auto full = channel.first_damage(frame_, error);
            if (!open.skips_damage || !is_damage(error)) throw full;
            open.skipped->add(std::string(full.what()) + " (the frame is left out of a table)");
        }
    }

    std::optional<FrameCursor> cursor_;
    std::shared_ptr<PendingWarnings> warnings_;
    TrafficPlan plan_;
    std::unique_ptr<TrafficTable> table_;
    TrafficBatchBuilder builder_;
    std::size_t batch_bytes_;
    TimeSpan time_;
    std::optional<std::uint64_t> first_;  ///< number of the first frame, which gets the map that was sent before it
    TableSchema schema_;
    std::string file_;
    SignalCheck check_signals_;
    Frame frame_;
};

/// `runs`: see read_table(). A table that also reads other channels reads all of them, and frames of the time.
TrafficBatches read_traffic(const TraceHandle& trace, std::uint32_t channel, const TrafficPlan& plan,
                            const std::optional<std::vector<std::pair<std::uint64_t, std::uint64_t>>>& runs,
                            std::size_t batch_bytes, const Span& span)
{
    std::vector channels{channel};
    const auto& known = trace.open()->trace->info().channels;
    for (std::uint32_t i = 0; i != known.size(); ++i)
        if (i != channel && plan.table->also_reads != nullptr && plan.table->also_reads(known[i]))
            channels.push_back(i);
    if (!runs || channels.size() > 1)
        return {FrameCursor(trace.open(), channels), plan, batch_bytes, runs ? time_span(span) : TimeSpan{}, {}};
    std::vector<FrameNumbers> wanted;
    for (const auto& [first, count] : *runs) wanted.push_back({channel, first, count, 1, time_span(span)});
    const auto first = runs->empty() ? std::nullopt : std::optional(runs->front().first);
    return {FrameCursor(trace.open(), std::move(wanted)), plan, batch_bytes, {}, first};
}

}  // namespace

void register_traffic(nb::module_& module)
{
    nb::class_<TrafficPlan>(module, "TrafficPlan", "A table of what happens in a trace, with its options.")
        .def_prop_ro(
            "columns", [](const TrafficPlan& self) { return columns_of(self); },
            nb::sig("def columns(self) -> list[tuple[str, str, str]]"), "Name, unit and definition of each column.")
        .def_prop_ro(
            "schema", [](const TrafficPlan& self) { return schema_of(self); }, "Of its batches.")
        .def_prop_ro("type", [](const TrafficPlan& self) { return text_object(self.table->name); }, "Its name.");
    nb::class_<TrafficBatches>(module, "TrafficBatches", "The batches of such a table one after another.")
        .def(
            "__iter__", [](nb::handle self) { return nb::borrow(self); },
            nb::sig("def __iter__(self) -> TrafficBatches"))
        .def(
            "__next__",
            [](TrafficBatches& self) {
                auto batch = self.next();
                if (!batch) throw nb::stop_iteration();
                return std::move(*batch);
            },
            nb::sig("def __next__(self) -> Batch"));
    module.def("traffic_tables", &definitions,
               nb::sig("def traffic_tables() -> list[tuple[str, list[str], list[str]]]"));
    module.def("traffic_fits", &fits, nb::arg("channel"), nb::arg("name"));
    module.def("traffic_plan", &traffic_plan, nb::arg("name"), nb::arg("options"), nb::arg("columns").none());
    module.def("read_traffic", &read_traffic, nb::arg("trace"), nb::arg("channel"), nb::arg("plan"),
               nb::arg("runs").none(), nb::arg("batch_bytes"), nb::arg("span") = Span());
}

}  // namespace ositrace::python
