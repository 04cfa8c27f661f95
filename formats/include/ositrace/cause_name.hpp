// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include <ositrace/error.hpp>

namespace ositrace {

/// `io`, `malformed`, `truncated`, ...: the name of the enumerator, for other languages and for scripts.
[[nodiscard]] OSITRACE_API std::string_view name_of(Cause cause) noexcept;

}  // namespace ositrace
