// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace ositrace {

/// Produces items on a thread of its own, a bounded amount ahead of the consumer. Destruction stops the thread at once;
/// until then it does not end, because the kernel's work after the end of a thread delays threads that must be
/// punctual. One consuming thread at a time.
template <class T>
class ReadAhead {
public:
    /// Produces the next item; nullopt = the end, or a stop was requested, which must not lose an item. Called by the
    /// thread and by take_or_produce(), never concurrently.
    using Produce = std::function<std::optional<T>(const std::stop_token&)>;
    using Cost = std::function<std::size_t(const T&)>;

    /// Production pauses while items that cost `limit` or more in total are waiting.
    ReadAhead(Produce produce, Cost cost, std::size_t limit)
        : ReadAhead(std::move(produce), std::move(cost), limit, limit)
    {
    }
    /// Production resumes below `low`, or when no item waits, so that the thread wakes rarely.
    ReadAhead(Produce produce, Cost cost, std::size_t limit, std::size_t low)
        : produce_(std::move(produce)),
          cost_(std::move(cost)),
          limit_(limit),
          low_(low),
          thread_([this](const std::stop_token& stop) { run(stop); })
    {
    }

    /// The next item; nullopt at the end or when a stop was requested, which loses no item. Throws what the producer
    /// threw, at every call.
    std::optional<T> take(const std::stop_token& stop)
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, stop, [this] { return !waiting_.empty() || ended_; });
        if (stop.stop_requested()) return std::nullopt;
        if (waiting_.empty()) {
            if (failure_) std::rethrow_exception(failure_);
            return std::nullopt;
        }
        return take_front(lock);
    }

    /// As take(). Where no item waits and the thread has not begun (all processors may be busy), produces the item
    /// here; a thread that begins meanwhile produces the next one.
    std::optional<T> take_or_produce(const std::stop_token& stop)
    {
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, stop,
                          [this] { return !waiting_.empty() || ended_ || !(producing_ || next_is_thread_); });
            if (!waiting_.empty() || ended_ || stop.stop_requested()) {
                lock.unlock();
                return take(stop);
            }
            producing_ = true;
        }
        const Produced produced(*this);
        std::optional<T> next;
        produce(stop, [&](T&& made) { next = std::move(made); });
        if (failure_) std::rethrow_exception(failure_);
        return next;
    }

    /// The next item, without waiting.
    std::optional<T> try_take()
    {
        std::unique_lock lock(mutex_);
        if (waiting_.empty()) return std::nullopt;
        return take_front(lock);
    }

    /// Waits until production pauses or ends: `longest` at most, or until a stop is requested.
    void wait_until_full(std::chrono::nanoseconds longest, const std::stop_token& stop)
    {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, stop, longest, [this] { return paused_ || ended_; });
    }

private:
    T take_front(std::unique_lock<std::mutex>& lock)
    {
        auto next = std::move(waiting_.front());
        waiting_.pop_front();
        waiting_cost_ -= cost_(next);
        const bool goes_on = paused_ && (waiting_cost_ < low_ || waiting_.empty());
        if (goes_on) paused_ = false;
        lock.unlock();
        if (goes_on) room_.notify_one();
        return next;
    }

    /// Lets the other thread produce.
    class Produced {
    public:
        explicit Produced(ReadAhead& ahead) : ahead_(ahead) {}
        Produced(const Produced&) = delete;
        Produced& operator=(const Produced&) = delete;
        ~Produced()
        {
            {
                const std::lock_guard lock(ahead_.mutex_);
                ahead_.producing_ = false;
            }
            ahead_.changed_.notify_all();
            ahead_.room_.notify_one();
        }

    private:
        ReadAhead& ahead_;
    };

    void run(const std::stop_token& stop)
    {
        while (begin_to_produce(stop)) {
            const Produced produced(*this);
            produce(stop, [this](T&& made) { put(std::move(made)); });
        }
    }

    void produce(const std::stop_token& stop, const auto& take_made)
    {
        std::exception_ptr failure;
        try {
            auto next = produce_(stop);
            if (next) return take_made(std::move(*next));
            if (stop.stop_requested()) return;
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        failure_ = std::move(failure);
        ended_ = true;
    }

    bool begin_to_produce(const std::stop_token& stop)
    {
        std::unique_lock lock(mutex_);
        room_.wait(lock, stop, [this] {
            const bool wants = !ended_ && !paused_;
            next_is_thread_ = wants && producing_;
            return wants && !producing_;
        });
        if (stop.stop_requested()) return false;
        return producing_ = true;
    }

    void put(T next)
    {
        const std::lock_guard lock(mutex_);
        waiting_cost_ += cost_(next);
        waiting_.push_back(std::move(next));
        paused_ = waiting_cost_ >= limit_;
    }

    Produce produce_;
    Cost cost_;
    std::size_t limit_;
    std::size_t low_;
    std::mutex mutex_;
    std::condition_variable_any changed_;  ///< the consumer waits for it
    std::condition_variable_any room_;     ///< the thread waits for it
    bool paused_ = limit_ == 0;
    std::deque<T> waiting_;
    std::size_t waiting_cost_ = 0;
    std::exception_ptr failure_;
    bool ended_ = false;
    bool producing_ = false;
    bool next_is_thread_ = false;  ///< it began while the consumer produced, which would return before the thread wakes
    std::jthread thread_;          // last: it uses all of the above
};

/// Produces the batches of `reader.read(batch, stop)`. `reader` must outlive the result.
template <class Batch, class Reader>
[[nodiscard]] typename ReadAhead<Batch>::Produce batches_of(Reader& reader)
{
    return [&reader](const std::stop_token& stop) {
        std::optional<Batch> batch(std::in_place);
        if (!reader.read(*batch, stop)) batch.reset();
        return batch;
    };
}

}  // namespace ositrace
