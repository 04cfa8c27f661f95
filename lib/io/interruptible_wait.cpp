// SPDX-License-Identifier: MPL-2.0
#include "lib/io/interruptible_wait.hpp"

#include <array>
#include <cerrno>
#include <cstdint>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace ositrace {

InterruptibleWait::InterruptibleWait() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    if (!event_) throw_system_error(errno, {}, "eventfd");
}

bool InterruptibleWait::readable(int descriptor, const std::stop_token& stop) { return wait(descriptor, -1, stop); }

bool InterruptibleWait::pause(std::chrono::milliseconds time, const std::stop_token& stop)
{
    return wait(-1, static_cast<int>(time.count()), stop);
}

bool InterruptibleWait::wait(int descriptor, int timeout_ms, const std::stop_token& stop)
{
    std::uint64_t count = 0;
    // What an earlier token left behind. Nothing to read is the usual case.
    [[maybe_unused]] const auto drained = ::read(event_.get(), &count, sizeof count);
    const std::stop_callback wake(stop, [event = event_.get()] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(event, &one, sizeof one);
    });
    std::array<pollfd, 2> waiting{pollfd{event_.get(), POLLIN, 0}, pollfd{descriptor, POLLIN, 0}};
    while (!stop.stop_requested()) {
        const auto ready = ::poll(waiting.data(), waiting.size(), timeout_ms);
        if (ready < 0 && errno != EINTR) throw_system_error(errno, {}, "poll");
        if (ready == 0 || (ready > 0 && waiting[1].revents != 0)) return !stop.stop_requested();
    }
    return false;
}

}  // namespace ositrace
