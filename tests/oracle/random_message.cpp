// SPDX-License-Identifier: MPL-2.0
#include "tests/oracle/random_message.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>

namespace oracle {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

void RandomMessages::fill(Message& message)
{
    elements_ = 0;
    Random pattern(values_());
    fill(message, pattern, 0);
}

void RandomMessages::fill(Message& message, Random& pattern, int depth)
{
    ++elements_;
    static constexpr std::uint64_t percent[] = {0, 15, 50, 85, 100};
    const auto share = percent[pattern() % 5];
    const auto& descriptor = *message.GetDescriptor();
    for (int i = 0; i < descriptor.field_count(); ++i)
        if (pattern() % 100 < share) set_field(message, *descriptor.field(i), pattern, depth);
    if (options_.unknown_fields && pattern() % 8 == 0) add_unknown_fields(message);
}

int RandomMessages::element_count(const FieldDescriptor& field, Random& pattern)
{
    const auto kind = pattern() % 16;
    if (kind == 0) return 0;
    if (kind < 10) return static_cast<int>(1 + pattern() % 4);
    const bool leaf = field.message_type() == nullptr || field.message_type()->field_count() < 12;
    return static_cast<int>(pattern() % (kind == 15 && leaf ? 300 : 20));
}

void RandomMessages::set_field(Message& message, const FieldDescriptor& field, Random& pattern, int depth)
{
    const auto& reflection = *message.GetReflection();
    const auto* child = field.message_type();
    if (child != nullptr && depth >= options_.max_depth) return;
    if (!field.is_repeated()) {
        if (child == nullptr) return add_scalar(message, field, pattern);
        return fill(*reflection.MutableMessage(&message, &field), pattern, depth + 1);
    }
    const auto count = element_count(field, pattern);
    auto element_pattern = pattern();
    for (int i = 0; i < count && elements_ < options_.max_elements; ++i) {
        if (below(12) == 0) element_pattern = values_();
        Random of_element(element_pattern);
        if (child == nullptr)
            add_scalar(message, field, of_element);
        else
            fill(*reflection.AddMessage(&message, &field), of_element, depth + 1);
    }
    elements_ += child == nullptr ? count : 0;
}

std::uint64_t RandomMessages::integer(Random& pattern)
{
    switch (pattern() % 6) {
    case 0: return 0;
    case 1: return below(128);
    case 2: return below(1 << 14);
    case 3: return values_();
    case 4: return ~below(1 << 10);  // negative, ten bytes as a varint
    default: return values_() >> below(64);
    }
}

double RandomMessages::real(Random& pattern)
{
    switch (pattern() % 8) {
    case 0: return 0.0;
    case 1: return -0.0;
    case 2: return std::bit_cast<double>(0x7ff8'0000'0000'0000u | below(1u << 20));  // NaN with a payload
    case 3: return below(2) == 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
    case 4: return std::numeric_limits<double>::denorm_min() * static_cast<double>(1 + below(9));
    default: return static_cast<double>(static_cast<std::int64_t>(values_())) * 1e-12;
    }
}

std::string RandomMessages::text(Random& pattern, bool binary)
{
    static constexpr const char* pieces[] = {"a",
                                             "id_17",
                                             ("Stra\xc3\x9f"
                                              "e"),
                                             "\xe8\xbb\x8a",
                                             "\xf0\x9f\x9a\x97",
                                             " ",
                                             "\"\\\n"};
    static constexpr std::uint64_t most_pieces[] = {0, 1, 3, 40, 200};
    const auto most = most_pieces[pattern() % 5];
    std::string text;
    for (auto left = most == 0 ? 0 : below(most) + 1; left > 0; --left) text += pieces[below(7)];
    if (binary)
        for (auto& c : text) c = static_cast<char>(below(256));
    else if (pattern() % 16 == 0)
        text.push_back('\0');
    return text;
}

void RandomMessages::add_scalar(Message& message, const FieldDescriptor& field, Random& pattern)
{
    const auto& reflection = *message.GetReflection();
    const auto put = [&](auto set, auto add, auto value) {
        if (field.is_repeated())
            (reflection.*add)(&message, &field, value);
        else
            (reflection.*set)(&message, &field, value);
    };
    using R = google::protobuf::Reflection;
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE: return put(&R::SetDouble, &R::AddDouble, real(pattern));
    case FieldDescriptor::CPPTYPE_FLOAT: return put(&R::SetFloat, &R::AddFloat, static_cast<float>(real(pattern)));
    case FieldDescriptor::CPPTYPE_INT64:
        return put(&R::SetInt64, &R::AddInt64, static_cast<std::int64_t>(integer(pattern)));
    case FieldDescriptor::CPPTYPE_UINT64: return put(&R::SetUInt64, &R::AddUInt64, integer(pattern));
    case FieldDescriptor::CPPTYPE_INT32:
        return put(&R::SetInt32, &R::AddInt32, static_cast<std::int32_t>(integer(pattern)));
    case FieldDescriptor::CPPTYPE_UINT32:
        return put(&R::SetUInt32, &R::AddUInt32, static_cast<std::uint32_t>(integer(pattern)));
    case FieldDescriptor::CPPTYPE_BOOL: return put(&R::SetBool, &R::AddBool, below(2) != 0);
    case FieldDescriptor::CPPTYPE_STRING:
        return put(&R::SetString, &R::AddString, text(pattern, field.type() == FieldDescriptor::TYPE_BYTES));
    case FieldDescriptor::CPPTYPE_ENUM: {
        const auto& type = *field.enum_type();
        const auto unknown = static_cast<int>(1000 + below(1'000'000));
        if (options_.unknown_enum_values && below(6) == 0 && type.FindValueByNumber(unknown) == nullptr) {
            reflection.MutableUnknownFields(&message)->AddVarint(field.number(), static_cast<std::uint64_t>(unknown));
            return;
        }
        return put(&R::SetEnum, &R::AddEnum,
                   type.value(static_cast<int>(below(static_cast<std::uint64_t>(type.value_count())))));
    }
    case FieldDescriptor::CPPTYPE_MESSAGE: return;
    }
}

void RandomMessages::add_unknown_fields(Message& message)
{
    auto& unknown = *message.GetReflection()->MutableUnknownFields(&message);
    for (auto left = 1 + below(3); left > 0; --left, ++unknown_) {
        const auto number = static_cast<int>(20'000 + below(100'000));
        switch (below(4)) {
        case 0: unknown.AddVarint(number, values_()); break;
        case 1: unknown.AddFixed32(number, static_cast<std::uint32_t>(values_())); break;
        case 2: unknown.AddFixed64(number, values_()); break;
        default: unknown.AddLengthDelimited(number)->assign(below(200), '\xff'); break;
        }
    }
}

}  // namespace oracle
