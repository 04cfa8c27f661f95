// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// UTF-8 without control characters other than tab and line ends: a message that is read as a string seldom is.
/// `cut_short`: the last character may lack bytes.
[[nodiscard]] inline bool looks_like_text(Bytes bytes, bool cut_short = false) noexcept
{
    for (std::size_t i = 0; i != bytes.size();) {
        const auto lead = static_cast<std::uint8_t>(bytes[i++]);
        if (lead < 0x20 && lead != '\t' && lead != '\n' && lead != '\r') return false;
        if (lead < 0x80) continue;
        if (lead < 0xc2 || lead > 0xf4) return false;
        for (int left = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3; left != 0; --left) {
            if (i == bytes.size()) return cut_short;
            if ((static_cast<std::uint8_t>(bytes[i++]) & 0xc0) != 0x80) return false;
        }
    }
    return true;
}

}  // namespace ositrace
