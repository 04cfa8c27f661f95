// SPDX-License-Identifier: MPL-2.0
// The output of a replay: a model, a file, a socket.
#pragma once

#include <span>
#include <string>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

struct PlayStatus;  // player.hpp
struct PlayWait;    // player.hpp

/// The first step of a replay.
struct PlayStart {
    Nanoseconds now{};             ///< trace time of the first step
    Nanoseconds step{};            ///< length of the first step, from the times of the first frames; 0: unknown
    std::span<const Frame> first;  ///< the frames of the first step, which take() receives, too; may be empty
    Nanoseconds usual{};  ///< median of the first steps (PlayOptions::start_time changes only `step`); 0: unknown
};

/// Called only by the thread of Player::run().
class OSITRACE_API FrameSink {
public:
    virtual ~FrameSink() = default;
    /// Called once, before the first step. Its duration makes no frame late.
    virtual void begin(const TraceInfo& info, const PlayStart& start);
    /// The frames of the next take(), as soon as they are known and before they are due: for work ahead of time. After
    /// a long wait it is called again shortly before they are due, as memory and code are cold then. take() may receive
    /// other frames (after a seek, or with --late drop) and may be called without prepare().
    virtual void prepare(std::span<const Frame> frames, const TraceInfo& info);
    /// Before every step: its time in the trace (PlayStatus::time), among others.
    virtual void due(const PlayStatus& status);
    /// At a rate, before a longer wait for a step, and whenever the wait changes (pause, rate, seek): how the time of
    /// the trace advances until that step.
    virtual void waiting(const PlayWait& wait);
    /// The frames that are due at the same time, at most one per channel, each with its time where it has one. `now`:
    /// the trace time of the step; it never goes backward and continues over the iterations of a loop. `info` may have
    /// more channels than in begin(). Throws Error to end the replay.
    virtual void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) = 0;
    /// After every step, when all sinks have taken it: how punctual the replay is.
    virtual void delivered(const PlayStatus& status);
    /// Called once, after the last step and before finish(). `info` includes metadata and attachments that follow the
    /// last frame of the source.
    virtual void source_ended(const TraceInfo& info);
    /// Called once, after the last step, also when the replay was stopped.
    virtual void finish();
    /// Called before give_up(): why the replay ends.
    virtual void failed(const std::string& why);
    /// Called instead of finish() after an exception: saves what can be saved. Its own errors are ignored.
    virtual void give_up();
    /// Processor time of other processes that work for this sink, until now.
    [[nodiscard]] virtual Nanoseconds other_processor_time() const noexcept;
};

}  // namespace ositrace
