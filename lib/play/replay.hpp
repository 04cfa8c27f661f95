// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <ositrace/player.hpp>

#include "lib/play/hold_reader.hpp"
#include "lib/play/lateness.hpp"
#include "lib/play/static_carrier.hpp"
#include "lib/play/step_queue.hpp"

namespace ositrace {

/// What a thread asked of the player since it looked last. Of several seeks the last counts.
struct PlayRequests {
    std::optional<bool> paused;
    std::optional<double> rate;
    std::optional<Nanoseconds> seek;
    int steps_forward = 0;
    int steps_back = 0;
};

/// The work of a player: run() on one thread, request() from any.
class Replay {
public:
    /// `trace` and `cursor` are null for a live source.
    Replay(std::shared_ptr<const Trace> trace, std::unique_ptr<TraceReader> cursor, FrameSource& source,
           const PlayedSection& section, std::span<FrameSink* const> sinks, Clock& clock, PlayOptions options);

    PlayReport run(const std::stop_token& stop);

    template <class Change>
    void request(Change&& change)
    {
        {
            const std::lock_guard lock(mutex_);
            change(requests_);
        }
        asked_ = true;
        clock_.wake();
    }
    [[nodiscard]] bool seekable() const noexcept { return cursor_ != nullptr; }

private:
    [[nodiscard]] bool at_a_rate() const noexcept { return options_.rate.has_value(); }
    [[nodiscard]] Nanoseconds first_step(Nanoseconds usual) const;
    [[nodiscard]] Nanoseconds usual_step(const std::stop_token& stop);
    [[nodiscard]] Nanoseconds step_from(Nanoseconds start) const;
    [[nodiscard]] Nanoseconds processor_time() const;
    void play_and_measure(const std::stop_token& stop);
    void play(const std::stop_token& stop);
    bool wait_for(const DueStep& due, const std::stop_token& stop);
    void look_behind();
    void tell_long_wait(const DueStep& due);
    void obey();
    void seek(Nanoseconds time);
    void step_back();
    [[nodiscard]] std::optional<Nanoseconds> time_before(Nanoseconds time) const;
    void drop_late_frames(DueStep& due);
    void deliver(const DueStep& due);
    void count(const DueStep& due);
    [[nodiscard]] Nanoseconds told_time(Moment moment);
    [[nodiscard]] Nanoseconds linear_time(Moment moment) const noexcept;

    std::shared_ptr<const Trace> trace_;
    std::unique_ptr<TraceReader> cursor_;
    FrameSource& source_;
    PlayedSection section_;
    std::vector<FrameSink*> sinks_;
    Clock& clock_;
    PlayOptions options_;
    Timeline timeline_;
    std::unique_ptr<StaticCarrier> carrier_;
    PlayedSource played_;
    SectionReader reader_;
    std::unique_ptr<StepReader> steps_of_reader_;
    std::optional<StepQueue> queue_;  // behind the readers, which its thread uses

    bool paused_ = false;
    int steps_ = 0;  ///< to be delivered though it is paused
    bool told_long_wait_ = false;
    bool anchored_ = false;  ///< the timeline began with the first frame
    std::optional<DueStep> next_;
    std::optional<Nanoseconds> deadline_;       ///< of the step that is waited for; empty where it is not due at a time
    std::optional<Nanoseconds> next_deadline_;  ///< of the one behind it, where it has been read
    std::optional<Moment> delivered_;
    std::optional<Nanoseconds> told_;  ///< to the sinks at the last step
    Nanoseconds told_ahead_{};         ///< of linear_time(): seeks went backward so far
    Nanoseconds step_{1};              ///< the last that was longer than 0, or the first one
    PlayReport report_;
    LatenessCounter lateness_;
    PlayStatus status_;

    std::mutex mutex_;  // guards requests_
    PlayRequests requests_;
    std::atomic<bool> asked_ = false;
};

}  // namespace ositrace
