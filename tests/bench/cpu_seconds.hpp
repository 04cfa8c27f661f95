// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ctime>

/// Of all threads of this process.
inline double cpu_seconds()
{
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
