// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/field_docs.hpp>
#include <ositrace/message_view.hpp>

#include "gui/session/snapshot.hpp"

namespace ositrace::gui {

/// The content of a row of the message tree in a snapshot.
struct NodeContent {
    enum class State : std::uint8_t { unset, set, broken };
    State state = State::unset;
    Value value;                                       ///< of a channel (its message), a singular field or an element
    std::shared_ptr<const RepeatedView> elements;      ///< of a repeated field with elements
    std::shared_ptr<const std::vector<bool>> present;  ///< of a message: the fields that are set, by FieldRow::index
    std::string problem;                               ///< of a broken row or a channel without a message: the reason
    bool is_cut = false;                               ///< a message that is shown up to the damage only
};

/// A row of the message tree. Rows are created when their parent is opened, and read when they are displayed.
struct MessageNode {
    enum class Kind : std::uint8_t {
        channel,
        field,
        element,  ///< of a repeated field
        bucket,   ///< a range of elements, so that lists of a million elements can be scrolled
        unknown,  ///< fields that are not in the schema
        damage,   ///< the damage that ends a message
    };
    Kind kind = Kind::channel;
    bool opened = false;        ///< its rows exist and follow the snapshot
    bool had_elements = false;  ///< of a repeated field that is not opened: had elements when views were last notified
    std::uint32_t row = 0;      ///< index in the parent's rows
    MessageNode* parent = nullptr;
    const MessageTable* table = nullptr;  ///< of a message; null for other values
    const FieldRow* field = nullptr;      ///< for elements and buckets: the repeated field
    std::uint32_t first = 0;  ///< channel: its index in the snapshot; element: its index; bucket: its first element
    std::uint32_t count = 0;  ///< of a repeated field or a bucket: number of elements
    std::uint32_t span = 0;   ///< of an opened repeated field or bucket: elements per row
    std::vector<std::unique_ptr<MessageNode>> rows;

    std::uint64_t read_at = 0;  ///< the snapshot that `content` belongs to
    NodeContent content;

    /// The row of the field that this row is, or is an element of; null for a channel.
    [[nodiscard]] const MessageNode* field_node() const noexcept;
    /// The field and the message it is declared in; empty for a channel.
    [[nodiscard]] FieldPlace place() const noexcept;
    /// The field that contains the message of this field; empty for fields of the top-level message.
    [[nodiscard]] FieldPlace holder() const noexcept;
    /// `global_ground_truth.moving_object[3].base`; a bucket has the path of its repeated field; empty for a channel.
    [[nodiscard]] std::string path() const;
    /// Index of its channel.
    [[nodiscard]] std::uint32_t source() const noexcept;
};

/// The most rows of an opened node; a repeated field with more elements has buckets.
inline constexpr std::uint32_t max_rows = 1000;

/// Elements per row for a number of elements: 1, 1000, 1 000 000.
[[nodiscard]] std::uint32_t span_of(std::uint32_t elements) noexcept;

/// Reads rows of the message tree from the frames of a snapshot: each on demand, and once. Damage becomes content: a
/// broken message is shown up to the damage.
class NodeReader {
public:
    void show(std::shared_ptr<const Snapshot> snapshot);
    /// May be null.
    [[nodiscard]] const Snapshot* snapshot() const noexcept { return snapshot_.get(); }

    [[nodiscard]] const NodeContent& content(MessageNode& node) const;
    /// The message of a row, up to its damage; nullptr if it is not a message, unset, or unreadable.
    [[nodiscard]] const MessageView* message(MessageNode& node) const;
    /// Number of fields of a message that are not in the schema.
    [[nodiscard]] std::size_t unknown_fields(MessageNode& node) const;

private:
    static void note_fields(NodeContent& content);
    void read(MessageNode& node, NodeContent& content) const;
    void read_channel(const MessageNode& node, NodeContent& content) const;
    void read_field(const MessageNode& node, NodeContent& content) const;
    void read_element(const MessageNode& node, NodeContent& content) const;

    std::shared_ptr<const Snapshot> snapshot_;
    std::uint64_t generation_ = 0;
};

}  // namespace ositrace::gui
