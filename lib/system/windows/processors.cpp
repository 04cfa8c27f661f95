// SPDX-License-Identifier: MPL-2.0
#include "lib/system/processors.hpp"

#include <algorithm>
#include <bit>
#include <thread>

#include "lib/system/windows/native.hpp"

namespace ositrace {

unsigned usable_processors() noexcept
{
    DWORD_PTR usable = 0;
    DWORD_PTR all = 0;
    // 0 where the process has threads in several groups of 64 processors.
    const bool known = ::GetProcessAffinityMask(::GetCurrentProcess(), &usable, &all) != 0 && usable != 0;
    const auto count = known ? static_cast<unsigned>(std::popcount(usable)) : std::thread::hardware_concurrency();
    return std::max(1U, count);
}

}  // namespace ositrace
