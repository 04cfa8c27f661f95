// SPDX-License-Identifier: MPL-2.0
#include "formats/protobuf/message_writer.hpp"

#include <string>

#include <ositrace/error.hpp>

namespace ositrace {

FieldTag::FieldTag(const MessageTable& message, std::string_view field) : row_(message.find(field))
{
    const auto path = [&] { return std::string(message.full_name) + "." + std::string(field); };
    if (row_ == nullptr) throw Error(Cause::mismatch, "the schema has no field " + path());
    if (row_->packed) throw Error(Cause::unsupported, "packed field " + path() + " cannot be written");
    const auto* const end = wire::write_varint(bytes_.data(), wire::make_tag(row_->number, row_->wire_type));
    size_ = static_cast<std::uint8_t>(end - bytes_.data());
}

std::int32_t FieldTag::enumerator(std::string_view name) const
{
    assert(row_->enumeration != nullptr);
    for (const auto& value : row_->enumeration->values) {
        if (value.name == name) return value.number;
    }
    throw Error(Cause::mismatch,
                "the schema has no " + std::string(name) + " in " + std::string(row_->enumeration->full_name));
}

void MessageWriter::bytes(const FieldTag& tag, Bytes value)
{
    assert(tag.row().wire_type == wire::length_delimited);
    auto* const to = put(tag, wire::max_varint_bytes);
    auto* const end = wire::write_varint(to, value.size());
    out_->commit_back(static_cast<std::size_t>(end - to));
    out_->append(value);
}

std::size_t MessageWriter::begin_length(std::size_t expected_bytes)
{
    const auto room = static_cast<std::size_t>(wire::varint_size(expected_bytes));
    static_cast<void>(out_->reserve_back(room));
    out_->commit_back(room);
    return out_->size();
}

void MessageWriter::end_length(std::size_t start, std::size_t expected_bytes)
{
    const auto length = out_->size() - start;
    const auto room = static_cast<std::size_t>(wire::varint_size(expected_bytes));
    const auto needed = static_cast<std::size_t>(wire::varint_size(length));
    if (needed != room) {  // the guess was wrong: the contents move by the difference
        static_cast<void>(out_->reserve_back(wire::max_varint_bytes));
        auto* const contents = out_->data() + start;
        std::memmove(contents - room + needed, contents, length);
        out_->resize(start - room + needed + length);
    }
    wire::write_varint(out_->data() + start - room, length);
}

}  // namespace ositrace
