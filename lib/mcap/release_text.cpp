// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/release_text.hpp"

#include <charconv>

namespace ositrace {

bool is_release(std::string_view text) noexcept
{
    int parts = 1;
    bool digit = false;
    for (const char c : text) {
        if (c == '.') {
            if (!digit) return false;
            ++parts;
            digit = false;
        } else if (c < '0' || c > '9') {
            return false;
        } else {
            digit = true;
        }
    }
    return parts == 3 && digit;
}

std::optional<OsiVersion> release_in(std::string_view text) noexcept
{
    if (!is_release(text)) return std::nullopt;
    OsiVersion version;
    const auto* at = text.data();
    const auto* const end = at + text.size();
    for (auto* part : {&version.major, &version.minor, &version.patch}) {
        const auto [behind, error] = std::from_chars(at, end, *part);
        if (error != std::errc{}) return std::nullopt;
        at = behind == end ? end : behind + 1;
    }
    return version;
}

}  // namespace ositrace
