// SPDX-License-Identifier: MPL-2.0
#include "lib/system/thread.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace ositrace {

void lower_thread_priority() noexcept
{
    constexpr int niceness = 10;
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness);
}

void wake_precisely() noexcept { ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

int current_processor() noexcept { return ::sched_getcpu(); }

}  // namespace ositrace
