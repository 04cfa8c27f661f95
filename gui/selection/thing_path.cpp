// SPDX-License-Identifier: MPL-2.0
#include "gui/selection/thing_path.hpp"

#include <algorithm>

namespace ositrace::gui {

bool stands_in(std::string_view path, std::string_view message_path) noexcept
{
    if (message_path.empty() || !path.starts_with(message_path)) return false;
    return path.size() == message_path.size() || path[message_path.size()] == '.' || path[message_path.size()] == '[';
}

std::optional<ThingKey> thing_at(const Picture& picture, std::uint32_t source, std::string_view path)
{
    for (const auto& cloud : picture.clouds)
        if (cloud->key.source == source && stands_in(path, cloud->path)) return cloud->key;
    const auto* const thing = picture.find(source, path);
    return thing == nullptr ? std::nullopt : std::optional(thing->key);
}

std::string_view path_of(const Picture& picture, const ThingKey& key) noexcept
{
    if (const auto* const thing = picture.find(key)) return thing->path;
    for (const auto& cloud : picture.clouds)
        if (cloud->key == key) return cloud->path;
    return {};
}

std::string moved_path(std::string_view path, std::string_view message_path)
{
    auto parts = std::ranges::count(message_path, '.') + 1;
    std::size_t end = 0;
    for (; end < path.size(); ++end)
        if (path[end] == '.' && --parts == 0) break;
    // An element of a whole repeated field that is the thing: `reflection[12]` of the cloud `reflection`.
    const auto element = path.substr(0, end).rfind('[');
    if (!message_path.ends_with(']') && element != std::string_view::npos && path.substr(0, end).ends_with(']'))
        end = element;
    return std::string(message_path).append(path.substr(end));
}

}  // namespace ositrace::gui
