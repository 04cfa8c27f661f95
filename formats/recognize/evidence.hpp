// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <ositrace/bytes.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// How well a message table explains Protobuf bytes.
struct Evidence {
    std::size_t explained = 0;    ///< bytes of known fields
    std::size_t unexplained = 0;  ///< bytes of fields the table does not know
    std::size_t no_text = 0;      ///< bytes of strings that are no text
    std::size_t oddities =
        0;  ///< what parses and no writer writes: a singular field twice, an enum value without a name ...
    bool contradicted = false;  ///< a known field has another wire type, a submessage does not parse ...
    std::string contradiction;  ///< where and what: `moving_object.id: wire type 2, expected 0`

    [[nodiscard]] bool fits() const noexcept
    {
        return !contradicted && explained > 0 && explained >= unexplained + no_text;
    }
    /// The same where the table is stated: what a string holds is then no reason to doubt that it is one.
    [[nodiscard]] bool fits_if_stated() const noexcept { return !contradicted && explained + no_text > unexplained; }
    /// To compare the tables that fit; less is better.
    [[nodiscard]] std::size_t cost() const noexcept { return unexplained + no_text + 8 * oddities; }
};

/// From this number up fields are left to users' extensions: they speak for no table and against none. Source:
/// OSI 3.8.0.
inline constexpr std::uint32_t first_extension_field = 10'000;

/// Looks at some thousand fields, at the first elements of every repeated message and into all nested messages. Large
/// messages are not read to their end. `cut_short`: the bytes may end anywhere. `stated`: the table is not guessed, and
/// a field with another wire type counts as one that the table does not know.
[[nodiscard]] Evidence explain(Bytes message, const MessageTable& table, bool cut_short = false, bool stated = false);

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
