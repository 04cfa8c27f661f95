// SPDX-License-Identifier: MPL-2.0
#include "lib/system/stoppable_wait.hpp"

#include <algorithm>
#include <array>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/system/posix/descriptor.hpp"
#include "lib/system/posix/last_error.hpp"
#include "lib/system/socket.hpp"
#include "lib/system/system_error.hpp"

namespace ositrace {

namespace {

timespec time_to(std::chrono::steady_clock::time_point deadline)
{
    const auto left =
        std::clamp<std::chrono::nanoseconds>(deadline - std::chrono::steady_clock::now(), {}, std::chrono::minutes(1));
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    return {.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
}

/// `descriptor`: -1 for none. `event`: set by the stop.
Waited wait_for(int descriptor, short events, int event, const Deadline& deadline, const std::stop_token& stop)
{
    std::uint64_t count = 0;
    // An earlier stop request may have written. Usually there is nothing to read.
    [[maybe_unused]] const auto drained = ::read(event, &count, sizeof count);
    const std::stop_callback wake(stop, [event] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(event, &one, sizeof one);
    });
    std::array<pollfd, 2> waiting{pollfd{event, POLLIN, 0}, pollfd{descriptor, events, 0}};
    while (!stop.stop_requested()) {
        const auto left = deadline ? time_to(*deadline) : timespec{};
        const auto ready = ::ppoll(waiting.data(), waiting.size(), deadline ? &left : nullptr, nullptr);
        if (ready < 0 && errno != EINTR) throw_system_error(last_error(), {}, "poll");
        if (ready > 0 && waiting[1].revents != 0) return Waited::ready;
        if (ready <= 0 && passed(deadline)) return Waited::timed_out;
    }
    return Waited::stopped;
}

}  // namespace

StoppableWait::StoppableWait() : stopped_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    if (!stopped_) throw_system_error(last_error(), {}, "eventfd");
}

std::size_t StoppableWait::read(const FileHandle& from, std::span<std::byte> into, const std::stop_token& stop,
                                const std::filesystem::path& name)
{
    while (wait_for(descriptor_of(from), POLLIN, descriptor_of(stopped_), std::nullopt, stop) == Waited::ready) {
        const auto count = ::read(descriptor_of(from), into.data(), into.size());
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR && errno != EAGAIN) throw_system_error(last_error(), name);
    }
    return 0;
}

Waited StoppableWait::wait(const Socket& socket, Ready ready, const Deadline& deadline, const std::stop_token& stop)
{
    const short events = ready == Ready::to_read ? POLLIN : POLLOUT;
    return wait_for(static_cast<int>(socket.native()), events, descriptor_of(stopped_), deadline, stop);
}

Waited StoppableWait::pause(const Deadline& deadline, const std::stop_token& stop)
{
    return wait_for(-1, 0, descriptor_of(stopped_), deadline, stop);
}

}  // namespace ositrace
