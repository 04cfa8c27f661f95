// SPDX-License-Identifier: MPL-2.0
#include "tests/oracle/reflected.hpp"

#include <bit>
#include <cstring>

#include <google/protobuf/descriptor.h>

namespace oracle {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

namespace {

/// The bits of a scalar of a message, as wide as its kind; `i` counts in a repeated field.
std::uint64_t bits_of(const Message& message, const FieldDescriptor& field, int i)
{
    const auto& r = *message.GetReflection();
    const bool many = field.is_repeated();
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
        return std::bit_cast<std::uint64_t>(many ? r.GetRepeatedDouble(message, &field, i)
                                                 : r.GetDouble(message, &field));
    case FieldDescriptor::CPPTYPE_FLOAT:
        return std::bit_cast<std::uint32_t>(many ? r.GetRepeatedFloat(message, &field, i)
                                                 : r.GetFloat(message, &field));
    case FieldDescriptor::CPPTYPE_INT64:
        return static_cast<std::uint64_t>(many ? r.GetRepeatedInt64(message, &field, i) : r.GetInt64(message, &field));
    case FieldDescriptor::CPPTYPE_UINT64:
        return many ? r.GetRepeatedUInt64(message, &field, i) : r.GetUInt64(message, &field);
    case FieldDescriptor::CPPTYPE_INT32:
        return static_cast<std::uint32_t>(many ? r.GetRepeatedInt32(message, &field, i) : r.GetInt32(message, &field));
    case FieldDescriptor::CPPTYPE_UINT32:
        return many ? r.GetRepeatedUInt32(message, &field, i) : r.GetUInt32(message, &field);
    case FieldDescriptor::CPPTYPE_BOOL:
        return many ? r.GetRepeatedBool(message, &field, i) : r.GetBool(message, &field);
    case FieldDescriptor::CPPTYPE_ENUM:
        return static_cast<std::uint32_t>(many ? r.GetRepeatedEnumValue(message, &field, i)
                                               : r.GetEnumValue(message, &field));
    default: return 0;
    }
}

std::string text_of(const Message& message, const FieldDescriptor& field, int i)
{
    const auto& r = *message.GetReflection();
    return field.is_repeated() ? r.GetRepeatedString(message, &field, i) : r.GetString(message, &field);
}

class Comparison {
public:
    explicit Comparison(const reflection::Schema& schema) : schema_(schema) {}

    std::string of_table(const reflection::Object& object, const flatbuffers::Table& table,
                         const Message& message) const
    {
        const auto& descriptor = *message.GetDescriptor();
        for (int i = 0; i < descriptor.field_count(); ++i) {
            const auto& field = *descriptor.field(i);
            auto wrong = of_field(object, table, message, field);
            if (!wrong.empty()) return field.name() + (wrong.front() == '[' || wrong.front() == ':' ? "" : ".") + wrong;
        }
        return {};
    }

private:
    std::string of_field(const reflection::Object& object, const flatbuffers::Table& table, const Message& message,
                         const FieldDescriptor& field) const
    {
        const auto* reflected = object.fields()->LookupByKey(field.name().c_str());
        if (reflected == nullptr) return ": not in the binary schema";
        const auto& r = *message.GetReflection();
        const bool present = field.is_repeated() ? r.FieldSize(message, &field) != 0 : r.HasField(message, &field);
        if (present != table.CheckField(reflected->offset()))
            return present ? ": absent in the table" : ": present in the table only";
        if (!present) return {};
        const auto* at = table.GetAddressOf(reflected->offset());
        if (!field.is_repeated())
            return of_value(*reflected->type(), reflected->type()->base_type(), at, message, field, 0);

        const auto* vector = at + flatbuffers::ReadScalar<flatbuffers::uoffset_t>(at);
        const auto count = flatbuffers::ReadScalar<flatbuffers::uoffset_t>(vector);
        if (static_cast<int>(count) != r.FieldSize(message, &field)) return ": another number of elements";
        const auto element = reflected->type()->element();
        for (flatbuffers::uoffset_t i = 0; i < count; ++i) {
            const auto wrong = of_value(*reflected->type(), element, vector + 4 + i * flatbuffers::GetTypeSize(element),
                                        message, field, static_cast<int>(i));
            if (!wrong.empty()) return "[" + std::to_string(i) + "]" + (wrong.front() == ':' ? "" : ".") + wrong;
        }
        return {};
    }

    std::string of_value(const reflection::Type& type, reflection::BaseType base, const std::uint8_t* at,
                         const Message& message, const FieldDescriptor& field, int i) const
    {
        if (base != reflection::Obj && base != reflection::String && base != reflection::Vector) {
            const auto bits = bits_of(message, field, i);
            return std::memcmp(at, &bits, flatbuffers::GetTypeSize(base)) == 0 ? "" : ": another value";
        }
        const auto* target = at + flatbuffers::ReadScalar<flatbuffers::uoffset_t>(at);
        if (base == reflection::Obj) {
            const auto& r = *message.GetReflection();
            return of_table(
                *schema_.objects()->Get(static_cast<flatbuffers::uoffset_t>(type.index())),
                *reinterpret_cast<const flatbuffers::Table*>(target),
                field.is_repeated() ? r.GetRepeatedMessage(message, &field, i) : r.GetMessage(message, &field));
        }
        const auto size = flatbuffers::ReadScalar<flatbuffers::uoffset_t>(target);
        return std::string(reinterpret_cast<const char*>(target + 4), size) == text_of(message, field, i)
                   ? ""
                   : ": another text";
    }

    const reflection::Schema& schema_;
};

}  // namespace

std::string difference(const reflection::Schema& schema, ositrace::Bytes flat, const Message& message)
{
    const auto* data = reinterpret_cast<const std::uint8_t*>(flat.data());
    if (!flatbuffers::Verify(schema, *schema.root_table(), data, flat.size(), 128, 1u << 30))
        return "flatbuffers' reflection refuses the buffer";
    return Comparison(schema).of_table(*schema.root_table(), *flatbuffers::GetAnyRoot(data), message);
}

}  // namespace oracle
