// SPDX-License-Identifier: MPL-2.0
// OsiTraceWriter: what stands in its inputs at the end of every step, in one trace.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_name.hpp>

#include "app/fmu/fmu.hpp"
#include "app/fmu/input_channel.hpp"
#include "app/fmu/names.hpp"
#include "app/fmu/recording.hpp"
#include "app/fmu/step_log.hpp"

namespace ositrace::fmu {

namespace {

/// As many as a vehicle has sensors, of what sensors give; few importers take hundreds of variables.
constexpr int inputs_of(MessageType type)
{
    const bool many =
        type == MessageType::sensor_view || type == MessageType::sensor_data || type == MessageType::traffic_update;
    return many ? 8 : 4;
}

/// An input that brought a message.
struct Track {
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
    Track& track_of(std::size_t place, Bytes first);
    void begin(const Channel& channel);

    Ports& ports_;
    StepLog log_;
    RecordingOptions options_;
    std::string protobuf_version_;
    bool write_held_;
    std::unique_ptr<Recording> recording_;      ///< from the first message on
    std::vector<std::optional<Track>> tracks_;  ///< by place
    std::uint32_t channels_ = 0;
    std::uint64_t frames_ = 0;
};

/// `2112`, `21.12` or `3.21.12` as channels state it. What has dots is not guessed.
std::string protobuf_version(const std::string& text)
{
    if (text.empty()) return text;
    const auto version =
        text.find('.') == std::string::npos ? protobuf_version_from_digits(text) : protobuf_version_of_release(text);
    if (!version)
        throw Error(Cause::usage, "protobuf_version '" + text + "' is none; write '2112', '21.12' or '3.21.12'");
    return *version;
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
        throw Error(Cause::usage, "'" + name + "' is no name of a trace (known: mcap, osi, osifb, txth, jsonl)");
    if (options_.folder.empty()) options_.folder = ".";
    if (!std::filesystem::is_directory(options_.folder))
        throw Error(Cause::io, {.file = options_.folder},
                    "no such folder; 'trace_path' names the one that the trace is written to");
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
    frame.time = timestamp_of(message, track.channel);
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
    constexpr std::string_view option = "--overwrite";  // of a command line
    auto reason = error.reason();
    const auto place = reason.find(option);
    if (place == std::string::npos) throw;
    throw Error(error.cause(), error.where(), reason.replace(place, option.size(), "the parameter 'overwrite'"));
}

Track& TraceWriterModel::track_of(std::size_t place, Bytes first)
{
    auto& track = tracks_[place];
    if (track) return *track;
    auto channel = input_channel(ports_.variables()[place], first);
    if (!protobuf_version_.empty()) channel.metadata["net.asam.osi.trace.channel.protobuf_version"] = protobuf_version_;
    if (recording_)
        recording_->add_channel(channel);
    else
        begin(channel);
    track = Track{.channel = std::move(channel), .number = channels_++, .time = {}};
    return *track;
}

void TraceWriterModel::finish()
{
    log_.close();
    if (!recording_) return ports_.warn("no message came, so no trace was written");
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
    return result.output(std::string(valid_name), false, "an output holds a message; this FMU has none")
        .parameter("trace_path", std::string(), "the folder that the trace is written to; empty: the working directory")
        .parameter("trace_name", std::string(), "the name of the file; empty: the standard's, from the content")
        .parameter("custom_name", std::string(), "the last part of the standard's name")
        .parameter("protobuf_version", std::string(),
                   "that the messages are serialized with, as 2112 or 21.12; empty: 3.21.12, whose wire form is ours")
        .parameter("file_format", std::string("mcap"), "mcap; of one input: osi, osifb (FlatBuffers), txth or jsonl")
        .parameter("compression", std::string("lz4"), "of the chunks of an mcap: none, lz4 or zstd")
        .parameter("write_held", false, "also write a message whose time is that of the one before it in its input")
        .parameter("overwrite", false, "replace the file that trace_name names")
        .parameter("flush", true,
                   "hand every message to the system at once, so that a crash loses none; false: smaller files")
        .parameter(std::string(performance_log_name), std::string(), "a file for the times of every step; empty: none");
}

}  // namespace

const Kind& trace_writer()
{
    static const Kind kind{.name = "OsiTraceWriter",
                           .description = "Writes OSI messages of several models into one trace",
                           .step_size = 0.02,
                           .variables = variables(),
                           .make = [](Ports& ports, Nanoseconds) { return std::make_unique<TraceWriterModel>(ports); }};
    return kind;
}

}  // namespace ositrace::fmu
