// SPDX-License-Identifier: MPL-2.0
// OsiTraceWriter: writes its inputs at the end of every step into one trace.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/edit/rename.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_metadata.hpp>
#include <ositrace/trace_name.hpp>
#include <ositrace/trace_summary.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/fmu/fmu.hpp"
#include "app/fmu/message_form.hpp"
#include "app/fmu/parameter_names.hpp"
#include "app/fmu/step_log.hpp"
#include "lib/system/system_error.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace::fmu {

namespace {

struct RecordingOptions {
    std::filesystem::path folder;
    std::string name;              ///< of the file; empty: the standard's
    std::string custom_name;       ///< at the end of the standard's name
    std::string protobuf_version;  ///< of the data, in the form of file names (`2112`); empty: from the content
    std::string extension;         ///< without the first dot; of the standard's name
    WriteOptions write;
};

/// A trace that grows while a simulation runs and gets the standard's name from its content at the end.
/// Until close() the file is visible as `.part`, and stays when the process dies. One thread at a time.
class Recording {
public:
    /// Begins with the first channel. Throws Error.
    Recording(RecordingOptions options, const Channel& first);

    /// The first channel is 0, added ones are 1, 2, ... Throws Error.
    void add_channel(const Channel& channel);
    void write(const Frame& frame) { writer_->write(frame); }
    /// Finishes and names the file; returns its name. Throws Error.
    std::filesystem::path close();

private:
    void create(const Channel& first);
    [[nodiscard]] std::filesystem::path give_name() const;

    RecordingOptions options_;
    std::chrono::sys_seconds begin_;
    std::filesystem::path file_;
    std::unique_ptr<TraceWriter> writer_;
};

constexpr int max_names = 1000;  // of recordings that begin in the same second

/// `20210818T150542Z` as XML Schema's dateTimeStamp.
std::string date_time_stamp(std::string timestamp)
{
    for (const auto at : {13, 11}) timestamp.insert(static_cast<std::size_t>(at), ":");
    for (const auto at : {6, 4}) timestamp.insert(static_cast<std::size_t>(at), "-");
    return timestamp;
}

std::string numbered(const std::string& name, int number)
{
    return number == 1 ? name : name + (name.empty() ? "" : "_") + std::to_string(number);
}

bool holds_several_types(const std::string& extension)
{
    const auto text = '.' + extension;
    const auto known = trace_extension(text);
    return known && known->container.several_channels;
}

/// Calls `attempt` with 1, 2, ... until its name is not in use.
template <class Attempt>
void first_free(Attempt attempt)
{
    for (int number = 1;; ++number) {
        try {
            return attempt(number);
        } catch (const Error& e) {
            if (e.cause() != Cause::exists || number == max_names) throw;
        }
    }
}

Recording::Recording(RecordingOptions options, const Channel& first)
    : options_(std::move(options)), begin_(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()))
{
    options_.write.recording = true;
    if (!options_.name.empty()) {
        file_ = options_.folder / options_.name;
        create(first);
        return;
    }
    const auto type =
        holds_several_types(options_.extension) ? std::string("multi") : std::string(row_of(*first.type).code);
    first_free([&](int number) {
        file_ = options_.folder /
                (trace_timestamp(begin_) + "_" + type + "_" + numbered("recording", number) + "." + options_.extension);
        create(first);
    });
}

void Recording::create(const Channel& first)
{
    TraceInfo info;
    info.channels = {first};
    info.metadata = {{std::string(osi_metadata::trace_record),
                      {{std::string(osi_metadata::creation_time_key), date_time_stamp(trace_timestamp(begin_))}}}};
    writer_ = create_trace(file_, info, options_.write);
}

void Recording::add_channel(const Channel& channel)
try {
    writer_->add_channel(channel);
} catch (const Error& e) {
    throw e.within({.file = file_});
}

std::filesystem::path Recording::close()
{
    writer_->close();
    if (!options_.name.empty()) return file_;
    return give_name();
}

std::filesystem::path Recording::give_name() const
{
    OpenOptions open;
    open.keep_index = false;
    if (!holds_several_types(options_.extension)) open.type = parse_trace_name(file_.filename().string())->type;
    auto name = name_by_content(summarize(*open_trace(file_, open)), file_);
    name.timestamp = trace_timestamp(begin_);
    if (!options_.protobuf_version.empty()) name.protobuf_version = version_digits(options_.protobuf_version);
    std::filesystem::path named;
    first_free([&](int number) {
        name.custom = numbered(options_.custom_name, number);
        named = options_.folder / to_string(name);
        rename_trace(file_, named);
    });
    return named;
}

/// More inputs for the messages of sensors, of which a vehicle has several; few importers support hundreds of
/// variables.
constexpr int inputs_of(MessageType type)
{
    const bool many =
        type == MessageType::sensor_view || type == MessageType::sensor_data || type == MessageType::traffic_update;
    return many ? 8 : 4;
}

/// An input that received a message.
struct InputTrack {
    Channel channel;
    std::uint32_t number = 0;
    std::optional<Nanoseconds> time;  ///< of the last message written
};

class TraceWriterModel final : public Model {
public:
    explicit TraceWriterModel(Ports& ports);
    ~TraceWriterModel() override;
    void step(Nanoseconds now, Nanoseconds) override;
    void finish() override;

private:
    void take(std::size_t place, Bytes message, Nanoseconds now);
    InputTrack& track_of(std::size_t place, Bytes first);
    void begin(const Channel& channel);

    Ports& ports_;
    StepLog log_;
    RecordingOptions options_;
    std::string protobuf_version_;
    bool write_held_;
    std::unique_ptr<Recording> recording_;           ///< from the first message on
    std::vector<std::optional<InputTrack>> tracks_;  ///< by place
    std::uint32_t channels_ = 0;
    std::uint64_t frames_ = 0;
};

/// `2112`, `21.12` or `3.21.12` in the form of channel metadata.
std::string protobuf_version(const std::string& text)
{
    if (text.empty()) return text;
    const auto version =
        text.find('.') == std::string::npos ? protobuf_version_from_digits(text) : protobuf_version_of_release(text);
    if (!version)
        throw Error(Cause::usage, "protobuf_version '" + text + "' is not a version (as in 2112, 21.12 or 3.21.12)");
    return *version;
}

/// What would fail only with the first message, or after the last one.
void check_names(const RecordingOptions& options)
{
    constexpr std::size_t longest = 128;  // beside it the standard's name and a number fit into a file name
    const auto& custom = options.custom_name;
    if (custom.size() > longest || custom.find_first_of(std::string_view("/\0", 2)) != std::string::npos)
        throw Error(Cause::usage, "custom_name '" + custom.substr(0, longest) +
                                      "' is not a part of a file name (no '/', at most " + std::to_string(longest) +
                                      " bytes)");
    if (!options.name.empty() && !custom.empty())
        throw Error(Cause::usage,
                    "custom_name is a part of the standard's name, and trace_name is another name: set one of them");
    std::error_code none;
    const auto file = options.folder / options.name;
    if (!options.name.empty() && !options.write.overwrite && std::filesystem::is_regular_file(file, none))
        throw with_parameter_names(already_exists(file));
    constexpr std::array<std::string_view, 3> compressions{"none", "lz4", "zstd"};
    const auto& compression = *options.write.chunk_compression;
    if (std::ranges::find(compressions, compression) == compressions.end())
        throw Error(Cause::usage, "unknown compression '" + compression + "' (known: none, lz4, zstd)");
}

TraceWriterModel::TraceWriterModel(Ports& ports)
    : ports_(ports),
      log_(ports),
      protobuf_version_(protobuf_version(ports.text("protobuf_version"))),
      write_held_(ports.flag("write_held")),
      tracks_(ports.variables().size())
{
    options_ = {.folder = ports.text("trace_path"),
                .name = ports.text("trace_name"),
                .custom_name = ports.text("custom_name"),
                .protobuf_version = protobuf_version_,
                .extension = ports.text("file_format"),
                .write = {}};
    options_.write.chunk_compression = ports.text("compression");
    options_.write.overwrite = ports.flag("overwrite");
    options_.write.flush_frames = ports.flag("flush");
    const auto name = options_.name.empty() ? "trace." + options_.extension : options_.name;
    if (!trace_extension(name))
        throw Error(Cause::usage, "'" + name + "' is not a trace format (known: mcap, osi, osifb, txth, jsonl)");
    if (options_.folder.empty()) options_.folder = ".";
    if (!std::filesystem::is_directory(options_.folder))
        throw Error(Cause::io, {.file = options_.folder},
                    "no such folder; set 'trace_path' to the folder for the trace");
    check_names(options_);
}

TraceWriterModel::~TraceWriterModel()
{
    try {
        if (recording_) recording_->close();  // given up by the importer: what there is, is worth keeping
    } catch (const std::exception& e) {
        ports_.warn(e.what());
    }
}

void TraceWriterModel::step(Nanoseconds now, Nanoseconds)
{
    for (std::size_t place = 0; place < tracks_.size(); ++place)
        if (const auto message = ports_.message(place); !message.empty()) take(place, message, now);
}

void TraceWriterModel::take(std::size_t place, Bytes message, Nanoseconds now)
{
    log_.add(PerformanceEvent::start_deserialize, now, place, message.size());
    auto& track = track_of(place, message);
    Frame frame{.bytes = message, .channel = track.number, .index = frames_};
    frame.time = time_in_range_of(frame, track.channel);
    log_.add(PerformanceEvent::stop_deserialize, now, place, message.size());
    if (!write_held_ && frame.time && frame.time == track.time) return;
    track.time = frame.time;
    log_.add(PerformanceEvent::start_serialize, now, place, 0);
    recording_->write(frame);
    log_.add(PerformanceEvent::stop_serialize, now, place, message.size());
    ++frames_;
}

void TraceWriterModel::begin(const Channel& channel)
try {
    recording_ = std::make_unique<Recording>(options_, channel);
} catch (const Error& error) {
    throw with_parameter_names(error);
}

InputTrack& TraceWriterModel::track_of(std::size_t place, Bytes first)
{
    auto& track = tracks_[place];
    if (track) return *track;
    auto channel = input_channel(ports_.variables()[place], first);
    if (!protobuf_version_.empty())
        channel.metadata[std::string(osi_metadata::channel_protobuf_version_key)] = protobuf_version_;
    if (recording_)
        recording_->add_channel(channel);
    else
        begin(channel);
    track = InputTrack{.channel = std::move(channel), .number = channels_++, .time = {}};
    return *track;
}

void TraceWriterModel::finish()
{
    log_.close();
    if (!recording_) return ports_.warn("received no message, so no trace was written");
    const auto recording = std::move(recording_);
    recording->close();
}

Variables variables()
{
    Variables result;
    for (const auto& row : message_types())
        if (const auto name = input_name(row.type); !name.empty())
            for (int i = 1; i <= inputs_of(row.type); ++i)
                result.message(Causality::input, name + "[" + std::to_string(i) + "]", row.type);
    return result.output(std::string(valid_name), false, "an output contains a message; this FMU has no outputs")
        .parameter("trace_path", std::string(), "folder for the trace; empty: the working directory")
        .parameter("trace_name", std::string(), "name of the file; empty: the standard's, from the content")
        .parameter("custom_name", std::string(), "last part of the standard's name")
        .parameter("protobuf_version", std::string(),
                   "Protobuf version of the messages, as 2112 or 21.12; empty: 3.21.12")
        .parameter("file_format", std::string("mcap"),
                   "mcap; for a single input also osi, osifb (FlatBuffers), txth or jsonl")
        .parameter("compression", std::string("lz4"), "compression of MCAP chunks: none, lz4 or zstd")
        .parameter("write_held", false, "also write a message with the time of the previous one")
        .parameter("overwrite", false, "replace the file of trace_name")
        .parameter("flush", true, "write every message at once, so that a crash loses none; false: smaller files")
        .parameter(std::string(performance_log_name), std::string(), "file for the times of every step; empty: none");
}

}  // namespace

const FmuKind& trace_writer()
{
    static const FmuKind kind{
        .name = "OsiTraceWriter",
        .description = "Writes OSI messages of several models into one trace",
        .step_size = 0.02,
        .variables = variables(),
        .make = [](Ports& ports, Nanoseconds) { return std::make_unique<TraceWriterModel>(ports); }};
    return kind;
}

}  // namespace ositrace::fmu
