// SPDX-License-Identifier: MPL-2.0
// Replays a recorded trace: passes its frames to sinks when they are due.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include <ositrace/clock.hpp>
#include <ositrace/edit/static.hpp>
#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/frame_sink.hpp>
#include <ositrace/timeline.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// Nanoseconds from a frame's deadline to its delivery.
struct Lateness {
    Nanoseconds mean{}, p50{}, p99{}, max{};
};

struct PlayReport {
    std::uint64_t frames = 0;  ///< delivered
    std::uint64_t late = 0;    ///< of these, more than PlayOptions::late_after after their deadline
    std::uint64_t lost = 0;    ///< dropped because the next frame of their channel was due already
    std::uint64_t steps = 0;   ///< times at which frames were delivered
    Lateness lateness;         ///< of the frames delivered at a rate; all zero at `max`
    Nanoseconds played{};      ///< by the clock
    double cpu_percent = 0;    ///< of one core, all threads of this process and of those of its models, while it played
    bool stopped = false;      ///< before the end of the trace
};

/// A step that is due, or was delivered.
struct PlayStatus {
    Moment position;
    Nanoseconds now{};   ///< as the sinks receive it
    Nanoseconds time{};  ///< of the step, by the clock of `position`; it goes backward where the trace does
    std::uint64_t frames = 0;
    std::uint64_t late_frames = 0;  ///< of these, more than PlayOptions::late_after after their deadline
    std::uint64_t lost = 0;
    std::size_t frame_bytes = 0;      ///< of this step
    Nanoseconds late{};               ///< this step; 0 at `max`
    bool follows = false;             ///< the step before it, without a pause or a seek between them
    std::span<const Frame> step;      ///< its frames; as long as the call lasts
    const TraceInfo* info = nullptr;  ///< of the source; as long as the call lasts
};

/// The time of the trace during a wait: from `time`, which is now, to `until` at `rate`.
struct PlayWait {
    Nanoseconds time{};   ///< now, by the clock of PlayStatus::position
    Nanoseconds until{};  ///< of the next step, or the end of the iteration
    double rate = 0;      ///< trace seconds per second; 0: paused
};

struct PlayOptions {
    /// Trace seconds per second; empty: as fast as the sinks accept frames.
    std::optional<double> rate;
    /// Drops a frame, and counts it, when the next frame of its channel with a later time is due already. Otherwise
    /// frames are never lost, only late.
    bool drop_late = false;
    Nanoseconds late_after = std::chrono::milliseconds(1);
    std::optional<Nanoseconds> from;  ///< first trace time played; empty: from the first frame
    std::optional<Nanoseconds> to;    ///< not played any more; empty: to the last frame. An iteration ends there, too
    std::uint64_t rounds = 1;         ///< number of iterations, 0 = for ever; several need a trace
    /// Start time of models: their first step lasts from here to the first frame, which must be later. Empty: the first
    /// step is as long as the median of the next ones; unknown for a live source.
    std::optional<Nanoseconds> start_time;
    /// For models with a fixed step: instead of the frames at their own times, plays at every multiple of this, counted
    /// from the start, the last frame of every channel at or before it, even if it lies before the section. A frame may
    /// then be played several times or never. The last tick is before `to`, else the first at or after the last frame.
    std::optional<Nanoseconds> step_size;
    /// The first frame of a channel that is played, in every iteration and after a seek, receives the static data that
    /// it lacks and that frames before it sent once (see cut()). Costs reading the first frames; if something is
    /// missing, all frames before it, once per starting point. A channel whose only frame lies before the start
    /// delivers it with the first step. Not on a live source: cut() it.
    bool carry_static = true;
    std::function<void(const CarriedPart&)> on_carry =
        {};  ///< once for a starting point, from the thread that reads ahead
    /// Drops a frame whose payload cannot be read (see check_structure()) or is of another type than its channel,
    /// instead of ending with its Error.
    bool skip_bad_frames = false;
    std::function<void(const SkippedBytes&)> on_skip = {};  ///< in every iteration, from the thread that reads ahead
    std::size_t prefetched_bytes = std::size_t{64} << 20;
    /// Called before the sinks begin if no frame is played. An exception ends the replay.
    std::function<void()> on_nothing = {};
    /// Called for the first wait that is longer than 10 s, with its length (Nanoseconds::max(): for ever), from the
    /// thread of run().
    std::function<void(const Frame& frame, Nanoseconds wait)> on_long_wait = {};
    std::function<void(const PlayStatus&)> on_due = {};     ///< before the sinks take a step, from the thread of run()
    std::function<void(const PlayStatus&)> on_status = {};  ///< after every step, from the thread of run()
};

/// Plays frames in the order of the trace. Frames of several channels that have the same time are one
/// step; of a live source each is a step, because its next frame is not waited for. A frame without an OSI time is
/// placed by its log time, one without either is due with the one before; one whose time goes backward is due at once.
/// Reading and unpacking happen ahead on a thread of their own; at a rate the first frame of a trace is due when that
/// is as far ahead as it goes, or has had 0.2 s. The time that sinks receive grows by a section with every iteration;
/// after a seek backward it advances by a step. run() once, on one thread; all other functions from any thread, at any
/// time.
class OSITRACE_API Player {
public:
    /// Of a trace, which supports seeking. Keeps it alive; the sinks and the clock must outlive the player. Throws
    /// Error (usage) for invalid options.
    Player(std::shared_ptr<const Trace> trace, std::span<FrameSink* const> sinks, Clock& clock,
           PlayOptions options = {});
    /// A live source supports neither loops nor seeking; frames before `from` are skipped.
    Player(FrameSource& source, std::span<FrameSink* const> sinks, Clock& clock, PlayOptions options = {});
    ~Player();

    /// Plays to the end, or until a stop. Throws what the source and the sinks throw. Sinks begin when the first frame
    /// has arrived, or when the source has ended without one.
    PlayReport run(const std::stop_token& stop = {});

    void pause();
    void resume();
    /// Of a player that plays at a rate; at `max` it changes nothing. Throws Error (usage).
    void set_rate(double rate);
    /// To the first frame at or after `time` in this iteration. Throws Error (usage) on a live source.
    void seek(Nanoseconds time);
    /// Pauses and delivers the next step; or the one before the last that was delivered, by its time (not on a live
    /// source).
    void step_forward();
    void step_back();

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
