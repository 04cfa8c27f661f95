// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

#include "lib/play/due_step.hpp"
#include "lib/play/played_section.hpp"

namespace ositrace {

class StaticCarrier;

/// Where the frames come from: a trace with a cursor on it, or a stream alone. All must outlive the readers.
struct PlayedSource {
    FrameSource& stream;           ///< the cursor, where there is one
    const Trace* trace = nullptr;  ///< null: a live source
    TraceReader* cursor = nullptr;
    StaticCarrier* carrier =
        nullptr;  ///< puts a map that was sent once into the first frame of a channel that is played; may be null
    bool skip_bad_frames = false;  ///< see PlayOptions
    std::function<void(const SkippedBytes&)> on_skip = {};
};

/// Frames of a section in the order of the source, round after round. Times may go backward: what lies in the section
/// is known when all has been read once. What the carrier has for the start comes in front of the first frame, with its
/// moment.
class SectionReader {
public:
    SectionReader(const PlayedSource& source, const PlayedSection& section);

    std::optional<DueFrame> next(const std::stop_token& stop);
    /// To the first frame at or behind the moment, of every channel; found by bisection, which wants times that go
    /// forward.
    void seek(Moment moment);

    /// What is known of the source after the last frame that next() gave.
    [[nodiscard]] const std::shared_ptr<const TraceInfo>& info() const noexcept { return info_; }

    /// Can the payload be read (see check_structure()), and its time? Every frame that is given can. Reports a bad one,
    /// or throws its Error where bad frames are not skipped.
    [[nodiscard]] bool is_good(const Frame& frame);

private:
    void begin_round(Moment start);
    bool next_round();
    [[nodiscard]] DueFrame behind_what_was_sent_once(DueFrame first);
    void seek_cursor(Nanoseconds time);
    void follow_info();
    [[nodiscard]] std::optional<Nanoseconds> time_of(Frame& frame);
    [[nodiscard]] bool is_played(std::optional<Nanoseconds> time) noexcept;

    PlayedSource source_;
    PlayedSection section_;
    Moment position_;
    bool positioned_ = true;  ///< false: a live source of which no frame with a time has come
    bool ended_ = false;      ///< nothing of this round is left
    bool round_is_empty_ = true;
    bool given_ = false;               ///< a frame has been given since the last pause
    std::optional<Nanoseconds> from_;  ///< frames before the first one at or behind it are passed over
    bool inside_ = true;       ///< the last frame that has a time is one of the section; one without a time follows it
    bool whole_round_ = true;  ///< not sought in
    FrameRange found_{UINT64_MAX, 0};  ///< the frames of the section
    bool found_all_ = false;
    Nanoseconds log_ahead_;
    std::shared_ptr<const TraceInfo> info_;
    std::deque<DueFrame> waiting_;  ///< to be given before anything is read
};

}  // namespace ositrace
