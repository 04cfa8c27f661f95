// SPDX-License-Identifier: MPL-2.0
#include "gui/session/wait_for_messages.hpp"

#include <condition_variable>
#include <mutex>

#include <ositrace/live_trace.hpp>

namespace ositrace::gui {

bool grows(const OpenChannel& channel) noexcept
{
    return dynamic_cast<const LiveTrace*>(channel.trace.get()) != nullptr;
}

bool wait_for_messages(const OpenChannel& channel, std::uint64_t number, const std::stop_token& stop,
                       std::chrono::nanoseconds moment)
{
    if (!wait_for_frame(*channel.trace, channel.in_trace, number, stop)) return false;
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any nothing;
    nothing.wait_for(lock, stop, moment, [] { return false; });
    return !stop.stop_requested();
}

}  // namespace ositrace::gui
