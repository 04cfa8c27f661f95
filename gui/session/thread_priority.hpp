// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <sys/resource.h>
#include <unistd.h>

namespace ositrace::gui {

/// Lowers the priority of the calling thread, so that the window gets the processor first.
inline void lower_thread_priority() noexcept
{
    constexpr int niceness = 10;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness);
}

}  // namespace ositrace::gui
