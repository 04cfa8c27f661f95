// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <sys/resource.h>
#include <unistd.h>

namespace ositrace::gui {

/// From now on the calling thread leaves the processor to the window where both want it.
inline void step_back() noexcept
{
    constexpr int niceness = 10;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness);
}

}  // namespace ositrace::gui
