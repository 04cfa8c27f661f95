// SPDX-License-Identifier: MPL-2.0
// What a ChildProcess does itself.
#include <csignal>

#include <linux/close_range.h>
#include <poll.h>
#include <unistd.h>

#include "lib/system/child_process.hpp"
#include "lib/system/posix/inherited.hpp"

namespace ositrace {

SharedMemory memory_of_parent()
{
    ::close_range(first_foreign_descriptor, ~0U, 0);
    return SharedMemory(FileHandle(memory_descriptor));
}

void wait_for_end_of_parent() noexcept
{
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    pollfd lifeline{.fd = lifeline_descriptor, .events = 0, .revents = 0};
    while (::poll(&lifeline, 1, -1) <= 0) {
    }
}

void end_at_once(int exit_code) noexcept { ::_exit(exit_code); }

}  // namespace ositrace
