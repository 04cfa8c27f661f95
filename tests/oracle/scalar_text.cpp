// SPDX-License-Identifier: MPL-2.0
#include "tests/oracle/scalar_text.hpp"

#include <charconv>

#include <google/protobuf/descriptor.h>

namespace oracle {

using google::protobuf::FieldDescriptor;
using google::protobuf::Reflection;

namespace {

template <class Real>
std::string real_text(Real value)
{
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, static_cast<double>(value)).ptr};
}

}  // namespace

std::string scalar_text(const google::protobuf::Message& message, const FieldDescriptor& field, int index)
{
    const auto& reflection = *message.GetReflection();
    const auto get = [&](auto singular, auto repeated) {
        return index < 0 ? (reflection.*singular)(message, &field) : (reflection.*repeated)(message, &field, index);
    };
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE: return real_text(get(&Reflection::GetDouble, &Reflection::GetRepeatedDouble));
    case FieldDescriptor::CPPTYPE_FLOAT: return real_text(get(&Reflection::GetFloat, &Reflection::GetRepeatedFloat));
    case FieldDescriptor::CPPTYPE_INT32:
        return std::to_string(get(&Reflection::GetInt32, &Reflection::GetRepeatedInt32));
    case FieldDescriptor::CPPTYPE_INT64:
        return std::to_string(get(&Reflection::GetInt64, &Reflection::GetRepeatedInt64));
    case FieldDescriptor::CPPTYPE_UINT32:
        return std::to_string(get(&Reflection::GetUInt32, &Reflection::GetRepeatedUInt32));
    case FieldDescriptor::CPPTYPE_UINT64:
        return std::to_string(get(&Reflection::GetUInt64, &Reflection::GetRepeatedUInt64));
    case FieldDescriptor::CPPTYPE_BOOL:
        return get(&Reflection::GetBool, &Reflection::GetRepeatedBool) ? "true" : "false";
    case FieldDescriptor::CPPTYPE_ENUM: return get(&Reflection::GetEnum, &Reflection::GetRepeatedEnum)->name();
    default: return get(&Reflection::GetString, &Reflection::GetRepeatedString);
    }
}

}  // namespace oracle
