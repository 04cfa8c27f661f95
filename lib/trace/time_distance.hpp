// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/frame.hpp>

namespace ositrace {

/// to - from; the nearest limit of int64 on overflow.
[[nodiscard]] inline Nanoseconds distance(Nanoseconds from, Nanoseconds to) noexcept
{
    std::int64_t result = 0;
    if (!__builtin_sub_overflow(to.count(), from.count(), &result)) return Nanoseconds(result);
    return to > from ? Nanoseconds::max() : Nanoseconds::min();
}

}  // namespace ositrace
