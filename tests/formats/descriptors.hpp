// SPDX-License-Identifier: MPL-2.0
// Descriptor sets by hand, legal or not. Field numbers are those of google/protobuf/descriptor.proto.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <ositrace/schema.hpp>

#include "tests/formats/wire_message.hpp"

namespace by_hand {

inline constexpr std::uint64_t group_kind = 10;

inline Message field_raw(std::string_view name, std::uint32_t number, std::uint64_t kind, std::string_view type = {},
                         bool repeated = false)
{
    Message field;
    field.text(1, name).varint(3, number).varint(4, repeated ? 3 : 1).varint(5, kind);
    if (!type.empty()) field.text(6, type);
    return field;
}

inline Message field(std::string_view name, std::uint32_t number, ositrace::FieldKind kind, std::string_view type = {})
{
    return field_raw(name, number, static_cast<std::uint64_t>(kind), type);
}

inline Message repeated_field(std::string_view name, std::uint32_t number, ositrace::FieldKind kind,
                              std::string_view type = {})
{
    return field_raw(name, number, static_cast<std::uint64_t>(kind), type, true);
}

inline Message packed_field(std::string_view name, std::uint32_t number, ositrace::FieldKind kind,
                            std::string_view type = {})
{
    return repeated_field(name, number, kind, type).message(8, Message().varint(2, 1));
}

/// DescriptorProto. Put fields in by `.message(2, field(...))`, or so:
template <class... Fields>
Message message_type(std::string_view name, const Fields&... fields)
{
    Message type;
    type.text(1, name);
    (type.message(2, fields), ...);
    return type;
}

inline Message enum_value(std::string_view name, std::int32_t number)
{
    return Message().text(1, name).varint(2, static_cast<std::uint64_t>(static_cast<std::int64_t>(number)));
}

template <class... Values>
Message enum_type(std::string_view name, const Values&... values)
{
    Message type;
    type.text(1, name);
    (type.message(2, values), ...);
    return type;
}

/// FileDescriptorProto; messages are its field 4, enums its field 5.
inline Message file(std::string_view name, std::string_view package)
{
    Message result;
    result.text(1, name);
    if (!package.empty()) result.text(2, package);
    return result;
}

/// A set of one file, `test.proto`, package `test`, with these messages.
template <class... Types>
std::string descriptor_set(const Types&... types)
{
    auto content = file("test.proto", "test");
    (content.message(4, types), ...);
    return Message().message(1, content).str();
}

}  // namespace by_hand
