// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// Where the identifier of a FlatBuffer ends: four bytes after the root offset.
inline constexpr std::size_t identifier_end = 8;

[[nodiscard]] inline std::string_view identifier_of(Bytes buffer) noexcept
{
    return buffer.size() < identifier_end ? std::string_view{} : text_of(buffer.subspan(identifier_end - 4, 4));
}

}  // namespace ositrace
