// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/unknown_host.hpp"

#include <variant>

namespace ositrace {

std::optional<UnknownHost> unknown_host(const MessageView& ground_truth, std::optional<std::uint64_t> host)
{
    constexpr std::size_t most_listed = 8;
    const auto* const objects = ground_truth.table().find("moving_object");
    const auto* const id = objects == nullptr || objects->child == nullptr ? nullptr : objects->child->find("id");
    if (id == nullptr) return std::nullopt;
    UnknownHost unknown{host, {}, 0};
    bool found = false;
    ground_truth.for_each_element(*objects, [&](const Value& value) {
        const auto identifier = std::get<MessageView>(value).message(id->number);
        if (!identifier) return true;
        const auto number =
            static_cast<std::uint64_t>(identifier->integer(1).value_or(0));  // Identifier{ uint64 value = 1 }
        found = host == number;
        ++unknown.moving_objects;
        if (unknown.first_ids.size() < most_listed) unknown.first_ids.push_back(number);
        return !found;
    });
    return found || unknown.moving_objects == 0 ? std::nullopt : std::optional(std::move(unknown));
}

}  // namespace ositrace
