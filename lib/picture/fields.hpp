// SPDX-License-Identifier: MPL-2.0
// Fields by their names, so that every OSI release works: a field that is unset, of another kind or not in the schema
// counts as absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ositrace/message_view.hpp>

#include "lib/messages/geometry.hpp"

namespace ositrace::picture {

using scene::Orientation;
using scene::Rotation;
using scene::Vector;

[[nodiscard]] std::optional<MessageView> message_in(const MessageView& in, std::string_view field);
[[nodiscard]] std::optional<MessageView> message_in(const std::optional<MessageView>& in, std::string_view field);
[[nodiscard]] std::optional<double> real_in(const MessageView& in, std::string_view field);
[[nodiscard]] std::optional<std::int64_t> integer_in(const MessageView& in, std::string_view field);
[[nodiscard]] std::string_view text_in(const MessageView& in, std::string_view field);
/// The value of an Identifier; 0 for an Identifier without a value, because some writers omit zeros.
[[nodiscard]] std::optional<std::uint64_t> id_in(const MessageView& in, std::string_view field);
/// Identifies a thing.
struct ThingId {
    std::uint64_t number = 0;  ///< its id; otherwise its place in the list
    bool is_given = true;
};
/// Of the field `id`.
[[nodiscard]] ThingId thing_id_in(const MessageView& in, std::size_t place, std::string_view field = "id");
/// x, y, z of a Vector3d; unset components are 0.
[[nodiscard]] std::optional<Vector> vector_in(const MessageView& in, std::string_view field);
[[nodiscard]] Vector vector_of(const MessageView& vector);
/// Of an Orientation3d; unset angles are 0.
[[nodiscard]] Orientation orientation_in(const MessageView& in, std::string_view field);

/// The row of a repeated message field; nullptr if the schema has no such field.
[[nodiscard]] const FieldRow* repeated_messages(const MessageTable& table, std::string_view field) noexcept;

/// The enumerator of an enum field in words, without its prefix: `heavy truck` for TYPE_HEAVY_TRUCK; empty if it is
/// unset.
[[nodiscard]] std::string words_in(const MessageView& in, std::string_view field);

}  // namespace ositrace::picture
