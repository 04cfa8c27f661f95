// SPDX-License-Identifier: MPL-2.0
#include <ositrace/message_view.hpp>
#include <ositrace/recognize.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/protobuf/wire.hpp"
#include "formats/recognize/evidence.hpp"
#include "formats/recognize/identifier.hpp"

namespace ositrace {

namespace {

/// Turns most places away without looking further than a tag.
bool begins_with_known_field(Bytes bytes, const MessageTable& table) noexcept
{
    std::uint32_t tag = 0;
    if (wire::read_tag(bytes.data(), bytes.data() + bytes.size(), tag) == nullptr) return false;
    const auto* const field = table.find(wire::number_of(tag));
    if (field == nullptr) return false;
    const auto wire_type = wire::wire_type_of(tag);
    return wire_type == field->wire_type || (field->repeated && wire_type == wire::length_delimited);
}

bool plausible_flat_start(Bytes bytes, const MessageTable& table, Layout layout)
{
    if (bytes.size() < identifier_end) return false;
    const auto root = load_le32(bytes.data());
    const auto type = message_type_by_full_name(table.full_name);
    const bool named = type && identifier_of(bytes) == row_of(*type).file_identifier[static_cast<std::size_t>(layout)];
    if (root < 4 || root % 4 != 0 || root > max_encodable_bytes) return false;
    if (named && root >= bytes.size()) return true;
    return MessageView(bytes, table, {Encoding::flatbuffers, layout}).unknown_fields() == 0 || named;
}

}  // namespace

bool plausible_start(Bytes bytes, const MessageTable& table, Format format) noexcept
{
    try {
        if (format.encoding == Encoding::flatbuffers) return plausible_flat_start(bytes, table, format.layout);
        return begins_with_known_field(bytes, table) && explain(bytes, table, true).fits();
    } catch (...) {
        return false;
    }
}

}  // namespace ositrace
