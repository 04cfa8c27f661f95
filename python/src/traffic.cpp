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
#include "python/src/batch_reader.hpp"
#include "python/src/convert.hpp"
#include "python/src/parts.hpp"

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

/// Rows of what happens.
class TrafficRows final : public RowMaker {
public:
    /// `first`: number of the first frame, which gets the map that was sent before it; empty: the first one of all.
    TrafficRows(TrafficPlan plan, TimeSpan time, std::optional<std::uint64_t> first)
        : plan_(std::move(plan)), time_(time), first_(first)
    {
    }

    void begin(const OpenTrace& trace, SignalCheck& /*check_signals*/) override
    {
        file_ = trace.trace->info().file.string();
    }
    [[nodiscard]] bool wants(const Frame& frame) const override
    {
        if (!time_.from && !time_.to) return true;
        const auto time = frame.known_time();
        return time && time_.contains(*time);
    }
    void add(Frame& frame, const OpenTrace& trace, SignalCheck& check_signals) override
    {
        if (const auto place = std::exchange(first_, std::nullopt))
            if (auto whole = with_static_data(*trace.trace, frame, *place, [&] {
                    check_signals();
                    return false;
                }))
                frame = std::move(*whole);
        table_->add(frame, trace.channels[frame.channel]->channel, builder_);
    }
    void finish(PendingWarnings& warnings) override
    {
        table_->finish(builder_);
        for (const auto& note : table_->notes()) warnings.add(file_ + ": " + note);
    }
    [[nodiscard]] bool has_reached(std::size_t bytes) override { return builder_.bytes() >= bytes; }
    [[nodiscard]] bool has_rows() override { return builder_.rows() != 0; }
    void take(ArrowArray* out, PendingWarnings& /*warnings*/) override { builder_.finish(out); }
    void forget() override { builder_ = plan_.builder(); }

private:
    TrafficPlan plan_;
    TimeSpan time_;
    std::optional<std::uint64_t> first_;
    std::unique_ptr<TrafficTable> table_ = plan_.table->create(plan_.options);
    TrafficBatchBuilder builder_ = plan_.builder();
    std::string file_;
};

/// `runs`: see read_table(). A table that also reads other channels reads all of them, and frames of the time.
BatchReader read_traffic(const TraceHandle& trace, std::uint32_t channel, const TrafficPlan& plan,
                         const std::optional<std::vector<std::pair<std::uint64_t, std::uint64_t>>>& runs,
                         std::size_t batch_bytes, const Span& span)
{
    std::vector channels{channel};
    const auto& known = trace.open()->trace->info().channels;
    for (std::uint32_t i = 0; i != known.size(); ++i)
        if (i != channel && plan.table->also_reads != nullptr && plan.table->also_reads(known[i]))
            channels.push_back(i);
    const auto reader = [&](FrameCursor cursor, TimeSpan time, std::optional<std::uint64_t> first) {
        return BatchReader(std::move(cursor), std::make_unique<TrafficRows>(plan, time, first), schema_of(plan),
                           batch_bytes);
    };
    if (!runs || channels.size() > 1)
        return reader(FrameCursor(trace.open(), channels), runs ? time_span(span) : TimeSpan{}, {});
    std::vector<FrameNumbers> wanted;
    for (const auto& [first, count] : *runs) wanted.push_back({channel, first, count, 1, time_span(span)});
    const auto first = runs->empty() ? std::nullopt : std::optional(runs->front().first);
    return reader(FrameCursor(trace.open(), std::move(wanted)), {}, first);
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
    module.def("traffic_tables", &definitions,
               nb::sig("def traffic_tables() -> list[tuple[str, list[str], list[str]]]"));
    module.def("traffic_fits", &fits, nb::arg("channel"), nb::arg("name"));
    module.def("traffic_plan", &traffic_plan, nb::arg("name"), nb::arg("options"), nb::arg("columns").none());
    module.def("read_traffic", &read_traffic, nb::arg("trace"), nb::arg("channel"), nb::arg("plan"),
               nb::arg("runs").none(), nb::arg("batch_bytes"), nb::arg("span") = Span());
}

}  // namespace ositrace::python
