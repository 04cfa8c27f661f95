// SPDX-License-Identifier: MPL-2.0
#include <ositrace/live_progress.hpp>

#include <utility>

namespace ositrace {

void LiveProgress::set_trace(std::shared_ptr<const LiveTrace> trace)
{
    {
        const std::lock_guard lock(mutex_);
        std::swap(view_.trace, trace);  // the old one is freed outside of the lock
        ++view_.version;
    }
    changed_.notify_all();
}

void LiveProgress::set_status(LiveStatus status)
{
    {
        const std::lock_guard lock(mutex_);
        view_.status = std::move(status);
        ++view_.version;
    }
    changed_.notify_all();
}

void LiveProgress::frame_added()
{
    {
        const std::lock_guard lock(mutex_);
        view_.status.last_frame = std::chrono::steady_clock::now();
        ++view_.version;
    }
    changed_.notify_all();
}

LiveProgress::View LiveProgress::view() const
{
    const std::lock_guard lock(mutex_);
    return view_;
}

LiveProgress::View LiveProgress::wait(std::uint64_t seen, std::stop_token stop) const
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [&] { return view_.version != seen; });
    return view_;
}

}  // namespace ositrace
