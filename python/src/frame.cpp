// SPDX-License-Identifier: MPL-2.0
#include "python/src/frame.hpp"

#include <string>
#include <utility>

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <ositrace/frame_error.hpp>
#include <ositrace/recognize.hpp>
#include <ositrace/trace_map.hpp>
#include <ositrace/trace_metadata.hpp>
#include <ositrace/trace_writer.hpp>
#include <ositrace/transcoder.hpp>

#include "python/src/convert.hpp"
#include "python/src/message.hpp"
#include "python/src/parts.hpp"
#include "python/src/source.hpp"

namespace ositrace::python {

namespace {

using Payload = nb::ndarray<nb::memview, const std::uint8_t, nb::ndim<1>>;

/// Without a copy: the view keeps the frame, and the frame its bytes.
Payload payload_of(nb::handle_t<FrameOfTrace> self)
{
    const auto bytes = nb::cast<const FrameOfTrace&>(self).frame.bytes;
    return Payload(bytes.data(), {bytes.size()}, self);
}

nb::object repr_of(const FrameOfTrace& self)
{
    auto text = "<Frame " + std::to_string(self.frame.index) + " of " + self.channel->channel.type_name;
    if (self.frame.time) text += " at " + std::string(nb::repr(seconds_object(self.frame.time)).c_str()) + " s";
    return text_object(text + ", " + std::to_string(self.frame.bytes.size()) + " bytes>");
}

/// Writes the frame as a trace of its own.
void save(const FrameOfTrace& self, nb::handle path, nb::handle flag)
{
    nb::module_::import_("ositrace._arguments").attr("flag")("overwrite", flag);
    nb::module_::import_("ositrace._remote").attr("refuse_remote")("path", path);
    const bool overwrite = flag.is(nb::bool_(true));
    const auto source = source_of(path);
    if (source.bytes) throw nb::type_error("save() needs a path");
    const nb::gil_scoped_release no_gil;
    TraceInfo info;
    info.file = self.channel->file;
    info.channels.push_back(self.channel->with_osi_version());
    auto frame = self.frame;
    frame.channel = 0;
    const auto writer = create_trace(source.path, info, {.overwrite = overwrite, .inputs = {self.channel->file}});
    writer->write(frame);
    writer->close();
}

nb::object channel_repr(const ChannelOfTrace& self)
{
    return text_object("<Channel '" + self.channel.topic + "' of " + self.channel.type_name + ">");
}

/// As the container states it; the encoding of what the library reads has one of its own names.
nb::object encoding_of(const Channel& channel)
{
    return text_object(channel.message_encoding.empty() ? row_of(channel.format.encoding).name
                                                        : std::string_view(channel.message_encoding));
}

void register_channel(nb::module_& module)
{
    nb::class_<ChannelOfTrace>(module, "Channel", "A sequence of messages of one type.")
        .def_prop_ro(
            "topic", [](const ChannelOfTrace& self) { return text_object(self.channel.topic); },
            "Its name in the file; of a file that names none `/ground_truth` and the like.")
        .def_prop_ro(
            "type", [](const ChannelOfTrace& self) { return text_object(self.channel.type_name); },
            "Full name of the messages: `osi3.GroundTruth`.")
        .def_prop_ro(
            "encoding", [](const ChannelOfTrace& self) { return encoding_of(self.channel); },
            "`protobuf`, `flatbuffers`, or what the file states.")
        .def_prop_ro(
            "metadata",
            [](const ChannelOfTrace& self) {
                nb::dict entries;
                for (const auto& [key, value] : self.channel.metadata) entries[text_object(key)] = text_object(value);
                return entries;
            },
            "What the file states about the channel.")
        .def_prop_ro(
            "is_map", [](const ChannelOfTrace& self) { return is_map_channel(self.channel); },
            "Does it have the map of the trace (osi3.MapAsamOpenDrive)? Its messages are no frames of the trace: "
            "`trace[topic]` has them.")
        .def("__repr__", &channel_repr);
}

}  // namespace

ChannelOfTrace::ChannelOfTrace(Channel of, std::filesystem::path file_name)
    : channel(std::move(of)), file(std::move(file_name)), root(channel.root), unviewable(channel.unviewable)
{
    if (root == nullptr && unviewable.empty()) read_own_schema();
    if (root != nullptr && !classes) classes = std::make_unique<MessageClasses>(channel.schema);
}

ChannelOfTrace::ChannelOfTrace(const std::shared_ptr<const Trace>& of, std::uint32_t number)
    : ChannelOfTrace(of->info().channels.at(number), of->info().file)
{
    trace_ = of;
    number_ = number;
}

Channel ChannelOfTrace::with_osi_version() const
{
    auto stating = channel;
    const std::string key(osi_metadata::channel_osi_version_key);
    const auto trace = trace_.lock();
    if (!trace || !channel.type || channel.metadata.contains(key)) return stating;
    try {
        if (const auto version = claimed_osi_version(trace->frame(number_, 0).bytes, channel))
            stating.metadata.emplace(key, version->to_string());
    } catch (const Error&) {
        return stating;  // damaged: reading the frame reports it
    }
    return stating;
}

void ChannelOfTrace::read_own_schema()
try {
    const auto& record = channel.schema_record;
    if (!record || record->encoding != "protobuf" || channel.message_encoding != "protobuf") {
        unviewable = "they are not Protobuf with a schema";
        return;
    }
    const auto schema = Schema::compile(record->data);
    root = schema->find(record->name);
    if (root == nullptr)
        unviewable = "the schema of the channel has no " + record->name;
    else
        classes = std::make_unique<MessageClasses>(schema);
} catch (const Error& error) {
    unviewable = error.what();
}

const MessageTable& ChannelOfTrace::viewable_root() const
{
    if (root == nullptr) throw unviewable_error();
    return *root;
}

void ChannelOfTrace::read_all(Bytes payload) const
{
    const Format to{channel.format.encoding == Encoding::protobuf ? Encoding::flatbuffers : Encoding::protobuf};
    ByteBuffer out;
    Transcoder(*root, channel.format, to).transcode(payload, out);
}

void ChannelOfTrace::check_claimed_type(Bytes payload) const
{
    if (channel.format.encoding != Encoding::flatbuffers) return;
    const auto claimed = claimed_by_identifier(payload);
    if (claimed && (claimed->type != channel.type || claimed->format != channel.format)) read_all(payload);
}

Error ChannelOfTrace::first_damage(const Frame& frame, const Error& error) const
{
    try {
        read_all(frame.bytes);
    } catch (const Error& first) {
        return within_frame(first, frame, file);
    }
    return within_frame(error, frame, file);
}

Error ChannelOfTrace::unviewable_error() const
{
    return {Cause::unsupported,
            {.file = file},
            "messages of the channel '" + channel.topic + "' cannot be read: " + unviewable};
}

void register_frame(nb::module_& module)
{
    register_channel(module);
    nb::class_<FrameOfTrace>(module, "Frame", "One message of a trace; it stays valid when the trace is closed.")
        .def_prop_ro(
            "time", [](const FrameOfTrace& self) { return seconds_object(self.frame.time); },
            "Timestamp of the message in seconds, or None.", nb::sig("def time(self) -> float | None"))
        .def_prop_ro(
            "time_ns", [](const FrameOfTrace& self) { return nanoseconds_object(self.frame.time); },
            "Timestamp of the message in nanoseconds, or None.", nb::sig("def time_ns(self) -> int | None"))
        .def_prop_ro(
            "log_time_ns", [](const FrameOfTrace& self) { return nanoseconds_object(self.frame.log_time); },
            "When the message was recorded, in nanoseconds; None where the file has no such times.",
            nb::sig("def log_time_ns(self) -> int | None"))
        .def_prop_ro(
            "index", [](const FrameOfTrace& self) { return self.frame.index; },
            "Number of the frame in the file, over all channels, from 0; errors name it.")
        .def_prop_ro(
            "channel", [](const FrameOfTrace& self) { return self.channel; }, "The channel of the frame.")
        .def_prop_ro("payload", &payload_of, "Bytes of the message, without a copy; read-only.",
                     nb::sig("def payload(self) -> memoryview"))
        .def_prop_ro(
            "message", [](nb::handle_t<FrameOfTrace> self) { return message_of(self); },
            "The message: a lazy view on the payload.", nb::sig("def message(self) -> Message"))
        .def("save", &save, nb::arg("path"), nb::kw_only(), nb::arg("overwrite") = false,
             nb::sig("def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None"),
             "Write the frame as a trace of one frame; the extension decides the container.")
        .def_prop_ro("_is_completed", [](const FrameOfTrace& self) { return self.is_completed; })
        .def_prop_ro("_file", [](const FrameOfTrace& self) { return path_object(self.channel->file); })
        .def("__repr__", &repr_of);
}

}  // namespace ositrace::python
