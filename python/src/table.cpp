// SPDX-License-Identifier: MPL-2.0
#include "python/src/table.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/src/arrow_structs.hpp"
#include "python/src/batch_reader.hpp"
#include "python/src/convert.hpp"
#include "python/src/descriptor.hpp"
#include "python/src/parts.hpp"

namespace ositrace::python {

namespace {

using SharedChannel = std::shared_ptr<const ChannelOfTrace>;

template <class Value>
struct Named {
    std::string_view name;
    Value value;
};
constexpr std::array<Named<TableKind>, 6> table_kinds{{{"objects", TableKind::objects},
                                                       {"lanes", TableKind::lanes},
                                                       {"traffic_lights", TableKind::traffic_lights},
                                                       {"traffic_signs", TableKind::traffic_signs},
                                                       {"reflections", TableKind::reflections},
                                                       {"detections", TableKind::detections}}};
constexpr std::array<Named<TableRows>, 3> table_rows{
    {{"elements", TableRows::elements}, {"frames", TableRows::frames}, {"innermost", TableRows::innermost}}};

constexpr std::array<Named<PointFrame>, 3> point_frames{
    {{"sensor", PointFrame::sensor}, {"host", PointFrame::host}, {"global", PointFrame::global}}};

template <class Value, std::size_t count>
Value value_named(const std::array<Named<Value>, count>& rows, std::string_view name)
{
    for (const auto& row : rows)
        if (row.name == name) return row.value;
    throw nb::value_error("unknown name of a table");
}

std::optional<PointFrame> point_frame_named(const std::optional<std::string>& name)
{
    return name ? std::optional(value_named(point_frames, *name)) : std::nullopt;
}

std::vector<std::string> names_of_table(const ChannelOfTrace& channel, const std::string& kind, bool lane_frame,
                                        const std::optional<std::string>& point_frame)
{
    return TablePlan::names(value_named(table_kinds, kind), channel.viewable_root(),
                            {.lane_frame = lane_frame, .point_frame = point_frame_named(point_frame)});
}

ChannelTable named_table(SharedChannel channel, const std::string& kind, const std::vector<std::string>& columns,
                         bool fill_defaults, bool relative_to_host, std::optional<std::uint64_t> host, bool lane_frame,
                         const std::optional<std::string>& point_frame)
{
    auto plan =
        TablePlan::named(value_named(table_kinds, kind), channel->classes->schema(), channel->viewable_root(), columns,
                         {.fill_defaults = fill_defaults,
                          .relative_to_host = relative_to_host,
                          .host = host,
                          .lane_frame = lane_frame,
                          .point_frame = point_frame_named(point_frame)});
    return {std::move(plan), std::move(channel)};
}

ChannelTable table_of_paths(SharedChannel channel, const std::vector<std::pair<std::string, std::string>>& columns,
                            const std::string& rows, bool fill_defaults)
{
    std::vector<TableColumn> wanted;
    for (const auto& [name, path] : columns) wanted.push_back({name, path});
    auto plan = TablePlan::columns(channel->classes->schema(), channel->viewable_root(), wanted,
                                   {.rows = value_named(table_rows, rows), .fill_defaults = fill_defaults});
    return {std::move(plan), std::move(channel)};
}

ChannelTable table_of_all(SharedChannel channel, bool fill_defaults)
{
    auto plan = TablePlan::all_columns(channel->classes->schema(), channel->viewable_root(), fill_defaults);
    return {std::move(plan), std::move(channel)};
}

nb::list columns_of(const ChannelTable& self)
{
    nb::list columns;
    for (const auto& column : self.plan.columns())
        columns.append(nb::make_tuple(text_object(column.name), text_object(column.unit), text_object(column.path)));
    return columns;
}

/// Rows of fields.
class FieldRows final : public RowMaker {
public:
    /// `channel` and `first`: of the first frame.
    FieldRows(ChannelTable table, std::uint32_t channel, std::uint64_t first)
        : table_(std::move(table)), channel_(channel), first_(first)
    {
    }

    void begin(const OpenTrace& trace, SignalCheck& check_signals) override
    {
        file_ = trace.trace->info().file.string();
        if (!table_.plan.has_lane_frame()) return;
        const auto is_stopped = [&] {
            check_signals();
            return false;
        };
        auto lanes = table_lanes(*trace.trace, channel_, first_, [&] { return trace.map(); }, is_stopped);
        builder_ = TableBuilder(table_.plan, table_.channel->channel.format, TableBuilder::default_max_batch_bytes,
                                std::move(lanes));
    }
    void add(Frame& frame, const OpenTrace& /*trace*/, SignalCheck& /*check_signals*/) override { builder_.add(frame); }
    [[nodiscard]] bool has_reached(std::size_t bytes) override { return builder_.has_reached(bytes); }
    [[nodiscard]] bool has_rows() override { return builder_.has_rows(); }
    void take(ArrowArray* out, PendingWarnings& warnings) override
    {
        builder_.finish(out);
        if (builder_.misses_host() && !std::exchange(has_warned_, true))
            warnings.add(file_ +
                         ": some frames do not state which object is the host vehicle, or lack it: the columns seen "
                         "from it are null there; host=ID names it");
        if (builder_.misses_place() && !std::exchange(has_warned_, true))
            warnings.add(file_ +
                         ": some frames do not state where a sensor is mounted, or where the host vehicle is: x, y and "
                         "z are null there");
    }
    void forget() override { builder_ = TableBuilder(table_.plan, table_.channel->channel.format); }

private:
    ChannelTable table_;
    std::uint32_t channel_;
    std::uint64_t first_;
    TableBuilder builder_{table_.plan, table_.channel->channel.format};
    std::string file_;
    bool has_warned_ = false;
};

/// `runs`: the first frame and how many, of those of the channel; `span`: the time by which they were found.
BatchReader read_table(const TraceHandle& trace, std::uint32_t channel, const ChannelTable& table,
                       const std::optional<std::vector<std::pair<std::uint64_t, std::uint64_t>>>& runs,
                       std::size_t batch_bytes, const Span& span)
{
    const auto first_frame = runs && !runs->empty() ? runs->front().first : 0;
    auto rows = std::make_unique<FieldRows>(table, channel, first_frame);
    if (!runs)
        return {FrameCursor(trace.open(), std::vector{channel}), std::move(rows), schema_of(table.plan), batch_bytes};
    std::vector<FrameNumbers> wanted;
    for (const auto& [first, count] : *runs) wanted.push_back({channel, first, count, 1, time_span(span)});
    return {FrameCursor(trace.open(), std::move(wanted)), std::move(rows), schema_of(table.plan), batch_bytes};
}

}  // namespace

TableSchema schema_of(const TablePlan& plan)
{
    const auto schema = released_struct<ArrowSchema>();
    plan.export_schema(schema.get());
    return {schema};
}

void register_tables(nb::module_& module)
{
    nb::class_<ChannelTable>(module, "TablePlan", "Which columns a table has, for the messages of a channel.")
        .def_prop_ro("columns", &columns_of, nb::sig("def columns(self) -> list[tuple[str, str, str]]"),
                     "Name, unit and path of each column.")
        .def_prop_ro(
            "schema", [](const ChannelTable& self) { return schema_of(self.plan); }, "Of its batches.")
        .def_prop_ro(
            "type", [](const ChannelTable& self) { return text_object(self.plan.root().full_name); },
            "Of the messages.");
    nb::class_<BatchReader>(module, "BatchReader", "The batches of a table one after another.")
        .def(
            "__iter__", [](nb::handle self) { return nb::borrow(self); }, nb::sig("def __iter__(self) -> BatchReader"))
        .def(
            "__next__",
            [](BatchReader& self) {
                auto batch = self.next();
                if (!batch) throw nb::stop_iteration();
                return std::move(*batch);
            },
            nb::sig("def __next__(self) -> Batch"));
    module.def("table_columns", &names_of_table, nb::arg("channel"), nb::arg("kind"), nb::arg("lane_frame") = false,
               nb::arg("point_frame").none() = nb::none());
    module.def("named_table", &named_table, nb::arg("channel"), nb::arg("kind"), nb::arg("columns"),
               nb::arg("fill_defaults"), nb::arg("relative_to_host"), nb::arg("host").none() = nb::none(),
               nb::arg("lane_frame") = false, nb::arg("point_frame").none() = nb::none());
    module.def("table_of_paths", &table_of_paths, nb::arg("channel"), nb::arg("columns"), nb::arg("rows"),
               nb::arg("fill_defaults"));
    module.def("table_of_all", &table_of_all, nb::arg("channel"), nb::arg("fill_defaults"));
    module.def(
        "channel_descriptor",
        [](const ChannelOfTrace& channel) { return Descriptor{&channel.viewable_root(), channel.classes->schema()}; },
        nb::arg("channel"));
    module.def("read_table", &read_table, nb::arg("trace"), nb::arg("channel"), nb::arg("table"),
               nb::arg("runs").none(), nb::arg("batch_bytes"), nb::arg("span") = Span());
}

}  // namespace ositrace::python
