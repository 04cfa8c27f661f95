// SPDX-License-Identifier: MPL-2.0
#include "gui/selection/selection.hpp"

#include <algorithm>
#include <utility>

namespace ositrace::gui {

bool is_in_message(std::string_view path, std::string_view message_path) noexcept
{
    if (message_path.empty() || !path.starts_with(message_path)) return false;
    return path.size() == message_path.size() || path[message_path.size()] == '.' || path[message_path.size()] == '[';
}

std::optional<ThingKey> thing_at(const Picture& picture, std::uint32_t source, std::string_view path)
{
    for (const auto& cloud : picture.clouds)
        if (cloud->key.source == source && is_in_message(path, cloud->path)) return cloud->key;
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

void Selection::select(Selected selected)
{
    if (current_ == selected) return;
    current_ = std::move(selected);
    emit changed();
}

void Selection::clear()
{
    if (!current_) return;
    current_.reset();
    emit changed();
}

void Selection::follow(const Picture& picture)
{
    if (!current_ || !current_->thing) return;
    const auto message_path = path_of(picture, *current_->thing);
    if (message_path.empty() || is_in_message(current_->path, message_path)) return;
    select({current_->thing, current_->source, moved_path(current_->path, message_path)});
}

}  // namespace ositrace::gui
