// SPDX-License-Identifier: MPL-2.0
// Where a replay goes: a model, a file, a socket.
#pragma once

#include <span>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// What a replay begins with.
struct PlayStart {
    Nanoseconds now{};             ///< trace time of the first step
    Nanoseconds step{};            ///< the first step's length, by the steps of the first frames; 0: nobody knows
    std::span<const Frame> first;  ///< the frames of the first step, which take() gets again; empty when there is none
    Nanoseconds usual{};  ///< the median of the first steps whatever the first one is (PlayOptions::start_time); 0:
                          ///< nobody knows
};

/// Called from the thread of Player::run() alone.
class OSITRACE_API FrameSink {
public:
    virtual ~FrameSink() = default;
    /// Once, before the first step. What it costs makes no frame late.
    virtual void begin(const TraceInfo& info, const PlayStart& start);
    /// The frames of the next take(), as soon as they are known and before they are due: for work that needs no
    /// punctuality. Behind a long wait it comes again, shortly before they are due: memory and code are cold then.
    /// Other frames may come all the same (after a seek, or with --late drop), and take() may come without it.
    virtual void prepare(std::span<const Frame> frames, const TraceInfo& info);
    /// The frames that are due at one moment, at most one of a channel, each with its time filled in where it has one.
    /// `now`: the trace time of the step, which grows on over the rounds of a loop and never goes backward. Channels of
    /// `info` may have been added since begin(). Throws Error to end the replay.
    virtual void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) = 0;
    /// Once, behind the last step and in front of finish(): what the source says of itself now, with the metadata and
    /// attachments that stood behind its last frame.
    virtual void source_ended(const TraceInfo& info);
    /// Once, behind the last step, also when the replay was stopped.
    virtual void finish();
    /// Instead of finish() when something threw: keep what is worth keeping. An Error of its own is lost.
    virtual void give_up();
    /// Spent until now by other processes that work for it.
    [[nodiscard]] virtual Nanoseconds other_processor_time() const noexcept;
};

}  // namespace ositrace
