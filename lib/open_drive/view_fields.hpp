// SPDX-License-Identifier: MPL-2.0
// Fields of messages that may be absent.
#pragma once

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

}  // namespace ositrace
