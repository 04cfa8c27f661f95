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
    std::optional<ThingKey> found;
    std::size_t longest = 0;
    const auto consider = [&](const ThingKey& key, std::string_view message_path) {
        if (key.source != source || message_path.size() <= longest || !stands_in(path, message_path)) return;
        found = key;
        longest = message_path.size();
    };
    for (const auto& thing : picture.things) consider(thing.key, thing.path);
    for (const auto& cloud : picture.clouds) consider(cloud->key, cloud->path);
    return found;
}

std::string_view path_of(const Picture& picture, const ThingKey& key) noexcept
{
    for (const auto& thing : picture.things)
        if (thing.key == key) return thing.path;
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
    if (!message_path.ends_with(']') && element != std::string_view::npos && path.substr(0, end).ends_with(']')) end = element;
    return std::string(message_path).append(path.substr(end));
}

}  // namespace ositrace::gui
