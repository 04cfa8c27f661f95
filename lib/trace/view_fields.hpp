// SPDX-License-Identifier: MPL-2.0
// Fields of messages that may be absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <ositrace/message_view.hpp>

namespace ositrace {

[[nodiscard]] inline double real_in(const std::optional<MessageView>& message, std::string_view field)
{
    return message ? as_real((*message)[field]).value_or(0) : 0;
}

[[nodiscard]] inline std::optional<MessageView> child_in(const std::optional<MessageView>& message,
                                                         std::string_view field)
{
    if (!message) return std::nullopt;
    auto value = (*message)[field];
    auto* const found = std::get_if<MessageView>(&value);
    return found == nullptr ? std::nullopt : std::optional(std::move(*found));
}

/// The value of an Identifier.
[[nodiscard]] inline std::uint64_t id_in(const std::optional<MessageView>& message, std::string_view field)
{
    const auto identifier = child_in(message, field);
    return identifier ? static_cast<std::uint64_t>(as_integer((*identifier)["value"]).value_or(0)) : 0;
}

/// The elements of a repeated message field, which a schema need not have.
template <class Visit>
void for_each_child(const MessageView& message, std::string_view field, const Visit& visit)
{
    const auto* const row = message.table().find(field);
    if (row == nullptr || !row->repeated || row->child == nullptr) return;
    message.for_each_element(*row, [&](const Value& value) {
        visit(std::get<MessageView>(value));
        return true;
    });
}

}  // namespace ositrace
