// SPDX-License-Identifier: MPL-2.0

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <ositrace/convert.hpp>
#include <ositrace/count_text.hpp>
#include <ositrace/encoding.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_check.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>
#include <ositrace/transcoder.hpp>

#include "python/src/arguments.hpp"
#include "python/src/convert.hpp"
#include "python/src/frame.hpp"
#include "python/src/parts.hpp"
#include "python/src/source.hpp"

namespace ositrace::python {

namespace {

using Entries = std::map<std::string, std::string>;

/// A channel of the output, and how messages of another encoding become its messages.
struct OutputChannel {
    Channel channel;
    Format from;
    std::optional<Transcoder> transcoder;  ///< of `from`
};

bool has_structure(Bytes payload, const MessageTable& root, Format format)
{
    try {
        check_structure(payload, root, format);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// Bytes that are a message in another encoding get an error that says so.
void check_payload(Bytes payload, const MessageTable& root, Format format)
{
    try {
        check_structure(payload, root, format);
    } catch (const Error&) {
        for (const auto& row : encodings())
            if (!payload.empty() && row.encoding != format.encoding && has_structure(payload, root, {row.encoding}))
                throw Error(Cause::mismatch, "the bytes are a message in another encoding (found " +
                                                 std::string(row.name) + ", expected " +
                                                 std::string(row_of(format.encoding).name) +
                                                 "). The file extension sets the encoding; for MCAP, pass encoding=.");
        throw;
    }
}

/// The Python object. Its threads take turns; who waits for the turn never holds the GIL.
class WriterHandle {
public:
    WriterHandle(std::filesystem::path file, std::optional<Encoding> encoding, std::vector<MetadataRecord> metadata,
                 WriteOptions options);

    std::uint32_t add(Channel channel);
    std::uint32_t add_like(const ChannelOfTrace& channel, const std::optional<std::string>& topic);
    std::uint32_t add_new(const std::string& type, const std::optional<std::string>& topic,
                          std::shared_ptr<const Schema> schema, Entries metadata);
    /// `format`: of the frame; empty: that of the channel. `check`: the structure of the payload.
    void write(std::uint32_t channel, Frame frame, std::optional<Format> format, bool check);
    /// The same of a frame of a trace; `time`: a log time instead of its own.
    void write_frame(std::uint32_t channel, const FrameOfTrace& of, std::optional<Nanoseconds> time);
    std::uint64_t close();
    void discard();

    [[nodiscard]] bool closed() const noexcept { return closed_; }
    [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }
    [[nodiscard]] const ContainerTraits& container() const noexcept { return container_; }
    [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
    [[nodiscard]] std::pair<std::string, std::string> topic_and_type(std::uint32_t number);
    [[nodiscard]] std::vector<std::string> notes() const { return notes_; }

private:
    void check_options(const std::optional<TraceExtension>& extension) const;
    void create();
    void collect_notes();

    std::filesystem::path file_;
    std::optional<Encoding> encoding_;  ///< of the output; empty: each channel has its own
    WriteOptions options_;
    TraceInfo info_;  ///< with which the output was created
    ContainerTraits container_;
    std::unique_ptr<TraceWriter> writer_;  ///< null: the only channel of the container is not known yet
    std::deque<OutputChannel> channels_;
    std::vector<std::string> notes_;
    std::mutex turn_;
    std::atomic<std::uint64_t> frames_ = 0;
    std::uint64_t dropped_unknown_fields_ = 0;
    std::atomic<std::uint64_t> other_times_ = 0;  ///< frames whose log or publish time has no place
    std::atomic<bool> closed_ = false;
};

WriterHandle::WriterHandle(std::filesystem::path file, std::optional<Encoding> encoding,
                           std::vector<MetadataRecord> metadata, WriteOptions options)
    : file_(std::move(file)), encoding_(encoding), options_(std::move(options))
{
    const auto extension = output_extension(file_, options_);
    check_options(extension);
    info_.metadata = std::move(metadata);
    if (extension) container_ = extension->container;
    if (extension && extension->encoding) {
        if (encoding_ && encoding_ != extension->encoding)
            throw Error(Cause::usage, {.file = file_},
                        "encoding '" + std::string(row_of(*encoding_).name) + "' contradicts the extension " +
                            std::string(extension->text));
        encoding_ = extension->encoding;
    }
    if (!info_.metadata.empty() && !container_.metadata)
        throw Error(Cause::usage, {.file = file_}, "metadata requires an MCAP output");
    create();
}

/// As the options of the command line.
void WriterHandle::check_options(const std::optional<TraceExtension>& extension) const
{
    if (extension && extension->container.chunks) return;
    if (options_.chunk_compression) throw Error(Cause::usage, {.file = file_}, "compression requires an MCAP output");
    if (options_.chunk_bytes) throw Error(Cause::usage, {.file = file_}, "chunk_size requires an MCAP output");
    if (options_.level && (!extension || !extension->is_compressed()))
        throw Error(Cause::usage, {.file = file_}, "level requires a compressed output");
}

/// A container for one channel is created with it. Until it is known the output is created with any channel and dropped
/// again, so that its name, the options and the folder are checked at once.
void WriterHandle::create()
{
    if (container_.several_channels || !channels_.empty()) {
        for (const auto& each : channels_) info_.channels.push_back(each.channel);
        writer_ = create_trace(file_, info_, options_);
        return;
    }
    auto trial = options_;
    trial.recording = false;
    TraceInfo any;
    const auto& row = message_types().front();
    any.channels.push_back({.topic = std::string(row.name),
                            .type = row.type,
                            .type_name = std::string(row.full_name),
                            .format = {encoding_.value_or(Encoding::protobuf)},
                            .schema = Schema::built_in(),
                            .root = &Schema::built_in()->root(row.type)});
    static_cast<void>(create_trace(file_, any, trial));
}

std::uint32_t WriterHandle::add(Channel channel)
{
    const std::scoped_lock turn(turn_);
    if (closed_) throw Error(Cause::usage, {.file = file_}, "the writer is closed");
    if (writer_) {
        try {
            writer_->add_channel(channel);
        } catch (const Error& error) {
            throw error.within({.file = file_});
        }
    }
    channels_.push_back({std::move(channel), {}, {}});
    if (!writer_) {
        try {
            create();
        } catch (...) {
            channels_.pop_back();
            throw;
        }
    }
    return static_cast<std::uint32_t>(channels_.size() - 1);
}

std::uint32_t WriterHandle::add_like(const ChannelOfTrace& channel, const std::optional<std::string>& topic)
{
    auto own = channel.with_osi_version();
    if (own.root && encoding_ && own.format.encoding != *encoding_) own = converted_channel(own, Format{*encoding_});
    if (topic) own.topic = *topic;
    return add(std::move(own));
}

std::uint32_t WriterHandle::add_new(const std::string& type, const std::optional<std::string>& topic,
                                    std::shared_ptr<const Schema> schema, Entries metadata)
{
    const auto row = type_named(type);
    Channel channel;
    channel.type = row;
    channel.type_name = row_of(row).full_name;
    channel.topic = topic.value_or(std::string(row_of(row).name));
    channel.format.encoding = encoding_.value_or(Encoding::protobuf);
    channel.schema = schema ? std::move(schema) : Schema::built_in();
    channel.root = &channel.schema->root(row);
    channel.metadata = std::move(metadata);
    return add(std::move(channel));
}

std::pair<std::string, std::string> WriterHandle::topic_and_type(std::uint32_t number)
{
    const std::scoped_lock turn(turn_);
    const auto& channel = channels_.at(number).channel;
    return {channel.topic, channel.type_name};
}

void WriterHandle::write(std::uint32_t number, Frame frame, std::optional<Format> stated, bool check)
{
    const std::scoped_lock turn(turn_);
    if (closed_) throw Error(Cause::usage, {.file = file_}, "the writer is closed");
    auto& output = channels_.at(number);
    const auto& channel = output.channel;
    const auto format = stated.value_or(channel.format);
    frame.channel = number;
    frame.index = frames_;
    try {
        if (check && channel.root) check_payload(frame.bytes, *channel.root, format);
        if (frame.log_time && !container_.log_times) {
            const auto stamp = time_in_range_of(frame, channel);
            if (!stamp || std::chrono::abs(*stamp - *frame.log_time) > std::chrono::microseconds(1))
                throw Error(Cause::usage, "this container holds no times but the timestamps of the messages");
        }
        ByteBuffer transcoded;
        if (channel.root && format.encoding != channel.format.encoding) {
            if (!output.transcoder || output.from != format) {
                if (output.transcoder) dropped_unknown_fields_ += output.transcoder->dropped_unknown_fields();
                output.transcoder.emplace(*channel.root, format, channel.format);
                output.from = format;
            }
            output.transcoder->transcode(frame.bytes, transcoded);
            frame.bytes = transcoded.bytes();
            frame.owner = nullptr;
        }
        writer_->write(frame);
    } catch (const Error& error) {
        throw error.within({.file = file_, .frame = frame.index});
    }
    ++frames_;
}

void WriterHandle::write_frame(std::uint32_t number, const FrameOfTrace& of, std::optional<Nanoseconds> time)
{
    auto frame = of.frame;
    const bool loses_times = !container_.log_times && kept_time_of(frame, of.channel->channel) != KeptTime::same;
    if (!container_.log_times) frame.log_time.reset();
    if (time) frame.log_time = time;
    write(number, std::move(frame), of.channel->channel.format, false);
    if (loses_times) ++other_times_;
}

std::uint64_t WriterHandle::close()
{
    const std::scoped_lock turn(turn_);
    if (closed_) throw Error(Cause::usage, {.file = file_}, "the writer is closed");
    if (!writer_)
        throw Error(Cause::usage, {.file = file_},
                    "nothing was written, and no channel says what the trace is of: create() with type");
    const auto bytes = writer_->close();
    collect_notes();
    writer_.reset();
    closed_ = true;
    return bytes;
}

void WriterHandle::discard()
{
    const std::scoped_lock turn(turn_);
    if (writer_) writer_->discard();
    writer_.reset();
    closed_ = true;
}

/// What the output has not, or has otherwise than it was written.
void WriterHandle::collect_notes()
{
    auto dropped = dropped_unknown_fields_ + writer_->dropped_unknown_fields();
    for (const auto& each : channels_)
        if (each.transcoder) dropped += each.transcoder->dropped_unknown_fields();
    const auto note = [&](std::string text) { notes_.push_back(file_.string() + ": " + std::move(text)); };
    if (dropped != 0) note("dropped " + count_text(dropped, "field") + " that the schema does not know");
    for (const auto& each : writer_->replaced_versions())
        note("the channel '" + each.topic + "' stated " + each.key + " = '" + each.stated +
             "', which is not major.minor.patch: it is " +
             (each.written.empty() ? "dropped" : "replaced by " + each.written));
    for (const auto& each : writer_->version_channels())
        note("'" + each.of_topic + "' has messages of OSI " + each.of_version + " and " + each.version +
             ", but a channel has one version: the latter are written as channel '" + each.topic + "'");
    if (const auto count = writer_->untimed_messages(); count != 0)
        note(count_text(count, "message") + " without a timestamp " + (count == 1 ? "has" : "have") +
             " the time of the message before, or 0 s");
    for (const auto& topic : writer_->backward_times())
        note("the times of '" + topic + "' go backward, and the file is read in the order of its times");
    if (other_times_ != 0)
        note("keeps only OSI times, but " + count_text(other_times_, "message") +
             (other_times_ == 1 ? " has another log or publish time" : " have other log or publish times"));
    if (const auto count = writer_->replaced_publish_times(); count != 0)
        note("replaced the publish time of " + count_text(count, "message") + " by the OSI time, as OSI-MCAP requires");
    if (const auto count = writer_->replaced_texts(); count != 0)
        note(std::to_string(count) + (count == 1 ? " name, topic or metadata was" : " names, topics or metadata were") +
             " not UTF-8, and U+FFFD replaces those bytes");
}

std::vector<MetadataRecord> records_of(const std::vector<std::pair<std::string, Entries>>& metadata)
{
    std::vector<MetadataRecord> records;
    for (const auto& [name, entries] : metadata) records.push_back({name, entries});
    return records;
}

std::optional<Encoding> encoding_of(const std::optional<std::string>& name)
{
    if (!name) return std::nullopt;
    if (const auto encoding = encoding_named(*name)) return encoding;
    throw Error(Cause::usage, "unknown encoding '" + *name + "' (known: protobuf, flatbuffers)");
}

std::optional<Nanoseconds> time_of(const std::optional<std::int64_t>& nanoseconds)
{
    return nanoseconds ? std::optional(Nanoseconds(*nanoseconds)) : std::nullopt;
}

void write_frame(WriterHandle& self, std::uint32_t channel, const FrameOfTrace& of, std::optional<std::int64_t> time)
{
    const nb::gil_scoped_release no_gil;
    self.write_frame(channel, of, time_of(time));
}

/// bytes as they are, another object with a buffer as a copy.
void write_payload(WriterHandle& self, std::uint32_t channel, nb::handle object, bool protobuf,
                   std::optional<std::int64_t> time)
{
    const auto bytes = PyBytes_Check(object.ptr()) ? nb::borrow<nb::bytes>(object) : nb::bytes(object);
    Frame frame;
    frame.bytes = {static_cast<const std::byte*>(bytes.data()), bytes.size()};
    frame.log_time = time_of(time);
    const nb::gil_scoped_release no_gil;
    self.write(channel, frame, protobuf ? std::optional(Format{}) : std::nullopt, true);
}

}  // namespace

void register_writer(nb::module_& module)
{
    nb::class_<WriterHandle>(module, "WriterHandle", "A trace that is written; ositrace.Writer is made of it.")
        .def_prop_ro("closed", &WriterHandle::closed)
        .def_prop_ro("frames", &WriterHandle::frames)
        .def_prop_ro("several_channels", [](const WriterHandle& self) { return self.container().several_channels; })
        .def_prop_ro("file", [](const WriterHandle& self) { return path_object(self.file()); })
        .def("notes",
             [](const WriterHandle& self) {
                 nb::list texts;
                 for (const auto& text : self.notes()) texts.append(text_object(text));
                 return texts;
             })
        .def(
            "channel",
            [](WriterHandle& self, std::uint32_t number) {
                const auto [topic, type] = [&] {
                    const nb::gil_scoped_release no_gil;
                    return self.topic_and_type(number);
                }();
                return nb::make_tuple(text_object(topic), text_object(type));
            },
            nb::arg("number"))
        .def("add_like", &WriterHandle::add_like, nb::arg("channel"), nb::arg("topic").none(),
             nb::call_guard<nb::gil_scoped_release>())
        .def(
            "add_new",
            [](WriterHandle& self, const std::string& type, const std::optional<std::string>& topic, nb::handle schema,
               Entries metadata) {
                auto compiled = schema_of(schema);
                const nb::gil_scoped_release no_gil;
                return self.add_new(type, topic, std::move(compiled), std::move(metadata));
            },
            nb::arg("type"), nb::arg("topic").none(), nb::arg("schema").none(), nb::arg("metadata"))
        .def("write_frame", &write_frame, nb::arg("channel"), nb::arg("frame"), nb::arg("time_ns").none())
        .def("write_payload", &write_payload, nb::arg("channel"), nb::arg("payload"), nb::arg("protobuf"),
             nb::arg("time_ns").none())
        .def("close", &WriterHandle::close, nb::call_guard<nb::gil_scoped_release>())
        .def("discard", &WriterHandle::discard, nb::call_guard<nb::gil_scoped_release>());
    module.def(
        "create",
        [](nb::handle path, const std::optional<std::string>& encoding,
           const std::vector<std::pair<std::string, Entries>>& metadata, bool overwrite, const std::string& extension,
           std::optional<std::string> compression, std::optional<int> level, std::optional<std::size_t> chunk_size,
           unsigned threads, bool sync, bool recording) {
            auto source = source_of(path);
            if (source.bytes) throw nb::type_error("create() needs a path");
            const nb::gil_scoped_release no_gil;
            WriteOptions options;
            options.overwrite = overwrite;
            options.extension = extension;
            options.chunk_compression = std::move(compression);
            options.level = level;
            options.chunk_bytes = chunk_size;
            options.threads = threads;
            options.sync = sync;
            options.recording = recording;
            return std::make_unique<WriterHandle>(std::move(source.path), encoding_of(encoding), records_of(metadata),
                                                  std::move(options));
        },
        nb::arg("path"), nb::arg("encoding").none(), nb::arg("metadata"), nb::arg("overwrite"), nb::arg("extension"),
        nb::arg("compression").none(), nb::arg("level").none(), nb::arg("chunk_size").none(), nb::arg("threads"),
        nb::arg("sync"), nb::arg("recording"));
}

}  // namespace ositrace::python
