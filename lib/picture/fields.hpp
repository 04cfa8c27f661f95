// SPDX-License-Identifier: MPL-2.0
// Fields by their names, so that any OSI release will do: what is unset, of another kind or not in the schema is not
// there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ositrace/message_view.hpp>

#include "lib/scene/geometry.hpp"

namespace ositrace::picture {

using scene::Orientation;
using scene::Rotation;
using scene::Vector;

[[nodiscard]] std::optional<MessageView> message_in(const MessageView& in, std::string_view field);
[[nodiscard]] std::optional<MessageView> message_in(const std::optional<MessageView>& in, std::string_view field);
[[nodiscard]] std::optional<double> real_in(const MessageView& in, std::string_view field);
[[nodiscard]] std::optional<std::int64_t> integer_in(const MessageView& in, std::string_view field);
[[nodiscard]] std::string_view text_in(const MessageView& in, std::string_view field);
/// The value of an Identifier; 0 where that is there without a value: writers that leave out zeros mean it so.
[[nodiscard]] std::optional<std::uint64_t> id_in(const MessageView& in, std::string_view field);
/// What a thing is known by.
struct ThingId {
    std::uint64_t number = 0;  ///< its id; otherwise its place in the list
    bool is_given = true;
};
/// Of the field `id`.
[[nodiscard]] ThingId thing_id_in(const MessageView& in, std::size_t place, std::string_view field = "id");
/// x, y, z of a Vector3d; what is unset in it is 0.
[[nodiscard]] std::optional<Vector> vector_in(const MessageView& in, std::string_view field);
[[nodiscard]] Vector vector_of(const MessageView& vector);
/// Of an Orientation3d; 0 where it is unset.
[[nodiscard]] Orientation orientation_in(const MessageView& in, std::string_view field);

/// The row of a repeated message field; nullptr where the schema has none of that name.
[[nodiscard]] const FieldRow* repeated_messages(const MessageTable& table, std::string_view field) noexcept;

/// The enumerator of an enum field in words, without its prefix: `heavy truck` of TYPE_HEAVY_TRUCK; empty where it is
/// unset.
[[nodiscard]] std::string words_in(const MessageView& in, std::string_view field);

}  // namespace ositrace::picture
