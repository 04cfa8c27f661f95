// SPDX-License-Identifier: MPL-2.0
#include "lib/play/section_reader.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>
#include <ositrace/message_check.hpp>

#include "lib/play/static_carrier.hpp"
#include "lib/trace/frame_by_time.hpp"
#include "lib/trace/nanoseconds.hpp"
#include "lib/trace/other_type.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

SectionReader::SectionReader(const PlayedSource& source, const PlayedSection& section)
    : source_(source), section_(section), position_{0, section.times.from}, log_ahead_(section.log_ahead)
{
    follow_info();
    positioned_ = source.trace != nullptr || !section.from_first_frame;
    if (source.trace && !(section.from_first_frame && section.to_last_frame)) {
        const TimeSpan time{section.from_first_frame ? std::nullopt : std::optional(section.times.from),
                            section.to_last_frame ? std::nullopt : std::optional(section.times.to)};
        const auto found = frames_in_time(*source.trace, time);
        found_ = found.value_or(found_);
        found_all_ = found.has_value();
        if (found_all_ && section.from_first_frame)
            found_.from = 0;  // frames without a time at the start are played, too
    }
    begin_round(position_);
}

std::optional<DueFrame> SectionReader::next(const std::stop_token& stop)
{
    DueFrame due;
    if (!waiting_.empty()) {
        due = std::move(waiting_.front());
        waiting_.pop_front();
        return due;
    }
    for (;;) {
        if (ended_ || !read(due.frame, stop)) {
            if (stop.stop_requested()) return std::nullopt;
            found_all_ = found_all_ || whole_round_;
            if (!next_round()) return std::nullopt;
            continue;
        }
        follow_info();
        ended_ = found_all_ && due.frame.index >= found_.to;
        if (ended_) continue;
        const auto time = time_of(due.frame);
        if (!is_played(time)) {
            if (!std::exchange(given_, false)) continue;
            due.pause = true;
            return due;
        }
        if (!is_good(due.frame)) continue;
        given_ = true;
        found_ = {std::min(found_.from, due.frame.index), std::max(found_.to, due.frame.index + 1)};
        from_.reset();
        round_is_empty_ = false;
        if (time) {
            position_.time =
                positioned_ ? std::max(position_.time, *time) : *time;  // one that goes backward is due at once
            positioned_ = true;
        }
        if (source_.carrier) source_.carrier->complete(due.frame, stop);
        due.moment = position_;
        due.placed = positioned_;
        due.time = time.value_or(positioned_ ? position_.time : Nanoseconds(0));
        return source_.carrier ? with_frames_sent_once(std::move(due)) : due;
    }
}

bool SectionReader::read(Frame& frame, const std::stop_token& stop)
{
    if (held_.empty() && !source_.stream.read(frame, stop)) return false;
    if (held_.empty() && !std::exchange(knows_clock_, true) && !source_.trace) find_clock(frame, stop);
    if (held_.empty()) return true;
    frame = std::move(held_.front());
    held_.pop_front();
    return true;
}

/// Only an OSI frame says how its clock and that of the log times differ. If a stream begins with frames of other
/// channels, they wait for it.
void SectionReader::find_clock(Frame& frame, const std::stop_token& stop)
{
    constexpr std::size_t most_bytes = std::size_t{64} << 20;
    std::size_t bytes = 0;
    follow_info();
    while (is_foreign(frame) && bytes < most_bytes) {
        bytes += frame.bytes.size() + sizeof frame;
        held_.push_back(std::exchange(frame, {}));
        if (!source_.stream.read(frame, stop)) return;
        follow_info();
    }
    if (held_.empty()) return;
    static_cast<void>(time_of(frame));
    held_.push_back(std::exchange(frame, {}));
}

bool SectionReader::is_foreign(const Frame& frame) const
{
    return info_->channels.at(frame.channel).root == nullptr && frame.log_time;
}

DueFrame SectionReader::with_frames_sent_once(DueFrame first)
{
    for (auto& frame : source_.carrier->sent_once())
        if (is_good(frame)) waiting_.push_back({std::move(frame), first.moment, first.placed, false, first.time});
    if (waiting_.empty()) return first;
    waiting_.push_back(std::move(first));
    auto carried = std::move(waiting_.front());
    waiting_.pop_front();
    return carried;
}

bool SectionReader::is_good(const Frame& frame)
try {
    const auto& channel = info_->channels.at(frame.channel);
    if (channel.root == nullptr) return true;
    if (const auto other = other_type_of(frame.bytes, channel)) throw Error(Cause::malformed, *other);
    check_structure(frame.bytes, *channel.root, channel.format);
    if (!frame.time) static_cast<void>(time_in_range_of(frame, channel));
    return true;
} catch (const Error& e) {
    const auto error = within_frame(e, frame, info_->file);
    if (!source_.skip_bad_frames) throw error;
    if (source_.on_skip) source_.on_skip({frame.index, frame.offset, frame.bytes.size(), error, 0, 1});
    return false;
}

/// The OSI time; for a frame without one, its log time if this is in the range of the OSI times.
std::optional<Nanoseconds> SectionReader::time_of(Frame& frame)
{
    if (!frame.time)
        frame.time = readable_timestamp(frame.bytes, info_->channels.at(frame.channel), {.frame = frame.index});
    if (frame.time) {
        if (frame.log_time) log_ahead_ = distance(*frame.time, *frame.log_time);
        return frame.time;
    }
    if (!frame.log_time) return std::nullopt;
    return distance(log_ahead_, *frame.log_time);
}

/// Channels, metadata and attachments are only added, never removed, by the thread that reads.
void SectionReader::follow_info()
{
    const auto& now = source_.stream.info();
    const bool same = info_ && info_->channels.size() == now.channels.size() &&
                      info_->metadata.size() == now.metadata.size() &&
                      info_->attachments.size() == now.attachments.size();
    if (!same) info_ = std::make_shared<const TraceInfo>(now);
}

bool SectionReader::next_round()
{
    // A round without a frame would be followed by another one, for ever.
    if (!source_.cursor || position_.round + 1 == section_.rounds || round_is_empty_) return false;
    begin_round({position_.round + 1, section_.times.from});
    return true;
}

/// Begins with the first frame of the trace as long as the frames of the section are unknown: bisection would skip some
/// if times go backward.
void SectionReader::begin_round(Moment start)
{
    position_ = start;
    ended_ = false;
    inside_ = true;
    whole_round_ = true;
    round_is_empty_ = true;
    from_.reset();
    if (!section_.from_first_frame) from_ = section_.times.from;
    if (source_.cursor) source_.cursor->seek_frame(found_all_ && found_.from < found_.to ? found_.from : 0);
    if (source_.carrier && from_)
        source_.carrier->begin_at(*from_);
    else if (source_.carrier)
        source_.carrier->begin_at_first_frame();
}

bool SectionReader::is_played(std::optional<Nanoseconds> time) noexcept
{
    if (from_ && (!time || *time < *from_)) return false;
    if (time)
        inside_ = (section_.from_first_frame || *time >= section_.times.from) &&
                  (section_.to_last_frame || *time < section_.times.to);
    return inside_;
}

void SectionReader::seek(Moment moment)
{
    round_is_empty_ = false;  // unknown after a seek into its middle
    whole_round_ = false;
    inside_ = true;
    position_ = moment;
    ended_ = false;
    from_ = moment.time;
    waiting_.clear();
    seek_cursor(moment.time);
    if (source_.carrier) source_.carrier->begin_at(moment.time);
}

/// To the first frame at or after `time` of any channel. Channels without OSI times follow the others.
void SectionReader::seek_cursor(Nanoseconds time)
{
    const auto& trace = *source_.trace;
    const auto channels = static_cast<std::uint32_t>(trace.info().channels.size());
    std::optional<std::uint64_t> timed;
    std::optional<std::uint64_t> any;
    for (std::uint32_t channel = 0; channel < channels; ++channel) {
        const auto before = time == Nanoseconds::min() ? std::nullopt : trace.frame_at(channel, time - Nanoseconds(1));
        const auto place = before ? *before + 1 : 0;
        if (place >= trace.frame_count(channel)) continue;
        if (channels == 1) return source_.cursor->seek_frame(place);
        const auto frame = trace.frame(channel, place);
        auto& first = frame.time ? timed : any;
        first = std::min(first.value_or(frame.index), frame.index);
    }
    ended_ = !timed && !any;
    if (!ended_) source_.cursor->seek_frame(timed ? *timed : *any);
}

}  // namespace ositrace
