// SPDX-License-Identifier: MPL-2.0
#include "lib/system/thread.hpp"

#include "lib/system/windows/native.hpp"

#include <mmsystem.h>

namespace ositrace {

void lower_thread_priority() noexcept { ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL); }

void wake_precisely() noexcept
{
    static const auto set = ::timeBeginPeriod(1);  // of the whole process, until it ends
    static_cast<void>(set);
}

int current_processor() noexcept { return static_cast<int>(::GetCurrentProcessorNumber()); }

}  // namespace ositrace
