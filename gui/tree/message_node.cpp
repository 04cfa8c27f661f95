// SPDX-License-Identifier: MPL-2.0
#include "gui/tree/message_node.hpp"

namespace ositrace::gui {

const MessageNode* MessageNode::field_node() const noexcept
{
    const auto* node = this;
    while (node->kind == Kind::element || node->kind == Kind::bucket) node = node->parent;
    return node->kind == Kind::field ? node : nullptr;
}

FieldPlace MessageNode::place() const noexcept
{
    const auto* const node = field_node();
    return node == nullptr ? FieldPlace{} : FieldPlace{node->parent->table, node->field};
}

FieldPlace MessageNode::holder() const noexcept
{
    const auto* const node = field_node();
    return node == nullptr ? FieldPlace{} : node->parent->place();
}

std::string MessageNode::path() const
{
    if (kind == Kind::channel) return {};
    auto text = parent->path();
    if (kind == Kind::element) return text + '[' + std::to_string(first) + ']';
    if (kind != Kind::field) return text;
    if (!text.empty()) text += '.';
    return text.append(field->name);
}

std::uint32_t MessageNode::source() const noexcept
{
    const auto* node = this;
    while (node->kind != Kind::channel) node = node->parent;
    return node->first;
}

std::uint32_t span_of(std::uint32_t elements) noexcept
{
    std::uint64_t span = 1;
    while (elements > span * max_rows) span *= max_rows;
    return static_cast<std::uint32_t>(span);
}

}  // namespace ositrace::gui
