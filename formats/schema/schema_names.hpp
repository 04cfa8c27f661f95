// SPDX-License-Identifier: MPL-2.0
// Names in a descriptor set from a stranger: they end up in messages for people, and in schemas that other tools
// compile.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace ositrace {

/// Full names in a set are built from nested ones: without a limit a small set could ask for gigabytes of them.
inline constexpr std::size_t max_full_name_bytes = 1000;

/// Letters, digits and underscores, no digit in front: what protoc accepts.
[[nodiscard]] inline bool is_identifier(std::string_view name) noexcept
{
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return !name.empty() && !is_digit(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

/// Identifiers with dots between them, or nothing.
[[nodiscard]] inline bool is_package(std::string_view name) noexcept
{
    if (name.empty()) return true;
    for (;;) {
        const auto dot = name.find('.');
        if (!is_identifier(name.substr(0, dot))) return false;
        if (dot == std::string_view::npos) return true;
        name.remove_prefix(dot + 1);
    }
}

/// For a message: not too long, whatever it is.
[[nodiscard]] inline std::string shown(std::string_view text)
{
    constexpr std::size_t longest = 100;
    return std::string(text.substr(0, longest)) + (text.size() > longest ? "..." : "");
}

}  // namespace ositrace
