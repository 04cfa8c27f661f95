// SPDX-License-Identifier: MPL-2.0
#include "python/src/trace.hpp"

#include <optional>
#include <string>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <ositrace/catalog.hpp>
#include <ositrace/edit/static.hpp>
#include <ositrace/text_parser.hpp>
#include <ositrace/trace_name.hpp>
#include <ositrace/trace_summary.hpp>

#include "python/src/arguments.hpp"
#include "python/src/convert.hpp"
#include "python/src/frame_cursor.hpp"
#include "python/src/parts.hpp"
#include "python/src/signal_check.hpp"
#include "python/src/source.hpp"
#include "python/src/time_search.hpp"

namespace ositrace::python {

namespace {

/// Thrown for a text trace, which ositrace/_text.py reads: the module has no parser of text.
struct IsText {};

class NoTextParser final : public TextParser {
    void parse(std::string_view, TextForm, const MessageTable&, const Schema&, ByteBuffer&) const override
    {
        throw IsText();
    }
};

/// nullopt: it is text.
std::optional<TraceHandle> open(nb::handle object, const std::optional<std::string>& type, nb::handle schema, bool skip,
                                bool far)
try {
    OpenOptions options;
    if (type) options.type = type_named(*type);
    options.schema = schema_of(schema);
    options.skip_bad_frames = skip;
    options.depth = DamageDepth::structure;  // a table reads only what it has columns for
    const auto skipped = std::make_shared<SkippedPlaces>();
    options.on_skip = [skipped](const SkippedBytes& bytes) { skipped->add(bytes); };
    const auto warnings = std::make_shared<PendingWarnings>();
    options.on_warning = [warnings](const Error& warning) { warnings->add(warning.what()); };
    options.text_parser = std::make_shared<const NoTextParser>();
    auto source = source_of(object);
    TraceHandle handle([&] {
        const nb::gil_scoped_release no_gil;
        auto trace = source.bytes ? open_trace(std::move(source.bytes), options) : open_trace(source.path, options);
        return std::make_shared<const OpenTrace>(std::move(trace), skip, skipped, warnings, far);
    }());
    warnings->give();
    return handle;
} catch (const IsText&) {
    return std::nullopt;
}

nb::dict info_of(const TraceHandle& self)
{
    const auto open = self.open();
    const auto& info = open->trace->info();
    nb::dict out;
    out["file"] = path_object(info.file);
    out["container"] = text_object(info.container.name);
    out["several_channels"] = info.container.several_channels;
    out["chunks"] = info.container.chunks;
    out["compression"] = text_object(info.compression);
    out["chunk_compression"] = text_object(info.chunk_compression);
    out["profile"] = text_object(info.profile);
    out["library"] = text_object(info.library);
    return out;
}

nb::list metadata_of(const TraceHandle& self)
{
    const auto open = self.open();
    nb::list records;
    for (const auto& record : open->trace->info().metadata) {
        nb::dict entries;
        for (const auto& [key, value] : record.entries) entries[text_object(key)] = text_object(value);
        records.append(nb::make_tuple(text_object(record.name), entries));
    }
    return records;
}

nb::list channels_of(const TraceHandle& self)
{
    nb::list channels;
    for (const auto& channel : self.open()->channels) channels.append(nb::cast(channel));
    return channels;
}

nb::list skipped_of(const TraceHandle& self)
{
    const auto open = self.open();
    const std::scoped_lock lock(open->skipped->mutex);
    nb::list texts;
    for (const auto& text : open->skipped->texts) texts.append(text_object(text));
    return texts;
}

std::uint64_t frame_count(const TraceHandle& self, std::uint32_t channel)
{
    const auto open = self.open();
    return open->without_gil([&] { return open->trace->frame_count(channel); });
}

FrameOfTrace frame(const TraceHandle& self, std::uint32_t channel, std::uint64_t i)
{
    const auto open = self.open();
    return open->without_gil([&] {
        auto frame = open->trace->frame(channel, i);
        frame.channel = channel;
        return open->with_channel(std::move(frame));
    });
}

/// The frame whose number over all channels is this one.
FrameOfTrace frame_of_index(const TraceHandle& self, std::uint64_t index)
{
    const auto open = self.open();
    return open->without_gil([&] {
        const auto reader = open->trace->reader();
        reader->seek_frame(index);
        Frame frame;
        if (!reader->read(frame))
            throw Error(Cause::missing, {.file = open->trace->info().file, .frame = index}, "there is no such frame");
        return open->with_channel(std::move(frame));
    });
}

/// The frame with the static data of those before it.
FrameOfTrace complete_frame(const TraceHandle& self, std::uint32_t channel, std::uint64_t i)
{
    const auto open = self.open();
    return open->without_gil([&] {
        auto frame = open->trace->frame(channel, i);
        frame.channel = channel;
        SignalCheck check_signals;
        const auto is_stopped = [&] {
            check_signals();
            return false;
        };
        auto whole = with_static_data(*open->trace, frame, i, is_stopped);
        const bool is_completed = whole.has_value();
        if (is_completed) {
            frame = std::move(*whole);
            frame.payload_offset.reset();
        }
        auto found = open->with_channel(std::move(frame));
        found.is_completed = is_completed;
        return found;
    });
}

std::optional<std::uint64_t> frame_at(const TraceHandle& self, std::uint32_t channel, std::int64_t time_ns)
{
    const auto open = self.open();
    return open->without_gil([&] { return TimeSearch(*open, channel).at(Nanoseconds(time_ns)); });
}

/// The first one, and the one after the last, of each run of frames.
std::vector<std::pair<std::uint64_t, std::uint64_t>> frames_in(const TraceHandle& self, std::uint32_t channel,
                                                               const Span& span)
{
    const auto open = self.open();
    const auto found = open->without_gil([&] { return TimeSearch(*open, channel).in(time_span(span)); });
    std::vector<std::pair<std::uint64_t, std::uint64_t>> runs;
    for (const auto& run : found) runs.emplace_back(run.first, run.end);
    return runs;
}

FrameIterator all_frames(const TraceHandle& self, const std::vector<std::uint32_t>& channels)
{
    return FrameIterator({self.open(), channels});
}

FrameIterator numbered_frames(const TraceHandle& self, std::uint32_t channel, std::uint64_t start, std::uint64_t count,
                              std::int64_t step, const Span& span)
{
    return FrameIterator({self.open(), {FrameNumbers{channel, start, count, step, time_span(span)}}});
}

nb::dict dict_of(const ChannelSummary& summary)
{
    nb::dict out;
    out["topic"] = text_object(summary.channel.topic);
    out["type"] = text_object(summary.channel.type_name);
    out["frames"] = summary.frames;
    out["bytes"] = summary.sizes_sampled ? nb::object(nb::none()) : nb::object(nb::int_(summary.sizes.total));
    out["start"] = seconds_object(summary.start);
    out["end"] = seconds_object(summary.end);
    out["rate_hz"] = summary.rate_hz ? nb::object(nb::float_(*summary.rate_hz)) : nb::object(nb::none());
    nb::list versions;
    for (const auto& version : summary.osi_versions) versions.append(text_object(version.to_string()));
    out["osi_versions"] = versions;
    out["static_data"] = text_object(name_of(summary.static_data));
    out["sampled"] = summary.sampled;
    out["unreadable_frames"] = summary.unreadable_frames;
    return out;
}

nb::list summary_of(const TraceHandle& self, bool full)
{
    const auto open = self.open();
    const auto summary = open->without_gil([&] { return summarize(*open->trace, {.full = full, .times = full}); });
    nb::list channels;
    for (const auto& channel : summary.channels) channels.append(dict_of(channel));
    return channels;
}

nb::dict dict_of(const CatalogChannel& row)
{
    const auto& channel = row.channel;
    const auto number = [](const auto& value) { return value ? nb::object(nb::cast(*value)) : nb::object(nb::none()); };
    nb::dict out;
    out["channel"] = text_object(channel.topic);
    out["type"] = text_object(channel.type_name);
    out["encoding"] = text_object(encoding_name(channel));
    out["frames"] = row.frames;
    out["first_time_ns"] = nanoseconds_object(row.times ? std::optional(row.times->first) : std::nullopt);
    out["last_time_ns"] = nanoseconds_object(row.times ? std::optional(row.times->last) : std::nullopt);
    out["rate_hz"] = number(row.rate_hz);
    nb::list versions;
    for (const auto& version : row.osi_versions) versions.append(text_object(version.to_string()));
    out["osi_versions"] = versions;
    out["host_id"] = number(row.host);
    const auto bound = [&](double PositionBounds::* of) {
        return number(row.bounds ? std::optional((*row.bounds).*of) : std::nullopt);
    };
    out["x_min"] = bound(&PositionBounds::x_min);
    out["x_max"] = bound(&PositionBounds::x_max);
    out["y_min"] = bound(&PositionBounds::y_min);
    out["y_max"] = bound(&PositionBounds::y_max);
    out["static_data"] = number(row.static_data);
    return out;
}

/// Channels, places, and what is damaged.
nb::tuple catalog_entry_of(const TraceHandle& self)
{
    const auto open = self.open();
    const auto entry = open->without_gil([&] { return catalog_entry(*open->trace); });
    nb::list channels, places;
    for (const auto& channel : entry.channels) channels.append(dict_of(channel));
    for (const auto& place : entry.places)
        places.append(nb::make_tuple(place.frame, place.offset, nanoseconds_object(place.time)));
    return nb::make_tuple(channels, places,
                          entry.damage ? nb::object(text_object(*entry.damage)) : nb::object(nb::none()));
}

/// Campaign and date.
nb::tuple path_facts(const nb::bytes& path)
{
    const auto facts = facts_of_path(std::string(path.c_str(), path.size()));
    return nb::make_tuple(text_object(facts.campaign), text_object(facts.date));
}

/// The same trace with a map beside it.
TraceHandle with_map_file(const TraceHandle& self, nb::handle file)
{
    const auto open = self.open();
    const auto source = source_of(file);
    if (source.bytes) throw nb::type_error("map: expected a path");
    return TraceHandle(open->without_gil([&] { return std::make_shared<const OpenTrace>(*open, source.path); }));
}

/// The map as a trace of one GroundTruth.
std::optional<TraceHandle> map_handle(const TraceHandle& self)
{
    const auto open = self.open();
    auto of_map = open->without_gil([&]() -> std::shared_ptr<const OpenTrace> {
        const auto map = open->map();
        if (!map) return nullptr;
        return std::make_shared<const OpenTrace>(trace_of(*map), false, std::make_shared<SkippedPlaces>(),
                                                 std::make_shared<PendingWarnings>(), false);
    });
    return of_map ? std::optional<TraceHandle>(std::move(of_map)) : std::nullopt;
}

}  // namespace

void PendingWarnings::give()
{
    if (!any_) return;
    std::vector<std::string> texts;
    {
        const std::scoped_lock lock(mutex_);
        texts.swap(texts_);
        any_ = false;
    }
    const auto warn = nb::module_::import_("ositrace._error").attr("warn");
    for (const auto& text : texts) warn(text_object(text));
}

OpenTrace::OpenTrace(std::shared_ptr<const Trace> opened, bool skip, std::shared_ptr<SkippedPlaces> places,
                     std::shared_ptr<PendingWarnings> pending, bool far)
    : trace(std::move(opened)),
      skips_damage(skip),
      skipped(std::move(places)),
      warnings(std::move(pending)),
      is_far(far)
{
    const auto count = static_cast<std::uint32_t>(trace->info().channels.size());
    for (std::uint32_t i = 0; i != count; ++i) channels.push_back(std::make_shared<const ChannelOfTrace>(trace, i));
    go_forward_.resize(count);
}

bool OpenTrace::times_go_forward(std::uint32_t channel) const
{
    const std::scoped_lock lock(order_mutex_);
    auto& known = go_forward_[channel];
    if (!known) known = python::times_go_forward(*trace, channel);
    return *known;
}

OpenTrace::OpenTrace(const OpenTrace& other, std::shared_ptr<const TraceMap> map)
    : OpenTrace(with_map(other.trace, map), other.skips_damage, other.skipped, other.warnings, other.is_far)
{
    for (const auto& note : map->notes) warnings->add(note.what());
    map_ = std::move(map);
}

OpenTrace::OpenTrace(const OpenTrace& other, const std::filesystem::path& map)
    : OpenTrace(other, map_of(*other.trace, {.file = map}))
{
    map_file = map;
}

std::shared_ptr<const TraceMap> OpenTrace::map() const
{
    const std::scoped_lock lock(map_mutex_);
    if (!map_) {
        map_ = trace->info().container.map ? nullptr : map_of(*trace);
        if (*map_)
            for (const auto& note : (*map_)->notes) warnings->add(note.what());
    }
    return *map_;
}

void register_trace(nb::module_& module)
{
    nb::class_<TraceHandle>(module, "TraceHandle", "An open trace; ositrace.Trace is made of it.")
        .def_prop_ro("closed", &TraceHandle::closed)
        .def("close", &TraceHandle::close)
        .def("info", &info_of)
        .def("metadata", &metadata_of)
        .def("channels", &channels_of)
        .def("skipped", &skipped_of)
        .def("frame_count", &frame_count, nb::arg("channel"))
        .def("frame", &frame, nb::arg("channel"), nb::arg("i"))
        .def("frame_of_index", &frame_of_index, nb::arg("index"))
        .def("complete_frame", &complete_frame, nb::arg("channel"), nb::arg("i"))
        .def("frame_at", &frame_at, nb::arg("channel"), nb::arg("time_ns"))
        .def("frames_in", &frames_in, nb::arg("channel"), nb::arg("span"))
        .def("all_frames", &all_frames, nb::arg("channels"))
        .def("numbered_frames", &numbered_frames, nb::arg("channel"), nb::arg("start"), nb::arg("count"),
             nb::arg("step"), nb::arg("span") = Span())
        .def("summary", &summary_of, nb::arg("full"))
        .def("catalog_entry", &catalog_entry_of)
        .def("with_map", &with_map_file, nb::arg("file"))
        .def_prop_ro("map_file", [](const TraceHandle& self) { return path_object(self.open()->map_file); })
        .def("map", &map_handle);
    module.def("path_facts", &path_facts, nb::arg("path"));
    module.def(
        "type_code", [](const std::string& name) { return text_object(row_of(type_named(name)).code); },
        nb::arg("name"));
    module.def(
        "trace_extension",
        [](const nb::bytes& name) {
            const auto found = trace_extension({name.c_str(), name.size()});
            return found ? std::optional(std::string(found->text)) : std::nullopt;
        },
        nb::arg("name"));
    module.def(
        "is_catalog_table",
        [](const nb::bytes& file) { return is_catalog_table(std::string(file.c_str(), file.size())); },
        nb::arg("file"));
    module.def(
        "begins_catalog_table",
        [](const nb::bytes& begin) { return begins_catalog_table({begin.c_str(), begin.size()}); }, nb::arg("begin"));
    module.attr("catalog_begin_bytes") = catalog_begin_bytes;
    module.def("open", &open, nb::arg("source"), nb::arg("type").none(), nb::arg("schema").none(), nb::arg("skip"),
               nb::arg("far"));
}

}  // namespace ositrace::python
