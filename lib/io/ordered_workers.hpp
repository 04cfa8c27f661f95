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

/// Runs jobs on threads and returns their results in the order of the jobs. The caller bounds the number of jobs that
/// are added and not yet taken. Used by one thread at a time; jobs run concurrently with it. Destruction waits only for
/// jobs that have begun.
template <class T>
class OrderedWorkers {
public:
    /// `threads` start with the first job; 0: take() runs the jobs.
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

    /// The result of the oldest job, which must exist; runs it here if it has not begun. Throws what the job threw.
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

    /// Removes all jobs. Those that have begun continue; their results are dropped.
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
            // No more threads available: the existing ones do the work.
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
    std::deque<std::shared_ptr<Task>> tasks_;  // changed only by the using thread, which reads it without the lock
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace ositrace
