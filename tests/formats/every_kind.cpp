// SPDX-License-Identifier: MPL-2.0
#include "tests/formats/every_kind.hpp"

#include "tests/formats/descriptors.hpp"

namespace by_hand {

namespace {

using ositrace::FieldKind;

constexpr std::uint32_t repeated_from = 20;
constexpr std::uint32_t packed_from = 40;

std::string_view type_of(FieldKind kind)
{
    return kind == FieldKind::message ? ".test.Leaf" : kind == FieldKind::enumeration ? ".test.Sign" : "";
}

void add_kind(Message& type, std::uint32_t number)
{
    const auto kind = number == group_kind ? FieldKind::enumeration : static_cast<FieldKind>(number);
    const auto name = "kind_" + std::to_string(number);
    const bool packable = kind != FieldKind::string && kind != FieldKind::bytes && kind != FieldKind::message;
    type.message(2, repeated_field("repeated_" + name, repeated_from + number, kind, type_of(kind)));
    type.message(2, field(name, number, kind, type_of(kind)));
    if (packable) type.message(2, packed_field("packed_" + name, packed_from + number, kind, type_of(kind)));
}

}  // namespace

std::string every_kind_descriptors()
{
    auto type = message_type("EveryKind", field("far_away", 300, FieldKind::uint32));
    for (std::uint32_t number = 18; number != 0; --number) add_kind(type, number);
    type.message(2, field("itself", 19, FieldKind::message, ".test.EveryKind"));
    type.message(2, repeated_field("many_itself", 39, FieldKind::message, ".test.EveryKind"));
    const auto leaf = message_type("Leaf", field("x", 1, FieldKind::double_), field("y", 2, FieldKind::double_),
                                   field("z", 3, FieldKind::double_), field("name", 4, FieldKind::string),
                                   field("n", 5, FieldKind::uint32));
    auto content = file("test.proto", "test");
    content.message(4, type).message(4, leaf);
    content.message(5, enum_type("Sign", enum_value("ZERO", 0), enum_value("PLUS", 1), enum_value("MINUS", -1)));
    return Message().message(1, content).str();
}

const ositrace::Schema& every_kind_schema()
{
    static const auto schema = ositrace::Schema::compile(ositrace::bytes_of(every_kind_descriptors()));
    return *schema;
}

const ositrace::MessageTable& every_kind() { return *every_kind_schema().find("test.EveryKind"); }

}  // namespace by_hand
