// SPDX-License-Identifier: MPL-2.0
#include <ositrace/encoding.hpp>

#include <array>

namespace ositrace {

namespace {

constexpr std::array encoding_rows{
    EncodingRow{Encoding::protobuf, "protobuf", ".osi", "protobuf"},
    EncodingRow{Encoding::flatbuffers, "flatbuffers", ".osifb", "flatbuffer"},
};

constexpr std::array<std::string_view, 2> layout_names{"numbered", "declared"};

}  // namespace

std::span<const EncodingRow> encodings() noexcept { return encoding_rows; }

const EncodingRow& row_of(Encoding encoding) noexcept { return encoding_rows[static_cast<std::size_t>(encoding)]; }

std::optional<Encoding> encoding_named(std::string_view name) noexcept
{
    for (const auto& row : encoding_rows)
        if (row.name == name) return row.encoding;
    return std::nullopt;
}

std::optional<Encoding> encoding_by_mcap_name(std::string_view mcap_name) noexcept
{
    for (const auto& row : encoding_rows)
        if (row.mcap_name == mcap_name) return row.encoding;
    return std::nullopt;
}

std::string_view name_of(Layout layout) noexcept { return layout_names[static_cast<std::size_t>(layout)]; }

std::optional<Layout> layout_named(std::string_view name) noexcept
{
    for (const auto layout : {Layout::numbered, Layout::declared})
        if (name_of(layout) == name) return layout;
    return std::nullopt;
}

}  // namespace ositrace
