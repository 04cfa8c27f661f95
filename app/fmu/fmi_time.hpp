// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cmath>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>

namespace ositrace::fmu {

/// FMI's seconds as nanoseconds, rounded: the error of a million added steps does not change the frame. `what`: for the
/// message. Throws Error (usage) beyond what int64 counts.
[[nodiscard]] inline Nanoseconds nanoseconds(double seconds, const char* what)
{
    const double result = std::round(seconds * 1e9);
    if (!(std::abs(result) < 9.2e18))
        throw Error(Cause::usage, std::string(what) + ": " + std::to_string(seconds) + " s is beyond 292 years");
    return Nanoseconds(static_cast<Nanoseconds::rep>(result));
}

}  // namespace ositrace::fmu
