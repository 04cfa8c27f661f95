// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <ositrace/timeline.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

#include "lib/play/played_section.hpp"

namespace ositrace {

/// A frame and the time of its delivery.
struct DueFrame {
    Frame frame;
    Moment moment;
    bool placed = true;  ///< false: of a live source without a frame that has a time so far; `moment` is unset
    bool pause = false;  ///< no frame: many frames outside the section may follow. What was read can be played.
    Nanoseconds time{};  ///< of the frame by the clock of `moment`; unlike that it may go backward
};

/// The frames of one time, at most one per channel; none: a pause.
struct DueStep {
    std::vector<Frame> frames;
    Moment moment;
    bool placed = true;                     ///< as of a DueFrame
    std::shared_ptr<const TraceInfo> info;  ///< of the source, as it was when the frames were read
    Nanoseconds time{};                     ///< of the first frame, as of a DueFrame

    [[nodiscard]] std::size_t bytes() const noexcept
    {
        std::size_t sum = sizeof *this;
        for (const auto& frame : frames) sum += frame.bytes.size() + sizeof frame;
        return sum;
    }
};

class StaticCarrier;

/// The source of the frames: a trace with a cursor, or a stream. All must outlive the readers.
struct PlayedSource {
    FrameSource& stream;           ///< the cursor, where there is one
    const Trace* trace = nullptr;  ///< null: a live source
    TraceReader* cursor = nullptr;
    StaticCarrier* carrier = nullptr;  ///< adds static data to the first frame of a channel; may be null
    bool skip_bad_frames = false;      ///< see PlayOptions
    std::function<void(const SkippedBytes&)> on_skip = {};
};

/// Frames of a section in the order of the source, round after round. Times may go backward: the extent of the section
/// is known after the first round. The frames that the carrier has for the start precede the first frame and have its
/// time.
class SectionReader {
public:
    SectionReader(const PlayedSource& source, const PlayedSection& section);

    std::optional<DueFrame> next(const std::stop_token& stop);
    /// To the first frame at or after the moment, of every channel; by bisection, which needs ascending times.
    void seek(Moment moment);

    /// What is known of the source after the last frame that next() gave.
    [[nodiscard]] const std::shared_ptr<const TraceInfo>& info() const noexcept { return info_; }

    /// Whether the payload (see check_structure()) and its time are readable and it is no message of another type than
    /// that of its channel, as for all returned frames.
    /// Reports a bad frame, or throws its Error if bad frames are not skipped.
    [[nodiscard]] bool is_good(const Frame& frame);

private:
    bool read(Frame& frame, const std::stop_token& stop);
    void find_clock(Frame& frame, const std::stop_token& stop);
    [[nodiscard]] bool is_foreign(const Frame& frame) const;
    void begin_round(Moment start);
    bool next_round();
    [[nodiscard]] DueFrame with_frames_sent_once(DueFrame first);
    void seek_cursor(Nanoseconds time);
    void follow_info();
    [[nodiscard]] std::optional<Nanoseconds> time_of(Frame& frame);
    [[nodiscard]] bool is_played(std::optional<Nanoseconds> time) noexcept;

    PlayedSource source_;
    PlayedSection section_;
    Moment position_;
    bool positioned_ = true;  ///< false: a live source without a frame that has a time so far
    bool ended_ = false;      ///< nothing of this round is left
    bool round_is_empty_ = true;
    bool given_ = false;               ///< a frame was returned since the last pause
    std::optional<Nanoseconds> from_;  ///< frames before the first one at or after it are skipped
    bool inside_ = true;       ///< the last frame that has a time is one of the section; one without a time follows it
    bool whole_round_ = true;  ///< no seek in it
    FrameRange found_{UINT64_MAX, 0};  ///< the frames of the section
    bool found_all_ = false;
    Nanoseconds log_ahead_;
    bool knows_clock_ = false;  ///< log_ahead_ is known, as far as it can be
    std::deque<Frame> held_;    ///< of a stream: read before that was known
    std::shared_ptr<const TraceInfo> info_;
    std::deque<DueFrame> waiting_;  ///< returned before more is read
};

}  // namespace ositrace
