// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <vector>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>

#include "tests/oracle/round_trip.hpp"

namespace oracle {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::UnknownField;

namespace {

/// The enum numbers that the schema does not know, by field: all of a repeated field, the last of a singular one.
std::vector<std::pair<int, std::uint64_t>> unknown_enum_values(const Message& message)
{
    std::vector<std::pair<int, std::uint64_t>> found;
    const auto& unknown = message.GetReflection()->GetUnknownFields(message);
    for (int i = 0; i < unknown.field_count(); ++i) {
        const auto& field = unknown.field(i);
        const auto* known = message.GetDescriptor()->FindFieldByNumber(field.number());
        if (field.type() != UnknownField::TYPE_VARINT || known == nullptr ||
            known->type() != FieldDescriptor::TYPE_ENUM)
            continue;
        if (!known->is_repeated())
            std::erase_if(found, [&](const auto& other) { return other.first == field.number(); });
        found.emplace_back(field.number(), static_cast<std::uint64_t>(static_cast<std::int32_t>(field.varint())));
    }
    std::ranges::stable_sort(found, {}, [](const auto& value) { return value.first; });
    return found;
}

/// Leaves of the unknown fields what can be compared, in one order; clears singular enum fields that occurred in both
/// ways.
void tidy_level(Message& a, Message& b)
{
    for (auto* message : {&a, &b}) {
        const auto& reflection = *message->GetReflection();
        const auto values = unknown_enum_values(*message);
        auto& unknown = *reflection.MutableUnknownFields(message);
        unknown.Clear();
        for (const auto& [number, value] : values) unknown.AddVarint(number, value);
    }
    const auto in_a = unknown_enum_values(a);
    for (const auto& [number, value] : in_a) {
        const auto* field = a.GetDescriptor()->FindFieldByNumber(number);
        if (field->is_repeated() || !a.GetReflection()->HasField(a, field)) continue;
        for (auto* message : {&a, &b}) {
            message->GetReflection()->ClearField(message, field);
            message->GetReflection()->MutableUnknownFields(message)->DeleteByNumber(number);
        }
    }
}

void tidy(Message& a, Message& b)
{
    tidy_level(a, b);
    const auto& reflection = *a.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(a, &fields);
    for (const auto* field : fields) {
        if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
        if (!field->is_repeated()) {
            if (reflection.HasField(b, field))
                tidy(*reflection.MutableMessage(&a, field), *reflection.MutableMessage(&b, field));
            continue;
        }
        const auto count = std::min(reflection.FieldSize(a, field), reflection.FieldSize(b, field));
        for (int i = 0; i < count; ++i)
            tidy(*reflection.MutableRepeatedMessage(&a, field, i), *reflection.MutableRepeatedMessage(&b, field, i));
    }
}

}  // namespace

bool same_content(Message& a, Message& b)
{
    tidy(a, b);
    return serialized(a) == serialized(b);
}

}  // namespace oracle
