// SPDX-License-Identifier: MPL-2.0
#pragma once

namespace ositrace::test {

/// A campaign takes one of so many inputs: with a sanitizer each takes 5 to 10 times as long. What only some inputs
/// reach, fuzz targets look for.
#ifdef OSITRACE_TEST_SANITIZED
inline constexpr unsigned stride = 8;
#else
inline constexpr unsigned stride = 1;
#endif

}  // namespace ositrace::test
