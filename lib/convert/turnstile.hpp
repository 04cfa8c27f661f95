// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace ositrace {

/// Lets threads through one at a time, in the order of their tickets 0, 1, 2 ... What one did before pass() is seen by
/// the next.
class Turnstile {
public:
    /// Returns when every smaller ticket has passed. Every ticket must come, and pass.
    void wait(std::uint64_t ticket)
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return turn_ == ticket; });
    }
    void pass()
    {
        {
            const std::scoped_lock lock(mutex_);
            ++turn_;
        }
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t turn_ = 0;
};

}  // namespace ositrace
