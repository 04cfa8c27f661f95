// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace ositrace {

/// Does jobs on threads and gives their results in the order of the jobs. The bound is the caller's: what was added and
/// not yet taken. Used by one thread at a time; jobs run at once with it and with each other. Destruction waits for
/// jobs that have begun, only.
template <class T>
class OrderedWorkers {
public:
    /// `threads` start when there is something to do; with none, take() does the work.
    explicit OrderedWorkers(unsigned threads) : most_threads_(threads) {}
    OrderedWorkers(const OrderedWorkers&) = delete;
    OrderedWorkers& operator=(const OrderedWorkers&) = delete;
    ~OrderedWorkers()
    {
        {
            const std::scoped_lock lock(mutex_);
            stopping_ = true;
        }
        changed_.notify_all();
        for (auto& thread : threads_) thread.join();
    }

    [[nodiscard]] std::size_t size() const noexcept { return tasks_.size(); }

    void add(std::function<T()> job)
    {
        auto task = std::make_shared<Task>();
        task->job = std::move(job);
        {
            const std::scoped_lock lock(mutex_);
            tasks_.push_back(std::move(task));
        }
        if (threads_.size() < std::min<std::size_t>(most_threads_, tasks_.size())) start_thread();
        changed_.notify_all();
    }

    /// The result of the oldest job, which there must be; does the job here if nobody has begun it. Throws what the job
    /// threw.
    T take()
    {
        std::shared_ptr<Task> task;
        {
            std::unique_lock lock(mutex_);
            task = std::move(tasks_.front());
            tasks_.pop_front();
            if (task->state == State::waiting) {
                lock.unlock();
                return task->job();
            }
            changed_.wait(lock, [&] { return task->state == State::done; });
        }
        if (task->failure) std::rethrow_exception(task->failure);
        return std::move(*task->result);
    }

    /// Forgets all jobs. Those that have begun go on, and nobody sees their results.
    void clear()
    {
        const std::scoped_lock lock(mutex_);
        tasks_.clear();
    }

private:
    enum class State : std::uint8_t { waiting, begun, done };
    struct Task {
        std::function<T()> job;
        State state = State::waiting;
        std::optional<T> result;
        std::exception_ptr failure;
    };

    void start_thread()
    {
        try {
            threads_.emplace_back([this] { work(); });
        } catch (const std::system_error&) {
            // No more threads to be had: those there are do the work.
        }
    }

    [[nodiscard]] std::shared_ptr<Task> next() const
    {
        const auto found =
            std::find_if(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->state == State::waiting; });
        return found == tasks_.end() ? nullptr : *found;
    }

    void work()
    {
        std::unique_lock lock(mutex_);
        for (;;) {
            std::shared_ptr<Task> task;
            changed_.wait(lock, [&] { return stopping_ || (task = next()) != nullptr; });
            if (stopping_) return;
            task->state = State::begun;
            lock.unlock();
            try {
                task->result.emplace(task->job());
            } catch (...) {
                task->failure = std::current_exception();
            }
            task->job = nullptr;
            lock.lock();
            task->state = State::done;
            changed_.notify_all();
        }
    }

    unsigned most_threads_;
    std::mutex mutex_;  // guards tasks_ and their states, stopping_
    std::condition_variable changed_;
    std::deque<std::shared_ptr<Task>>
        tasks_;  // changed by the using thread only, which may therefore look without the lock
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace ositrace
