// SPDX-License-Identifier: MPL-2.0
#include <ositrace/frame_error.hpp>
#include <ositrace/trace_summary.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <system_error>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/trace/ground_truths.hpp"
#include "lib/trace/other_type.hpp"
#include "lib/trace/payload_header.hpp"
#include "lib/trace/time_steps.hpp"

namespace ositrace {

namespace {

constexpr std::array<std::string_view, 5> pattern_names{"none", "first frame only", "some frames", "every frame",
                                                        "at least in the first frame"};

/// A damaged file is summarised up to its damage; an unreadable one is not.
bool ends_summary(const Error& error) { return is_damage(error) || error.cause() == Cause::unsupported; }

/// Of the times of all frames.
void set_times(ChannelSummary& channel, TimeStepCounter& times)
{
    times.finish();
    channel.steps = times.steps();
    channel.step = times.step();
    channel.times_go_back = channel.steps->backward != 0;
    const auto& bounds = times.bounds();
    channel.start = bounds ? std::optional(bounds->first) : std::nullopt;
    channel.end = bounds ? std::optional(bounds->last) : std::nullopt;
    channel.rate_hz = channel.times_go_back ? std::nullopt : rate_of(times.timed(), bounds);
}

/// Of the times of a few frames, the first and the last among them.
void set_sampled_times(ChannelSummary& channel, const TimeStepCounter& times)
{
    channel.times_go_back = times.steps().backward != 0;
    const auto& bounds = times.bounds();
    if (!bounds || channel.times_go_back) return;  // the earliest and the latest may be anywhere
    channel.start = bounds->first;
    channel.end = bounds->last;
    // Without the time of one of the ends the others span an unknown part of the frames.
    if (times.steps().frames_without_time == 0) channel.rate_hz = rate_of(channel.frames, bounds);
    if (channel.rate_hz)
        channel.step = distance(bounds->first, bounds->last) / static_cast<std::int64_t>(channel.frames - 1);
}

/// What the vectors of moving objects say of a writer.
struct ZeroUse {
    bool omitted = false;  ///< a component is not set
    bool stated = false;   ///< a component is an explicit 0

    void add(const MessageView& ground_truth);
};

void ZeroUse::add(const MessageView& ground_truth)
try {
    const auto* const objects = ground_truth.table().find("moving_object");
    if (objects == nullptr || stated) return;
    ground_truth.for_each_element(*objects, [&](const Value& object) {
        const auto base = std::get<MessageView>(object)["base"];
        const auto* const parts = std::get_if<MessageView>(&base);
        for (const auto* const name : {"position", "orientation", "velocity", "acceleration"}) {
            const auto part = parts != nullptr ? (*parts)[name] : Value();
            const auto* const vector = std::get_if<MessageView>(&part);
            if (vector == nullptr) continue;
            for (const auto& field : vector->table().fields) {
                const auto component = as_real(vector->get(field));
                omitted = omitted || !component;
                stated = stated || component == 0.0;
            }
        }
        return !stated;
    });
} catch (const Error&) {
    // whoever reads the objects reports it
}

/// Summarises the payloads of one channel.
class FrameObserver {
public:
    FrameObserver(ChannelSummary& summary, const std::filesystem::path& file)
        : summary_(summary), file_(file), sizes_unknown_(summary.frames != 0 && summary.sizes == FrameSizes{})
    {
    }

    /// `number`: in the channel. In ascending order.
    void add(const Frame& frame, std::uint64_t number);
    void finish();
    /// The first and the last frame that has a time.
    [[nodiscard]] const std::optional<std::pair<std::uint64_t, std::uint64_t>>& timed() const noexcept
    {
        return timed_;
    }

private:
    bool is_of_other_type(const Frame& frame);
    void read_payload(const Frame& frame, std::uint64_t number);
    void note_size(std::uint64_t bytes);
    [[nodiscard]] StaticPattern pattern() const;

    ChannelSummary& summary_;
    const std::filesystem::path& file_;
    TimeStepCounter steps_;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> timed_;
    std::set<OsiVersion> versions_;
    bool sizes_unknown_;  // the index has no sizes
    std::uint64_t read_frames_ = 0;
    std::uint64_t with_static_data_ = 0;
    bool first_has_static_data_ = false;
    ZeroUse zeros_;
};

void FrameObserver::add(const Frame& frame, std::uint64_t number)
{
    ++read_frames_;
    if (sizes_unknown_) note_size(frame.bytes.size());
    try {
        read_payload(frame, number);
    } catch (const Error& e) {
        ++summary_.unreadable_frames;
        if (!summary_.first_unreadable) summary_.first_unreadable = within_frame(e, frame, file_).what();
    }
}

void FrameObserver::read_payload(const Frame& frame, std::uint64_t number)
{
    if (is_of_other_type(frame)) return;  // its fields mean something else
    const auto& channel = summary_.channel;
    const auto time = message_time_of(frame, channel);
    steps_.add(number, time ? std::optional(time->time) : frame.log_time);
    if (time || frame.log_time) timed_ = {timed_ ? timed_->first : number, number};
    if (summary_.time_field.empty() && !summary_.log_times) {
        if (time) summary_.time_field = time->path;
        summary_.log_times = !time && frame.log_time;
    }
    if (!channel.root) return;
    const MessageView message(frame.bytes, *channel.root, channel.format);
    if (const auto version = osi_version_of(frame.bytes, channel)) versions_.insert(*version);
    bool has_static = false;
    for_each_ground_truth(message, [&](const MessageView& ground_truth) {
        if (const auto version = osi_version_of(ground_truth)) versions_.insert(*version);
        has_static = has_static || has_static_data(ground_truth);
        zeros_.add(ground_truth);
    });
    with_static_data_ += has_static ? 1 : 0;
    if (number == 0) first_has_static_data_ = has_static;
}

bool FrameObserver::is_of_other_type(const Frame& frame)
{
    const auto other = other_type_of(frame.bytes, summary_.channel);
    if (!other) return false;
    if (summary_.other_type_frames++ == 0)
        summary_.first_other_type = to_string(Location{file_, frame.index, frame.offset, {}}) + ": " + *other;
    return true;
}

void FrameObserver::note_size(std::uint64_t bytes)
{
    auto& sizes = summary_.sizes;
    sizes.smallest = read_frames_ == 1 ? bytes : std::min(sizes.smallest, bytes);
    sizes.largest = std::max(sizes.largest, bytes);
    sizes.total += bytes;
}

void FrameObserver::finish()
{
    summary_.sizes_sampled = sizes_unknown_ && read_frames_ < summary_.frames;
    summary_.osi_versions.assign(versions_.begin(), versions_.end());
    summary_.static_data = pattern();
    summary_.omits_zeros = zeros_.omitted && !zeros_.stated;
    summary_.sampled ? set_sampled_times(summary_, steps_) : set_times(summary_, steps_);
}

StaticPattern FrameObserver::pattern() const
{
    if (with_static_data_ == 0) return StaticPattern::none;
    if (with_static_data_ == read_frames_) return StaticPattern::every_frame;
    if (with_static_data_ != 1 || !first_has_static_data_) return StaticPattern::some_frames;
    return summary_.sampled ? StaticPattern::at_least_first_frame : StaticPattern::first_frame;
}

class Summarizer {
public:
    Summarizer(const Trace& trace, const SummaryOptions& options, std::stop_token stop)
        : trace_(trace), options_(options), stop_(std::move(stop))
    {
    }

    TraceSummary run();

private:
    void count(ChannelSummary& channel, std::uint32_t index);
    void sample_all();
    void follow_times(ChannelSummary& channel, std::uint32_t index);
    void follow_ends(ChannelSummary& channel, std::uint32_t index, std::pair<std::uint64_t, std::uint64_t> timed);
    [[nodiscard]] std::optional<Nanoseconds> time_of(ChannelSummary& channel, std::uint32_t index,
                                                     std::uint64_t number) const;
    void read_all();
    void note_damage(const Error& error);
    void report_progress();

    const Trace& trace_;
    const SummaryOptions& options_;
    std::stop_token stop_;
    TraceSummary summary_;
    std::uint64_t frames_ = 0;  // of all channels
    std::uint64_t read_ = 0;
};

TraceSummary Summarizer::run()
{
    summary_.info = trace_.info();
    std::error_code none;
    const auto bytes = std::filesystem::file_size(summary_.info.file, none);
    if (!none) summary_.file_bytes = bytes;
    summary_.record_bytes = trace_.record_bytes();
    summary_.channels.reserve(summary_.info.channels.size());
    for (const auto& channel : summary_.info.channels) {
        summary_.channels.push_back({.channel = channel});
        count(summary_.channels.back(), static_cast<std::uint32_t>(summary_.channels.size() - 1));
        frames_ += summary_.channels.back().frames;
    }
    if (options_.full || summary_.channels.empty()) {  // no channel would report the damage that hides all of them
        read_all();
    } else {
        sample_all();
        for (std::uint32_t i = 0; options_.times && i < summary_.channels.size(); ++i)
            follow_times(summary_.channels[i], i);
    }
    return std::move(summary_);
}

void Summarizer::count(ChannelSummary& channel, std::uint32_t index)
{
    try {
        channel.frames = trace_.frame_count(index);
    } catch (const Error& e) {
        note_damage(e);
        channel.frames = e.where().frame.value_or(0);
    }
    channel.sizes = trace_.frame_sizes(index);
}

/// The first, the middle and the last frame of each channel: those of all channels together, as they are close to each
/// other in the file.
void Summarizer::sample_all()
{
    std::vector<FrameObserver> observers;
    std::vector<std::vector<std::uint64_t>> chosen;
    observers.reserve(summary_.channels.size());
    chosen.reserve(summary_.channels.size());
    for (auto& channel : summary_.channels) {
        const std::set<std::uint64_t> numbers{0, channel.frames / 2,
                                              channel.frames - std::min<std::uint64_t>(channel.frames, 1)};
        chosen.emplace_back(numbers.begin(), channel.frames == 0 ? numbers.begin() : numbers.end());
        channel.sampled = chosen.back().size() < channel.frames;
        observers.emplace_back(channel, summary_.info.file);
    }
    for (std::size_t pass = 0; pass != 3; ++pass)
        for (std::uint32_t index = 0; index != observers.size(); ++index) {
            if (pass >= chosen[index].size()) continue;
            if (stop_.stop_requested()) throw Error(Cause::cancelled, {.file = summary_.info.file}, "cancelled");
            const auto number = chosen[index][pass];
            try {
                observers[index].add(trace_.frame(index, number), number);
            } catch (const Error& e) {
                note_damage(e);  // other frames may be intact
            }
        }
    for (std::size_t index = 0; index != observers.size(); ++index)
        if (summary_.channels[index].frames != 0) {
            observers[index].finish();
            if (const auto& timed = observers[index].timed())
                follow_ends(summary_.channels[index], static_cast<std::uint32_t>(index), *timed);
        }
}

/// Where the first or the last frame, which were looked at, have no time, those beside them have the time of that end.
void Summarizer::follow_ends(ChannelSummary& channel, std::uint32_t index,
                             std::pair<std::uint64_t, std::uint64_t> timed)
{
    if (!channel.start || channel.frames < 2) return;
    TimeStepCounter steps;
    /// Is this the frame that was looked for, or one that cannot be read?
    const auto add = [&](std::uint64_t number) {
        try {
            const auto time = channel.channel.root ? trace_.frame_time(index, number) : trace_.log_time(index, number);
            if (time) steps.add(number, time);
            return time.has_value();
        } catch (const Error& e) {
            if (!ends_summary(e)) throw;
            return true;
        }
    };
    for (std::uint64_t number = 1; number < timed.first && !add(number); ++number) {
    }
    steps.add(timed.first, channel.start);
    steps.add(timed.second, channel.end);
    for (auto number = channel.frames - 2; number > timed.second && !add(number); --number) {
    }
    channel.times_go_back = steps.steps().backward != 0;
    channel.start = channel.times_go_back ? std::nullopt : std::optional(steps.bounds()->first);
    channel.end = channel.times_go_back ? std::nullopt : std::optional(steps.bounds()->last);
}

/// Counts a frame that cannot be read, and that has no time.
std::optional<Nanoseconds> Summarizer::time_of(ChannelSummary& channel, std::uint32_t index, std::uint64_t number) const
try {
    return channel.channel.root ? trace_.frame_time(index, number) : trace_.log_time(index, number);
} catch (const Error& e) {
    if (!ends_summary(e)) throw;
    if (channel.unreadable_frames++ == 0) channel.first_unreadable = e.what();
    return std::nullopt;
}

void Summarizer::follow_times(ChannelSummary& channel, std::uint32_t index)
{
    TimeStepCounter steps;
    for (std::uint64_t number = 0; number != channel.frames; ++number) {
        if (stop_.stop_requested()) throw Error(Cause::cancelled, {.file = summary_.info.file}, "cancelled");
        steps.add(number, time_of(channel, index, number));
        report_progress();
    }
    set_times(channel, steps);
}

void Summarizer::read_all()
{
    std::vector<FrameObserver> observers;
    observers.reserve(summary_.channels.size());
    for (auto& channel : summary_.channels) {
        channel.sampled = false;
        observers.emplace_back(channel, summary_.info.file);
    }
    std::vector<std::uint64_t> numbers(observers.size());
    try {
        const auto reader = trace_.reader();
        for (Frame frame; !stop_.stop_requested() && reader->read(frame, stop_);) {
            observers.at(frame.channel).add(frame, numbers.at(frame.channel)++);
            report_progress();
        }
    } catch (const Error& e) {
        note_damage(e);
    }
    if (stop_.stop_requested()) throw Error(Cause::cancelled, {.file = summary_.info.file}, "cancelled");
    for (auto& observer : observers) observer.finish();
}

void Summarizer::note_damage(const Error& error)
{
    if (!ends_summary(error)) throw error;
    if (!summary_.damage) summary_.damage = error.what();
}

void Summarizer::report_progress()
{
    ++read_;
    if (options_.on_progress) options_.on_progress(read_, frames_);
}

}  // namespace

std::string_view name_of(StaticPattern pattern) noexcept { return pattern_names[static_cast<std::size_t>(pattern)]; }

TraceSummary summarize(const Trace& trace, const SummaryOptions& options, std::stop_token stop)
{
    return Summarizer(trace, options, std::move(stop)).run();
}

}  // namespace ositrace
