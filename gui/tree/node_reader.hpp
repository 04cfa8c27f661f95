// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include "gui/session/moment.hpp"
#include "gui/tree/message_node.hpp"

namespace ositrace::gui {

/// Reads rows of the message tree out of the frames of a moment: each when it is asked for, and once. What is broken
/// becomes content: of a broken message, what stands in front of the damage.
class NodeReader {
public:
    void show(std::shared_ptr<const Moment> moment);
    /// May be null.
    [[nodiscard]] const Moment* moment() const noexcept { return moment_.get(); }

    [[nodiscard]] const NodeContent& content(MessageNode& node) const;
    /// The message that a row is, up to its damage; nullptr where it is none, unset, or nothing of it can be read.
    [[nodiscard]] const MessageView* message(MessageNode& node) const;
    /// Fields of a message that the schema does not know.
    [[nodiscard]] std::size_t unknown_fields(MessageNode& node) const;

private:
    static void note_fields(NodeContent& content);
    void read(MessageNode& node, NodeContent& content) const;
    void read_channel(const MessageNode& node, NodeContent& content) const;
    void read_field(const MessageNode& node, NodeContent& content) const;
    void read_element(const MessageNode& node, NodeContent& content) const;

    std::shared_ptr<const Moment> moment_;
    std::uint64_t generation_ = 0;
};

}  // namespace ositrace::gui
