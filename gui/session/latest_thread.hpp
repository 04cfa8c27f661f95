// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <thread>
#include <utility>

#include <QObject>

#include "lib/system/thread.hpp"

namespace ositrace::gui {

/// Reads in a thread. start() and cancel() end the reading before without waiting for its thread, and drop what it
/// still posts; the destructor waits. GUI thread.
class LatestThread {
public:
    /// Calls a function in the GUI thread.
    using Post = std::function<void(std::function<void()>)>;

    /// A member of `owner`.
    explicit LatestThread(QObject& owner) : owner_(owner) {}
    LatestThread(const LatestThread&) = delete;
    LatestThread& operator=(const LatestThread&) = delete;
    ~LatestThread()
    {
        for (auto& [number, thread] : threads_) thread.request_stop();
        threads_.clear();  // the token is checked at every message
    }

    /// `read`: called with a Post and a std::stop_token.
    template <class Read>
    void start(Read read)
    {
        cancel();
        threads_[number_] = std::jthread([this, read = std::move(read), number = number_](const std::stop_token& stop) {
            lower_thread_priority();
            read(
                [&](auto call) {
                    post([this, number, call] {
                        if (number == number_) call();
                    });
                },
                stop);
            post([this, number] { threads_.erase(number); });
        });
    }
    void cancel()
    {
        const auto running = threads_.find(number_);
        if (running != threads_.end()) running->second.request_stop();
        ++number_;
    }

private:
    void post(std::function<void()> call) { QMetaObject::invokeMethod(&owner_, std::move(call), Qt::QueuedConnection); }

    QObject& owner_;
    std::uint64_t number_ = 0;                       ///< of the current reading
    std::map<std::uint64_t, std::jthread> threads_;  ///< by their reading, until they end
};

}  // namespace ositrace::gui
