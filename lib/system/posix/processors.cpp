// SPDX-License-Identifier: MPL-2.0
#include "lib/system/processors.hpp"

#include <algorithm>
#include <thread>

#include <sched.h>

namespace ositrace {

unsigned usable_processors() noexcept
{
    cpu_set_t usable;
    CPU_ZERO(&usable);
    const bool known = ::sched_getaffinity(0, sizeof usable, &usable) == 0;
    const auto count = known ? static_cast<unsigned>(CPU_COUNT(&usable)) : std::thread::hardware_concurrency();
    return std::max(1U, count);
}

}  // namespace ositrace
