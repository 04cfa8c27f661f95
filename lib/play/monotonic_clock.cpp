// SPDX-License-Identifier: MPL-2.0
#include <ositrace/clock.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "lib/system/thread.hpp"

namespace ositrace {

namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

/// How long before the deadline the sleep ends: the time that a wake-up takes on this machine, learned from earlier
/// ones. A later wake-up changes it at once, an earlier one gradually.
class Spin {
public:
    [[nodiscard]] Nanoseconds length() const noexcept { return length_; }
    void woken(Nanoseconds late) noexcept
    {
        const auto wanted = std::clamp<Nanoseconds>(late + late / 2, shortest, longest);
        length_ = wanted > length_ ? wanted : length_ - (length_ - wanted) / 64;
    }

private:
    static constexpr Nanoseconds shortest = 50us;
    static constexpr Nanoseconds longest = 500us;  ///< of processor time that a deadline may cost
    Nanoseconds length_ = 100us;
};

class MonotonicClock final : public Clock {
public:
    Nanoseconds now() const noexcept override { return steady_clock::now().time_since_epoch(); }

    bool wait_until(std::optional<Nanoseconds> deadline, const std::stop_token& stop) override
    {
        thread_local const bool is_precise = [] {
            wake_precisely();
            return true;
        }();
        static_cast<void>(is_precise);
        if (interrupted(stop)) return false;
        if ((!deadline || *deadline > now() + spin_.length()) && !sleep_until(deadline, stop)) return false;
        while (now() < *deadline) {
            if (interrupted(stop)) return false;
        }
        return true;
    }

    void wake() noexcept override
    {
        {
            const std::lock_guard lock(mutex_);
            woken_ = true;
        }
        changed_.notify_all();
    }

private:
    bool interrupted(const std::stop_token& stop) noexcept
    {
        return (woken_.load(std::memory_order_relaxed) && woken_.exchange(false)) || stop.stop_requested();
    }

    bool sleep_until(std::optional<Nanoseconds> deadline, const std::stop_token& stop)
    {
        std::unique_lock lock(mutex_);
        const auto woken = [this] { return woken_.exchange(false); };
        if (!deadline) return !changed_.wait(lock, stop, woken) && false;
        const auto end = *deadline - spin_.length();
        const steady_clock::time_point until(std::chrono::duration_cast<steady_clock::duration>(end));
        if (changed_.wait_until(lock, stop, until, woken) || stop.stop_requested()) return false;
        spin_.woken(now() - end);
        return true;
    }

    Spin spin_;  // of the waiting thread
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::atomic<bool> woken_ = false;
};

}  // namespace

std::unique_ptr<Clock> monotonic_clock() { return std::make_unique<MonotonicClock>(); }

}  // namespace ositrace
