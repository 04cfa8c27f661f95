// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <ositrace/player.hpp>

#include "lib/play/static_carrier.hpp"
#include "lib/play/step_queue.hpp"
#include "lib/play/step_reader.hpp"

namespace ositrace {

/// Statistics of the lateness of frames, in constant memory: quantiles within 1 %, mean and maximum exact.
class LatenessCounter {
public:
    /// An early frame (there should be none) counts as on time.
    void add(Nanoseconds late) noexcept;
    [[nodiscard]] Lateness lateness() const noexcept;
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

private:
    // Buckets as wide as 1/128 of their values.
    static constexpr int fine_bits = 7;
    static constexpr std::size_t buckets = (64 - fine_bits + 1) << fine_bits;
    static std::size_t bucket_of(std::uint64_t value) noexcept;
    static std::uint64_t upper_end(std::size_t bucket) noexcept;
    [[nodiscard]] Nanoseconds quantile(double share) const noexcept;

    std::array<std::uint64_t, buckets> counts_{};
    std::uint64_t count_ = 0;
    double sum_ = 0;
    std::uint64_t max_ = 0;
};

/// Requests of other threads since the player last checked. Of several seeks the last one counts.
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
    void find_next_deadline();
    void announce_wait(const DueStep& due);
    void report_long_wait(const DueStep& due);
    void obey();
    void seek(Nanoseconds time);
    void step_back();
    [[nodiscard]] std::optional<Nanoseconds> time_before(Nanoseconds time) const;
    void drop_late_frames(DueStep& due);
    void deliver(const DueStep& due);
    void pass_on(const DueStep& due);
    void count(const DueStep& due);
    [[nodiscard]] Nanoseconds step_time(Moment moment);
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
    std::optional<StepQueue> queue_;  // after the readers, which its thread uses

    bool paused_ = false;
    int steps_ = 0;            ///< to deliver although playback is paused
    bool interrupted_ = true;  ///< before the next step: playback was paused, did seek, or has not begun
    bool long_wait_reported_ = false;
    bool anchored_ = false;  ///< the timeline started with the first frame
    std::optional<DueStep> next_;
    std::optional<Nanoseconds> deadline_;       ///< of the awaited step; empty if it is not due at a time
    std::optional<Nanoseconds> next_deadline_;  ///< of the step after it, if that has been read
    std::optional<Moment> delivered_;
    std::optional<Nanoseconds> last_time_;  ///< that the sinks received with the last step
    Nanoseconds ahead_of_linear_{};         ///< sum of all seeks backward
    Nanoseconds step_{1};                   ///< the last that was longer than 0, or the first one
    PlayReport report_;
    LatenessCounter lateness_;
    PlayStatus status_;

    std::mutex mutex_;  // guards requests_
    PlayRequests requests_;
    std::atomic<bool> asked_ = false;
};

}  // namespace ositrace
