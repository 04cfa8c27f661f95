// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <chrono>

#include "lib/system/stoppable_wait.hpp"
#include "lib/system/windows/native.hpp"

namespace ositrace {

/// Until the deadline, at most a minute; rounded up.
inline DWORD milliseconds_to(const Deadline& deadline)
{
    constexpr auto longest = std::chrono::milliseconds(std::chrono::minutes(1));
    if (!deadline) return static_cast<DWORD>(longest.count());
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now());
    return static_cast<DWORD>(std::clamp(left, std::chrono::milliseconds(0), longest).count());
}

}  // namespace ositrace
