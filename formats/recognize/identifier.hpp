// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string_view>

#include <ositrace/bytes.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/recognize.hpp>

namespace ositrace {

/// Where the identifier of a FlatBuffer ends: four bytes after the root offset.
inline constexpr std::size_t identifier_end = 8;

[[nodiscard]] inline std::string_view identifier_of(Bytes buffer) noexcept
{
    return buffer.size() < identifier_end ? std::string_view{} : text_of(buffer.subspan(identifier_end - 4, 4));
}

/// The type and layout that the bytes claim to be as a FlatBuffer.
[[nodiscard]] inline std::optional<Recognition> claimed_by_identifier(Bytes buffer) noexcept
{
    const auto found = identifier_of(buffer);
    if (found.empty()) return std::nullopt;
    for (const auto& row : message_types())
        for (const auto layout : {Layout::numbered, Layout::declared})
            if (row.file_identifier[static_cast<std::size_t>(layout)] == found)
                return Recognition{row.type, {Encoding::flatbuffers, layout}};
    return std::nullopt;
}

}  // namespace ositrace
