// SPDX-License-Identifier: MPL-2.0
// Things of a picture and where their messages stand in the frames.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ositrace/picture.hpp>

namespace ositrace::gui {

/// Is `path` this message or something in it: `lane[1]` is not in front of `lane[12].id`.
[[nodiscard]] bool stands_in(std::string_view path, std::string_view message_path) noexcept;

/// The thing or cloud whose message `path` names or stands in; Looks at all things.
[[nodiscard]] std::optional<ThingKey> thing_at(const Picture& picture, std::uint32_t source, std::string_view path);

/// The path of a thing's message; empty when the picture does not have it.
[[nodiscard]] std::string_view path_of(const Picture& picture, const ThingKey& key) noexcept;

/// `path`, which stands in some message of a thing, in the message that is the thing's now: `moving_object[3].base` and
/// `moving_object[2]` give `moving_object[2].base`.
[[nodiscard]] std::string moved_path(std::string_view path, std::string_view message_path);

}  // namespace ositrace::gui
