// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cerrno>
#include <system_error>

namespace ositrace {

inline std::error_code last_error() noexcept { return {errno, std::system_category()}; }

}  // namespace ositrace
