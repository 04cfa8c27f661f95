// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>

namespace ositrace::test {

/// A campaign takes one of so many inputs: with a sanitizer each takes 5 to 10 times as long. What only some inputs
/// reach, fuzz targets look for.
#ifdef OSITRACE_TEST_SANITIZED
inline constexpr unsigned stride = 31;
#else
inline constexpr unsigned stride = 1;
#endif

/// How many random inputs a campaign takes that takes `inputs` without a sanitizer: some of each kind.
constexpr int some_of(int inputs)
{
    return stride == 1 ? inputs : std::max(inputs / int{stride}, std::min(inputs, 12));
}

}  // namespace ositrace::test
