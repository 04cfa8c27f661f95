// SPDX-License-Identifier: MPL-2.0
// The FMU that the test program is: it returns what it gets, in memory of its own, and fails as it is told to.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ositrace::test {

/// The value references of its variables.
namespace echo {
enum : unsigned { in_low, in_high, in_size, out_low, out_high, out_size, valid, text, number, count, flag, time };
}

/// What an instance said: status and text.
using Log = std::vector<std::pair<int, std::string>>;

}  // namespace ositrace::test
