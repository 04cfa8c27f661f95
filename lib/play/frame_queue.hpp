// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>

#include <ositrace/timeline.hpp>
#include <ositrace/trace.hpp>

#include "lib/io/read_ahead.hpp"

namespace ositrace {

/// A frame with the moment it is to be delivered at.
struct DueFrame {
    Frame frame;
    Moment moment;
};

/// What is played of a trace.
struct PlayedSection {
    TimeSection times;
    bool from_first_frame = true;  ///< also those frames that have no time or an earlier one
    std::uint64_t rounds = 1;      ///< 0 = for ever
};

/// Frames of a section in the order of the source, round after round. A round ends with the first frame at or behind its end.
class SectionReader {
public:
    /// `cursor`: the source where it can be sought in, else null. Both must outlive this.
    SectionReader(FrameSource& source, TraceReader* cursor, const PlayedSection& section);

    std::optional<DueFrame> next(const std::stop_token& stop);
    /// To the first frame at or behind the moment.
    void seek(Moment moment);

private:
    bool next_round();
    [[nodiscard]] bool is_before_start(std::optional<Nanoseconds> time) const noexcept { return from_ && (!time || *time < *from_); }

    FrameSource& source_;
    TraceReader* cursor_;
    PlayedSection section_;
    Moment position_;
    std::optional<Nanoseconds> from_;  ///< frames before it are passed over
};

/// At every multiple of a step the last frame at or before it, of every channel.
class HoldReader {
public:
    /// `start`: the first tick; empty: the time of the first frame.
    HoldReader(SectionReader& reader, std::optional<Nanoseconds> start, Nanoseconds step) : reader_(reader), start_(start), step_(step) {}

    std::optional<DueFrame> next(const std::stop_token& stop);
    void seek(Moment moment);

private:
    bool gather(const std::stop_token& stop);
    bool read_ahead(const std::stop_token& stop);

    SectionReader& reader_;
    std::optional<Nanoseconds> start_;
    Nanoseconds step_;
    std::uint64_t round_ = 0;
    std::uint64_t tick_ = 0;                ///< of the round; the next one to be gathered
    std::optional<DueFrame> ahead_;         ///< read, and not yet due at the last tick
    std::map<std::uint32_t, Frame> held_;   ///< by channel
    std::deque<DueFrame> gathered_;
};

/// Due frames, read ahead on a thread of their own.
class FrameQueue {
public:
    FrameQueue(SectionReader& reader, HoldReader* hold, std::size_t prefetched_bytes);

    /// The next frame; nullopt at the end, or when a stop was requested.
    std::optional<DueFrame> take(const std::stop_token& stop);
    /// The one behind it, if it is there already.
    [[nodiscard]] const DueFrame* look_ahead();
    void seek(Moment moment);

private:
    void begin();

    SectionReader& reader_;
    HoldReader* hold_;
    std::size_t prefetched_bytes_;
    std::optional<DueFrame> next_;
    std::optional<ReadAhead<DueFrame>> ahead_;
};

}  // namespace ositrace
