// SPDX-License-Identifier: MPL-2.0
// Makes a recorded trace live again: hands its frames on when they are due.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include <ositrace/clock.hpp>
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
    std::uint64_t frames = 0;     ///< delivered
    std::uint64_t late = 0;       ///< of these, more than PlayOptions::late_after behind their deadline
    std::uint64_t lost = 0;       ///< dropped because the next frame of their channel was due already
    Lateness lateness;            ///< of the frames delivered at a rate; all zero at `max`
    Nanoseconds played{};         ///< by the clock
    double cpu_percent = 0;       ///< of one core, all threads of the process, while it played
    bool stopped = false;         ///< before the end of the trace
};

struct PlayStatus {
    Moment position;
    std::uint64_t frames = 0;
    std::size_t frame_bytes = 0;  ///< of the last frame
    Nanoseconds late{};           ///< the last frame
};

struct PlayOptions {
    /// Trace seconds per second; empty: as fast as the sinks take the frames, time waits for them.
    std::optional<double> rate;
    /// Leave out a frame when the next one of its channel is due already, and count it. Without it frames are never lost, only late.
    bool drop_late = false;
    Nanoseconds late_after = std::chrono::milliseconds(1);
    std::optional<Nanoseconds> from;  ///< first trace time played; empty: from the first frame
    std::optional<Nanoseconds> to;    ///< not played any more; empty: to the last frame
    std::uint64_t rounds = 1;         ///< 0 = for ever; more than one needs a trace, not a stream
    /// Instead of the frames at their own times: at every multiple of this, counted from the start, the last frame at or before it of
    /// every channel. A frame may then come several times or never; that is what a model with a step of its own wants.
    std::optional<Nanoseconds> step_size;
    std::size_t prefetched_bytes = std::size_t{64} << 20;
    std::function<void(const PlayStatus&)> on_status = {};  ///< after every frame, from the thread of run()
};

/// Plays frames in the order in which the trace gives them. A frame without a time is due with the one before; one whose time goes
/// backward is due at once. Reading and unpacking happen ahead on a thread of their own.
/// run() once, on one thread; all other functions from any thread, at any time.
class OSITRACE_API Player {
public:
    /// A trace that can be sought in. Keeps it alive; the sinks and the clock must outlive the player. Throws Error (usage) for options
    /// that cannot be meant.
    Player(std::shared_ptr<const Trace> trace, std::span<FrameSink* const> sinks, Clock& clock, PlayOptions options = {});
    /// A live source: no rounds and no seek; `from` passes over what comes before.
    Player(FrameSource& source, std::span<FrameSink* const> sinks, Clock& clock, PlayOptions options = {});
    ~Player();

    /// Plays to the end, or until a stop. Throws what the source and the sinks throw.
    PlayReport run(const std::stop_token& stop = {});

    void pause();
    void resume();
    void set_rate(double rate);
    /// To the first frame at or behind `time`. Throws Error (usage) on a live source.
    void seek(Nanoseconds time);
    /// Pauses and delivers the next frame; or the one before the last that was delivered, by its time (not on a live source).
    void step_forward();
    void step_back();

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
