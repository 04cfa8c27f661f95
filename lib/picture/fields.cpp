// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/fields.hpp"

#include <algorithm>

namespace ositrace::picture {

namespace {

/// `LIGHT_STATE_ON` of an enum BrakeLightState: without the prefix that all its enumerators have.
std::size_t common_prefix(const EnumTable& table) noexcept
{
    if (table.values.empty()) return 0;
    const auto first = table.values.front().name;
    auto length = first.size();
    for (const auto& value : table.values) {
        const auto differs = std::ranges::mismatch(first.substr(0, length), value.name).in1;
        length = static_cast<std::size_t>(differs - first.begin());
    }
    const auto underscore = first.substr(0, length).rfind('_');
    return underscore == std::string_view::npos ? 0 : underscore + 1;
}

std::string in_words(std::string_view enumerator)
{
    std::string words(enumerator);
    for (auto& c : words) {
        if (c == '_') c = ' ';
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return words;
}

}  // namespace

std::optional<MessageView> message_in(const MessageView& in, std::string_view field)
{
    const auto* const row = in.table().find(field);
    return row == nullptr ? std::nullopt : in.message(row->number);
}

std::optional<MessageView> message_in(const std::optional<MessageView>& in, std::string_view field)
{
    return in ? message_in(*in, field) : std::nullopt;
}

std::optional<double> real_in(const MessageView& in, std::string_view field)
{
    const auto* const row = in.table().find(field);
    return row == nullptr ? std::nullopt : in.real(row->number);
}

std::optional<std::int64_t> integer_in(const MessageView& in, std::string_view field)
{
    const auto* const row = in.table().find(field);
    return row == nullptr ? std::nullopt : in.integer(row->number);
}

std::string_view text_in(const MessageView& in, std::string_view field)
{
    const auto* const row = in.table().find(field);
    return row == nullptr ? std::string_view() : in.text(row->number).value_or(std::string_view());
}

std::optional<std::uint64_t> id_in(const MessageView& in, std::string_view field)
{
    const auto id = message_in(in, field);
    return id ? std::optional(static_cast<std::uint64_t>(integer_in(*id, "value").value_or(0))) : std::nullopt;
}

ThingId thing_id_in(const MessageView& in, std::size_t place, std::string_view field)
{
    const auto id = id_in(in, field);
    return {id.value_or(place), id.has_value()};
}

Vector vector_of(const MessageView& vector)
{
    return {real_in(vector, "x").value_or(0), real_in(vector, "y").value_or(0), real_in(vector, "z").value_or(0)};
}

std::optional<Vector> vector_in(const MessageView& in, std::string_view field)
{
    const auto vector = message_in(in, field);
    return vector ? std::optional(vector_of(*vector)) : std::nullopt;
}

Orientation orientation_in(const MessageView& in, std::string_view field)
{
    const auto turned = message_in(in, field);
    if (!turned) return {};
    return {real_in(*turned, "roll").value_or(0), real_in(*turned, "pitch").value_or(0),
            real_in(*turned, "yaw").value_or(0)};
}

const FieldRow* repeated_messages(const MessageTable& table, std::string_view field) noexcept
{
    const auto* const row = table.find(field);
    return row != nullptr && row->repeated && row->child != nullptr ? row : nullptr;
}

std::string words_in(const MessageView& in, std::string_view field)
{
    const auto* const row = in.table().find(field);
    if (row == nullptr || row->enumeration == nullptr) return {};
    const auto number = in.integer(row->number);
    if (!number) return {};
    const auto name = row->enumeration->name_of(static_cast<std::int32_t>(*number));
    if (name.empty()) return "type " + std::to_string(*number);
    return in_words(name.substr(std::min(name.size(), common_prefix(*row->enumeration))));
}

}  // namespace ositrace::picture
