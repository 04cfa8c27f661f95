// SPDX-License-Identifier: MPL-2.0
#include "formats/mcap/plausible_record.hpp"

#include <algorithm>

namespace ositrace::mcap {

namespace {

/// No record is longer; a message is limited to less.
constexpr std::uint64_t max_plausible_length = std::uint64_t{1} << 32;
constexpr std::size_t chunk_front_bytes = 32;  // up to the name of the compression

bool knows(Bytes content, const std::function<bool(std::uint16_t)>& knows_channel)
{
    return content.size() >= 2 && knows_channel(load<std::uint16_t>(content.data()));
}

bool is_index(const RecordPrefix& prefix, Bytes content)
{
    if (content.size() < message_index_front_bytes) return false;
    const auto entries = load_le32(content.data() + 2);
    return entries % message_index_entry_bytes == 0 &&
           prefix.length == message_index_front_bytes + std::uint64_t{entries};
}

}  // namespace

bool agrees(const RecordPrefix& prefix, Bytes content) noexcept
{
    if (content.size() < chunk_front_bytes) return false;
    const std::uint64_t name = load_le32(content.data() + chunk_front_bytes - 4);
    if (name > content.size() - chunk_front_bytes || content.size() - chunk_front_bytes - name < 8) return false;
    const auto records = load_le64(content.data() + chunk_front_bytes + name);
    const auto front = chunk_front_bytes + name + 8;
    return prefix.length >= front && records <= prefix.length - front;
}

bool plausible_prefix(Bytes front) noexcept
{
    if (front.size() < record_prefix_bytes) return false;
    const auto [opcode, length] = prefix_at(front);
    return opcode >= Opcode::footer && opcode <= Opcode::data_end && length < max_plausible_length;
}

bool plausible_summary(const RecordPrefix& prefix, Bytes content_front) noexcept
{
    // Up to the length of a map or of the first text, which is in the rest of the content.
    const auto fits = [&](std::size_t at) {
        return content_front.size() >= at + 4 && prefix.length >= at + 4 &&
               load_le32(content_front.data() + at) <= prefix.length - at - 4;
    };
    switch (prefix.opcode) {
    case Opcode::chunk_index: return fits(32);
    case Opcode::attachment_index: return fits(40);
    case Opcode::statistics: return fits(42);
    case Opcode::metadata_index: return fits(16);
    case Opcode::summary_offset: return prefix.length == 17;
    default: return false;
    }
}

Likeness plausible_record(Bytes front, const std::function<bool(std::uint16_t)>& knows_channel)
{
    if (!plausible_prefix(front)) return Likeness::none;
    const auto prefix = prefix_at(front);
    const auto content = front.subspan(record_prefix_bytes);
    const auto when = [](bool holds, Likeness likeness) { return holds ? likeness : Likeness::none; };
    switch (prefix.opcode) {
    case Opcode::chunk: return when(agrees(prefix, content), Likeness::strong);
    case Opcode::message_index:
        return when(knows(content, knows_channel) && is_index(prefix, content), Likeness::strong);
    case Opcode::message:
        return when(prefix.length >= message_front_bytes && knows(content, knows_channel), Likeness::weak);
    case Opcode::data_end: return when(prefix.length == 4, Likeness::weak);
    case Opcode::footer: return when(prefix.length == footer_bytes, Likeness::strong);
    case Opcode::schema:
    case Opcode::channel:
    case Opcode::metadata:
    case Opcode::attachment: return when(prefix.length >= 8, Likeness::weak);
    default: return when(plausible_summary(prefix, content), Likeness::weak);
    }
}

}  // namespace ositrace::mcap
