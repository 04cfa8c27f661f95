// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// What a file is that cannot be read as a trace, as far as its first bytes say it: `a ZIP archive; unpack it first`.
/// Else empty. Also a frame may begin with these bytes, so ask only where reading has failed.
[[nodiscard]] std::string_view other_kind(Bytes front) noexcept;

}  // namespace ositrace
