// SPDX-License-Identifier: MPL-2.0
// Words about files that the verbs share.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {

/// Below this a speed says more about the start of a process than about the conversion.
inline constexpr std::uint64_t bytes_worth_a_speed = 100'000'000;

/// `, 1.2 s, 812 MB/s`, or nothing.
[[nodiscard]] inline std::string speed_text(std::uint64_t bytes, std::chrono::duration<double> seconds)
{
    if (bytes < bytes_worth_a_speed) return "";
    return ", " + duration_text(seconds.count()) + ", " + rate_text(static_cast<double>(bytes) / seconds.count());
}

}  // namespace ositrace::app
