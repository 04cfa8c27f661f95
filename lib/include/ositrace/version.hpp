// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include <ositrace/export.hpp>

namespace ositrace {

/// The version of the library that is linked, `0.2.0`. Semantic versioning; the text lives for ever.
[[nodiscard]] OSITRACE_API std::string_view version() noexcept;

}  // namespace ositrace
