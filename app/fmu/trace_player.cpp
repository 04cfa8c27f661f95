// SPDX-License-Identifier: MPL-2.0
// OsiTracePlayer: what a trace holds at the communication point, in one output per message type.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

#include "app/fmu/fmi_time.hpp"
#include "app/fmu/fmu.hpp"
#include "app/fmu/message_form.hpp"
#include "app/fmu/names.hpp"
#include "app/fmu/step_log.hpp"
#include "app/fmu/trace_file.hpp"
#include "lib/trace/time_distance.hpp"

namespace ositrace::fmu {

namespace {

/// A channel of the trace and the output it plays into.
struct Voice {
    std::uint32_t channel = 0;
    std::size_t place = 0;
    MessageForm form;
    std::uint64_t frames = 0;
    std::optional<std::uint64_t> shown;  ///< the frame in the output
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
    [[nodiscard]] Message form(Voice& voice, const Frame& frame) const;

    Ports& ports_;
    StepLog log_;
    std::shared_ptr<const Trace> trace_;
    std::vector<Voice> voices_;
    bool loop_;
    Nanoseconds first_{};  ///< of all frames that are played
    Nanoseconds round_{};  ///< how long a round of the loop takes: the last frame lasts as long as the mean one
    Nanoseconds lag_{};    ///< simulation time less trace time
};

TracePlayer::TracePlayer(Ports& ports, Nanoseconds start)
    : ports_(ports),
      log_(ports),
      trace_(open_trace(trace_file(ports.text("trace_path"), ports.text("trace_name")))),
      loop_(ports.flag("loop"))
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
                "no frame to play on a topic that matches '" + topic.text() + "'; it has: " + topics);
}

void TracePlayer::add_voice(std::uint32_t i, Format to)
{
    const auto& channel = trace_->info().channels[i];
    const auto name = output_name(*channel.type);
    if (name.empty()) {
        ports_.warn("'" + channel.topic + "' is not played: no output takes a " +
                    std::string(row_of(*channel.type).name));
        return;
    }
    const auto place = ports_.variables().place_of(name);
    const auto same =
        std::find_if(voices_.begin(), voices_.end(), [place](const Voice& voice) { return voice.place == place; });
    if (same != voices_.end()) {
        ports_.warn("'" + channel.topic + "' is not played: '" + trace_->info().channels[same->channel].topic +
                    "' is in " + name + " already. The parameter 'topic' chooses.");
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
                        "'" + trace_->info().channels[voice.channel].topic +
                            "' has frames without a time, so nobody knows when they are due");
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

Message TracePlayer::form(Voice& voice, const Frame& frame) const
try {
    return voice.form.of(frame);
} catch (const Error& e) {
    throw e.within({.file = trace_->info().file, .frame = frame.index});
}

void TracePlayer::show(Voice& voice, std::uint64_t i, Nanoseconds now)
{
    log_.add(PerformanceEvent::start_source_calculation, now, voice.place, 0);
    const auto frame = trace_->frame(voice.channel, i);
    log_.add(PerformanceEvent::start_serialize, now, voice.place, 0);
    auto message = form(voice, frame);
    log_.add(PerformanceEvent::stop_serialize, now, voice.place, message.bytes.size());
    ports_.put(voice.place, message.bytes, std::move(message.owner));
}

Variables variables(Encoding encoding)
{
    Variables result;
    for (const auto& row : message_types())
        if (const auto name = output_name(row.type); !name.empty()) result.message(Causality::output, name, row.type);
    return result.output(std::string(valid_name), false, "an output holds a message")
        .parameter("trace_path", std::string(), "a folder with traces, or a trace")
        .parameter("trace_name", std::string(), "a trace in this folder; empty: the first by name")
        .parameter("topic", std::string(), "a regular expression: the topics that are played; empty: all")
        .parameter("offset", 0.0, "seconds that the trace is ahead; less than 0: it begins later")
        .parameter("osi_time", false, "true: simulation time is OSI time; false: the trace begins with the simulation")
        .parameter("loop", false, "begin again behind the last frame; false: hold it")
        .parameter(std::string(encoding_name), std::string(row_of(encoding).name),
                   "of what goes out: protobuf or flatbuffers")
        .parameter(std::string(performance_log_name), std::string(), "a file for the times of every step; empty: none");
}

Kind kind(std::string_view name, Encoding encoding)
{
    return {.name = name,
            .description = "Plays a recorded OSI trace: at every communication point the frame at or before it",
            .encoding = encoding,
            .step_size = 0.02,
            .variables = variables(encoding),
            .make = [](Ports& ports, Nanoseconds start) { return std::make_unique<TracePlayer>(ports, start); }};
}

}  // namespace

const Kind& trace_player()
{
    static const Kind row = kind("OsiTracePlayer", Encoding::protobuf);
    return row;
}

const Kind& trace_player_flatbuffers()
{
    static const Kind row = kind("OsiTracePlayerFlatBuffers", Encoding::flatbuffers);
    return row;
}

}  // namespace ositrace::fmu
