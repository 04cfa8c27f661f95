// SPDX-License-Identifier: MPL-2.0
// OsiTracePlayer: the frames of a trace at the communication point, in one output per message type.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/message_check.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/stated_channel.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_name.hpp>
#include <ositrace/trace_selection.hpp>

#include "app/fmu/fmu.hpp"
#include "app/fmu/message_form.hpp"
#include "app/fmu/parameter_names.hpp"
#include "app/fmu/step_log.hpp"
#include "lib/trace/nanoseconds.hpp"
#include "lib/trace/other_type.hpp"

namespace ositrace::fmu {

namespace {

constexpr std::string_view skip_damage_name = "skip_damage";

bool is_text(const std::filesystem::path& file)
{
    const auto extension = trace_extension(file.filename().string());
    return extension && extension->container.text;
}

/// In alphabetical order. Empty files and text traces cannot be played.
std::vector<std::filesystem::path> traces_in(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const auto name = entry.path().filename().string();
        if (!entry.is_regular_file() || name.starts_with(".") || !trace_extension(name)) continue;
        if (entry.file_size() == 0 || is_text(entry.path())) continue;
        files.push_back(entry.path());
    }
    if (files.empty())
        throw Error(Cause::usage, "no trace (.osi, .osifb, .mcap) with content in the folder " + folder.string() +
                                      " of 'trace_path'");
    std::ranges::sort(files);
    return files;
}

/// The traces that `trace_path` and `trace_name` select, with the names of OSMP's trace player: a file of this name in
/// the folder, without a name all of them, of which one is played; `path` may be the file itself.
std::vector<std::filesystem::path> selected_files(const std::string& path, const std::string& name)
try {
    if (path.empty() && name.empty())
        throw Error(Cause::usage,
                    "no trace: set 'trace_path' to a trace, or to a folder, and 'trace_name' to a trace in it");
    if (!name.empty()) return {std::filesystem::path(path) / name};
    if (std::filesystem::is_directory(path)) return traces_in(path);
    return {std::filesystem::path(path)};
} catch (const std::filesystem::filesystem_error& e) {
    throw Error(Cause::io, {.file = path}, e.code().message());
}

std::optional<MessageType> message_type_of(const std::string& name)
{
    if (name.empty()) return std::nullopt;
    std::string known;
    for (const auto& row : message_types()) {
        if (row.code == name || row.name == name) return row.type;
        known += (known.empty() ? "" : ", ") + std::string(row.name);
    }
    throw Error(Cause::usage, "unknown message_type '" + name + "' (known: " + known + ")");
}

/// Throws Error where the file breaks.
std::shared_ptr<const Trace> open_whole(const std::filesystem::path& file, const OpenOptions& options)
{
    auto trace = open_trace(file, options);
    if (trace->info().channels.empty()) static_cast<void>(open_stream(file, options));  // throws the damage
    static_cast<void>(time_extent(*trace));
    return trace;
}

/// Damaged places are skipped, and a warning of each is added, or refused.
std::shared_ptr<const Trace> open_file(const std::filesystem::path& file, OpenOptions options, bool skip_damage,
                                       std::vector<std::string>& warnings)
{
    std::optional<Error> damage;
    try {
        return open_whole(file, options);
    } catch (const Error& e) {
        if (!is_damage(e) || !skip_damage) throw;
        damage = e;
    }
    const auto skipped = std::make_shared<std::vector<std::string>>();  // by this thread, until all places are known
    options.skip_bad_frames = true;
    options.on_skip = [skipped](const SkippedBytes& bytes) { skipped->emplace_back(bytes.error.what()); };
    auto trace = open_trace(file, options);
    if (trace->info().channels.empty()) throw Error(*damage);  // it hides all of them
    static_cast<void>(trace->frame_count());                   // finds the damaged places
    for (const auto& each : std::exchange(*skipped, {})) warnings.push_back(each + "; skipped");
    return trace;
}

void check_holds_osi(const Trace& trace)
{
    const auto& channels = trace.info().channels;
    const auto is_osi = [](const Channel& channel) { return channel.root != nullptr && channel.type; };
    if (channels.empty() || std::ranges::any_of(channels, is_osi)) return;
    throw Error(Cause::unsupported, {.file = trace.info().file},
                "the channel '" + channels.front().topic + "' is not played: " + why_not_osi(channels.front()));
}

/// The first of the selected files that can be played.
std::shared_ptr<const Trace> open_played(const Ports& ports)
try {
    OpenOptions options;
    options.type = message_type_of(ports.text("message_type"));
    std::optional<Error> first;
    std::vector<std::string> warnings;
    for (const auto& file : selected_files(ports.text("trace_path"), ports.text("trace_name"))) {
        auto of_file = warnings;
        try {
            auto trace = open_file(file, options, ports.flag(skip_damage_name), of_file);
            check_holds_osi(*trace);
            for (const auto& each : of_file) ports.warn(each);
            return trace;
        } catch (const Error& e) {
            warnings.push_back(std::string(e.what()) + "; the next trace in the folder is tried");
            if (!first) first = e;
        }
    }
    throw Error(*first);
} catch (const Error& e) {
    throw with_parameter_names(e);
}

/// A channel of the trace and its output.
struct Voice {
    std::uint32_t channel = 0;
    std::size_t place = 0;
    MessageForm form;
    std::uint64_t frames = 0;
    std::optional<std::uint64_t> shown;  ///< the frame in the output, or the one that was skipped instead of it
};

class TracePlayer final : public Model {
public:
    TracePlayer(Ports& ports, Nanoseconds start);
    void step(Nanoseconds now, Nanoseconds) override { show(now); }
    void finish() override { log_.close(); }

private:
    void choose_channels(Format to);
    void add_voice(std::uint32_t channel, Format to);
    void measure();
    [[nodiscard]] Nanoseconds trace_time(Nanoseconds now) const;
    void show(Nanoseconds now);
    void show(Voice& voice, std::uint64_t frame, Nanoseconds now);
    [[nodiscard]] OwnedMessage form(Voice& voice, const Frame& frame) const;

    Ports& ports_;
    StepLog log_;
    std::shared_ptr<const Trace> trace_;
    std::vector<Voice> voices_;
    bool loop_;
    bool skip_damage_;
    Nanoseconds first_{};  ///< of all frames that are played
    Nanoseconds round_{};  ///< how long a round of the loop takes: the last frame lasts as long as the mean one
    Nanoseconds lag_{};    ///< simulation time less trace time
};

TracePlayer::TracePlayer(Ports& ports, Nanoseconds start)
    : ports_(ports),
      log_(ports),
      trace_(open_played(ports)),
      loop_(ports.flag("loop")),
      skip_damage_(ports.flag(skip_damage_name))
{
    choose_channels({output_encoding(ports)});
    measure();
    lag_ = distance(nanoseconds(ports.number("offset"), "offset"),
                    ports.flag("osi_time") ? Nanoseconds(0) : distance(first_, start));
    show(start);
}

void TracePlayer::choose_channels(Format to)
{
    const auto& channels = trace_->info().channels;
    const TopicPattern topic(ports_.text("topic"));
    for (std::uint32_t i = 0; i < channels.size(); ++i)
        if (channels[i].root && channels[i].type && topic.matches(channels[i].topic)) add_voice(i, to);
    if (!voices_.empty()) return;
    std::string topics;
    for (const auto& channel : channels) topics += (topics.empty() ? "" : ", ") + channel.topic;
    throw Error(Cause::usage, {.file = trace_->info().file},
                "no frame on a topic that matches '" + topic.text() + "'; the trace has: " + topics);
}

void TracePlayer::add_voice(std::uint32_t i, Format to)
{
    const auto& channel = trace_->info().channels[i];
    const auto name = output_name(*channel.type);
    if (name.empty()) {
        ports_.warn("'" + channel.topic + "' is not played: no output for " + std::string(row_of(*channel.type).name));
        return;
    }
    const auto place = ports_.variables().place_of(name);
    const auto same =
        std::find_if(voices_.begin(), voices_.end(), [place](const Voice& voice) { return voice.place == place; });
    if (same != voices_.end()) {
        ports_.warn("'" + channel.topic + "' is not played: '" + trace_->info().channels[same->channel].topic +
                    "' already uses " + name + ". Select one with the parameter 'topic'.");
        return;
    }
    if (const auto frames = trace_->frame_count(i); frames > 0)
        voices_.push_back(
            {.channel = i, .place = place, .form = MessageForm(channel, to), .frames = frames, .shown = {}});
}

void TracePlayer::measure()
{
    std::optional<Nanoseconds> first, last;
    std::uint64_t frames = 0;
    for (const auto& voice : voices_) {
        const auto begin = trace_->frame(voice.channel, 0).time;
        const auto end = trace_->frame(voice.channel, voice.frames - 1).time;
        if (!begin || !end)
            throw Error(Cause::unsupported, {.file = trace_->info().file},
                        "'" + trace_->info().channels[voice.channel].topic + "' has frames without a time");
        first = first ? std::min(*first, *begin) : *begin;
        last = last ? std::max(*last, *end) : *end;
        frames = std::max(frames, voice.frames);
    }
    first_ = *first;
    const auto length = std::max(distance(*first, *last), Nanoseconds(0));
    const auto step = frames > 1 ? length / static_cast<Nanoseconds::rep>(frames - 1) : Nanoseconds(0);
    round_ = distance(-step, length);
}

Nanoseconds TracePlayer::trace_time(Nanoseconds now) const
{
    const auto time = distance(lag_, now);
    if (!loop_ || round_ <= Nanoseconds(0) || time < first_) return time;
    return first_ + distance(first_, time) % round_;
}

void TracePlayer::show(Nanoseconds now)
{
    const auto time = trace_time(now);
    for (auto& voice : voices_) {
        const auto frame = trace_->frame_at(voice.channel, time);
        if (frame == voice.shown) continue;  // held
        if (frame)
            show(voice, *frame, now);
        else
            ports_.put(voice.place, {}, nullptr);
        voice.shown = frame;
    }
}

OwnedMessage TracePlayer::form(Voice& voice, const Frame& frame) const
try {
    const auto& channel = trace_->info().channels[voice.channel];
    if (const auto other = other_type_of(frame.bytes, channel)) throw Error(Cause::malformed, *other);
    check_structure(frame.bytes, *channel.root, channel.format);
    return voice.form.of(frame);
} catch (const Error& e) {
    throw e.within({.file = trace_->info().file, .frame = frame.index});
}

/// A damaged frame: the one before it is held.
void TracePlayer::show(Voice& voice, std::uint64_t i, Nanoseconds now)
try {
    log_.add(PerformanceEvent::start_source_calculation, now, voice.place, 0);
    const auto frame = trace_->frame(voice.channel, i);
    log_.add(PerformanceEvent::start_serialize, now, voice.place, 0);
    auto message = form(voice, frame);
    log_.add(PerformanceEvent::stop_serialize, now, voice.place, message.bytes.size());
    ports_.put(voice.place, message.bytes, std::move(message.owner));
} catch (const Error& e) {
    if (!skip_damage_ || !is_damage(e)) throw;
    ports_.warn(std::string(e.what()) + "; skipped");
}

Variables variables(Encoding encoding)
{
    Variables result;
    for (const auto& row : message_types())
        if (const auto name = output_name(row.type); !name.empty()) result.message(Causality::output, name, row.type);
    return result.output(std::string(valid_name), false, "an output contains a message")
        .parameter("trace_path", std::string(), "folder with traces, or a trace")
        .parameter("trace_name", std::string(), "trace in this folder; empty: the first by name that can be played")
        .parameter("topic", std::string(), "regular expression for the topics to play; empty: all")
        .parameter("message_type", std::string(),
                   "type of the messages where the content could be of several, as sv or SensorView; empty: by content")
        .parameter(std::string(skip_damage_name), true,
                   "true: damaged frames are skipped with a warning; false: they end the simulation")
        .parameter("offset", 0.0, "seconds by which the trace is ahead; negative: it begins later")
        .parameter("osi_time", false, "true: simulation time is OSI time; false: the trace begins with the simulation")
        .parameter("loop", false, "true: begin again after the last frame; false: hold it")
        .parameter(std::string(encoding_name), std::string(row_of(encoding).name),
                   "encoding of the outputs: protobuf or flatbuffers")
        .parameter(std::string(performance_log_name), std::string(), "file for the times of every step; empty: none");
}

FmuKind kind(std::string_view name, Encoding encoding)
{
    return {.name = name,
            .description = "Plays a recorded OSI trace: at every communication point the frame at or before it",
            .encoding = encoding,
            .step_size = 0.02,
            .variables = variables(encoding),
            .make = [](Ports& ports, Nanoseconds start) { return std::make_unique<TracePlayer>(ports, start); }};
}

}  // namespace

const FmuKind& trace_player()
{
    static const FmuKind row = kind("OsiTracePlayer", Encoding::protobuf);
    return row;
}

const FmuKind& trace_player_flatbuffers()
{
    static const FmuKind row = kind("OsiTracePlayerFlatBuffers", Encoding::flatbuffers);
    return row;
}

}  // namespace ositrace::fmu
