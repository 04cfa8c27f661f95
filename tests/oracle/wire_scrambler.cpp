// SPDX-License-Identifier: MPL-2.0
#include "tests/oracle/wire_scrambler.hpp"

#include <algorithm>
#include <stdexcept>

namespace oracle {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

namespace {

std::size_t varint_bytes(std::string_view at)
{
    std::size_t count = 1;
    while ((static_cast<unsigned char>(at[count - 1]) & 0x80) != 0) ++count;
    return count;
}

std::uint64_t varint_value(std::string_view at)
{
    std::uint64_t value = 0;
    for (std::size_t i = varint_bytes(at); i-- > 0;) value = value << 7 | (static_cast<unsigned char>(at[i]) & 0x7f);
    return value;
}

std::size_t payload_bytes(unsigned wire_type, std::string_view at)
{
    if (wire_type == 0) return varint_bytes(at);
    if (wire_type == 1) return 8;
    if (wire_type == 5) return 4;
    throw std::logic_error("only canonical messages without groups are scrambled");
}

unsigned element_wire_type(const FieldDescriptor& field)
{
    switch (field.type()) {
    case FieldDescriptor::TYPE_DOUBLE:
    case FieldDescriptor::TYPE_FIXED64:
    case FieldDescriptor::TYPE_SFIXED64: return 1;
    case FieldDescriptor::TYPE_FLOAT:
    case FieldDescriptor::TYPE_FIXED32:
    case FieldDescriptor::TYPE_SFIXED32: return 5;
    case FieldDescriptor::TYPE_STRING:
    case FieldDescriptor::TYPE_BYTES:
    case FieldDescriptor::TYPE_MESSAGE: return 2;
    default: return 0;
    }
}

}  // namespace

std::vector<WireScrambler::Field> WireScrambler::split(std::string_view canonical)
{
    std::vector<Field> fields;
    while (!canonical.empty()) {
        Field field{static_cast<std::uint32_t>(varint_value(canonical)), {}};
        canonical.remove_prefix(varint_bytes(canonical));
        std::size_t size = 0;
        if ((field.tag & 7) == 2) {
            size = varint_value(canonical);
            canonical.remove_prefix(varint_bytes(canonical));
        } else {
            size = payload_bytes(field.tag & 7, canonical);
        }
        field.payload = canonical.substr(0, size);
        canonical.remove_prefix(size);
        fields.push_back(field);
    }
    return fields;
}

void WireScrambler::write_varint(std::uint64_t value, std::string& out, std::size_t most_bytes)
{
    auto padding = chance(6) ? random_() % 10 : 0;
    std::size_t count = 1;
    for (; value >= 0x80; value >>= 7, ++count) out.push_back(static_cast<char>(value | 0x80));
    for (; padding > 0 && count < most_bytes; --padding, ++count, value = 0)
        out.push_back(static_cast<char>(value | 0x80));
    out.push_back(static_cast<char>(value));
}

void WireScrambler::write_delimited(std::uint32_t number, std::string_view payload, std::string& out)
{
    write_varint(number << 3 | 2, out, 5);
    write_varint(payload.size(), out, 5);
    out += payload;
}

void WireScrambler::write_unpacked(const FieldDescriptor& known, std::string_view packed, std::string& out)
{
    const auto wire_type = element_wire_type(known);
    while (!packed.empty()) {
        const auto size = payload_bytes(wire_type, packed);
        write({static_cast<std::uint32_t>(known.number()) << 3 | wire_type, packed.substr(0, size)}, nullptr, out);
        packed.remove_prefix(size);
    }
}

void WireScrambler::write_pieces(const Field& field, const Descriptor& type, std::string& out)
{
    const auto whole = scrambled(field.payload, type);
    if (!chance(3)) return write_delimited(field.tag >> 3, whole, out);
    std::string first, second;
    for (const auto& inner : split(field.payload))
        write(inner, type.FindFieldByNumber(static_cast<int>(inner.tag >> 3)), chance(2) ? first : second);
    write_delimited(field.tag >> 3, first, out);
    write_delimited(field.tag >> 3, second, out);
}

void WireScrambler::write(const Field& field, const FieldDescriptor* known, std::string& out)
{
    const auto wire_type = field.tag & 7;
    if (wire_type == 2) {
        if (known != nullptr && known->is_packable() && chance(2)) return write_unpacked(*known, field.payload, out);
        if (known != nullptr && known->message_type() != nullptr && !known->is_repeated())
            return write_pieces(field, *known->message_type(), out);
        if (known != nullptr && known->message_type() != nullptr)
            return write_delimited(field.tag >> 3, scrambled(field.payload, *known->message_type()), out);
        return write_delimited(field.tag >> 3, field.payload, out);
    }
    if (known != nullptr && known->is_packable() && chance(3))
        return write_delimited(field.tag >> 3, field.payload, out);
    write_varint(field.tag, out, 5);
    if (wire_type == 0)
        write_varint(varint_value(field.payload), out, 10);
    else
        out += field.payload;
}

std::string WireScrambler::scrambled(std::string_view canonical, const Descriptor& type)
{
    auto fields = split(canonical);
    if (chance(2)) std::shuffle(fields.begin(), fields.end(), random_);
    std::string out;
    const auto put = [&](const Field& field) {
        write(field, type.FindFieldByNumber(static_cast<int>(field.tag >> 3)), out);
    };
    for (const auto& field : fields) {
        put(field);
        if (chance(10)) put(fields[random_() % fields.size()]);
    }
    return out;
}

}  // namespace oracle
