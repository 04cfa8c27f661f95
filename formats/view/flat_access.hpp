// SPDX-License-Identifier: MPL-2.0
// How a MessageView reads FlatBuffers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/message_view.hpp>

#include "formats/flatbuffers/table.hpp"

namespace ositrace {

struct FlatAccess {
    static bool has(const MessageView& view, const FieldRow& field);
    /// Of a singular scalar.
    static std::optional<std::uint64_t> stored_scalar(const MessageView& view, const FieldRow& field);
    /// Of a singular string, bytes or message field.
    static Value reference(const MessageView& view, const FieldRow& field);
    static RepeatedView repeated(const MessageView& view, const FieldRow& field);
    static Value element(const RepeatedView& elements, std::size_t i);
    static void for_each_field(const MessageView& view, const std::function<bool(const FieldRow&)>& visit);
    static std::size_t unknown_fields(const MessageView& view);
    static flat::Vector elements_of(const MessageView& view, const FieldRow& field);
    /// Replaces the contents of `out` by a FlatBuffer whose root is the viewed table: a root offset before a copy of
    /// the buffer, in which all offsets are relative.
    static void copy_rooted(const MessageView& view, ByteBuffer& out);
    /// What the offset at `place` (whose 4 bytes were checked) points to.
    static Value target_of(const MessageView& view, const FieldRow& field, std::uint32_t place);

private:
    /// Position of the field's value in the buffer, checked; 0 = not set.
    static std::uint32_t place_of(const MessageView& view, const FieldRow& field);
};

}  // namespace ositrace
