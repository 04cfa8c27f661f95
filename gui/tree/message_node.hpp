// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/field_docs.hpp>
#include <ositrace/message_view.hpp>

namespace ositrace::gui {

/// What a row of the message tree shows at one moment.
struct NodeContent {
    enum class State : std::uint8_t { unset, set, broken };
    State state = State::unset;
    Value value;                                       ///< of a channel (its message), a singular field, an element
    std::shared_ptr<const RepeatedView> elements;      ///< of a repeated field that has some
    std::shared_ptr<const std::vector<bool>> present;  ///< of a message: which fields it has, by FieldRow::index
    std::string problem;                               ///< broken: why; of a channel without a message: why
    bool is_cut = false;                               ///< a message whose fields are those in front of the damage
};

/// A row of the message tree. Rows are made when their parent is opened, and read when they are looked at.
struct MessageNode {
    enum class Kind : std::uint8_t {
        channel,
        field,
        element,  ///< of a repeated field
        bucket,   ///< a range of elements: a thousand rows of a million are a list that can be scrolled
        unknown,  ///< fields that the schema does not know
        damage,   ///< what a message cannot be read beyond
    };
    Kind kind = Kind::channel;
    bool opened = false;        ///< its rows are made, and kept as the moment says
    bool had_elements = false;  ///< of a repeated field that is not opened: what views were told
    std::uint32_t row = 0;      ///< place in the parent's rows
    MessageNode* parent = nullptr;
    const MessageTable* table = nullptr;  ///< of the message that it is; null for other values
    const FieldRow* field = nullptr;      ///< of elements and buckets: the repeated field
    std::uint32_t first = 0;  ///< channel: its place in the moment; element: its number; bucket: its first element
    std::uint32_t count = 0;  ///< of a repeated field and a bucket: elements
    std::uint32_t span = 0;   ///< elements per row of an opened repeated field or bucket
    std::vector<std::unique_ptr<MessageNode>> rows;

    std::uint64_t read_at = 0;  ///< the moment that `content` is of
    NodeContent content;

    /// The row of the field that this is, or is an element of; null for a channel.
    [[nodiscard]] const MessageNode* field_node() const noexcept;
    /// The field and the message it is declared in; empty for a channel.
    [[nodiscard]] FieldPlace place() const noexcept;
    /// Of the field that holds the message that this is a field of; empty for fields of the top-level message.
    [[nodiscard]] FieldPlace holder() const noexcept;
    /// `global_ground_truth.moving_object[3].base`; of a bucket that of its repeated field; empty for a channel.
    [[nodiscard]] std::string path() const;
    /// Of the channel that it stands in.
    [[nodiscard]] std::uint32_t source() const noexcept;
};

/// How many rows an opened node has at most; a repeated field with more elements has buckets.
inline constexpr std::uint32_t max_rows = 1000;

/// Elements per row for so many elements: 1, 1000, 1 000 000.
[[nodiscard]] std::uint32_t span_of(std::uint32_t elements) noexcept;

}  // namespace ositrace::gui
