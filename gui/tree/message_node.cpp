// SPDX-License-Identifier: MPL-2.0
#include "gui/tree/message_node.hpp"

#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/message_check.hpp>

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

namespace {

/// Finds the fields of a message in one scan; throws if the message is broken.
std::shared_ptr<const std::vector<bool>> present_fields(const MessageView& message)
{
    auto present = std::make_shared<std::vector<bool>>(message.table().fields.size());
    message.for_each_field([&](const FieldRow& field) {
        (*present)[field.index] = true;
        return true;
    });
    return present;
}

/// The fields of a broken table; a field that cannot be read counts as present: its row shows the error. Throws if the
/// table itself is broken.
std::shared_ptr<const std::vector<bool>> fields_of_broken_table(const MessageView& message)
{
    static_cast<void>(message.unknown_fields());
    auto present = std::make_shared<std::vector<bool>>();
    for (const auto& field : message.table().fields) {
        try {
            present->push_back(message.has(field));
        } catch (const Error&) {
            present->push_back(true);
        }
    }
    return present;
}

}  // namespace

void NodeReader::show(std::shared_ptr<const Snapshot> snapshot)
{
    snapshot_ = std::move(snapshot);
    ++generation_;
}

const NodeContent& NodeReader::content(MessageNode& node) const
{
    if (node.read_at == generation_) return node.content;
    node.content = {};
    node.read_at = generation_;
    try {
        read(node, node.content);
        note_fields(node.content);
    } catch (const Error& error) {
        node.content = {.state = NodeContent::State::broken, .problem = error.what()};
    }
    return node.content;
}

void NodeReader::note_fields(NodeContent& content)
{
    auto* const message = std::get_if<MessageView>(&content.value);
    if (message == nullptr) return;
    try {
        content.present = present_fields(*message);
        return;
    } catch (const Error& error) {
        content.state = NodeContent::State::broken;
        content.problem = error.what();
    }
    content.is_cut = message->format().encoding == Encoding::protobuf;
    if (content.is_cut) *message = up_to_damage(*message);
    content.present = content.is_cut ? present_fields(*message) : fields_of_broken_table(*message);
}

const MessageView* NodeReader::message(MessageNode& node) const
{
    return std::get_if<MessageView>(&content(node).value);
}

std::size_t NodeReader::unknown_fields(MessageNode& node) const
{
    const auto* const view = message(node);
    return view == nullptr ? 0 : view->unknown_fields();  // content() has read it without an error
}

void NodeReader::read(MessageNode& node, NodeContent& content) const
{
    switch (node.kind) {
    case MessageNode::Kind::channel: return read_channel(node, content);
    case MessageNode::Kind::field: return read_field(node, content);
    case MessageNode::Kind::element: return read_element(node, content);
    case MessageNode::Kind::bucket:
    case MessageNode::Kind::unknown: content.state = NodeContent::State::set; return;
    case MessageNode::Kind::damage:
        content.state = NodeContent::State::broken;
        content.problem = this->content(*node.parent).problem;
    }
}

void NodeReader::read_channel(const MessageNode& node, NodeContent& content) const
{
    const auto& shown = snapshot_->channels[node.first];
    content.problem = shown.problem;
    if (!shown.problem.empty()) content.state = NodeContent::State::broken;
    if (!shown.frame) return;
    content.state = NodeContent::State::set;
    if (shown.channel->root == nullptr) {
        content.problem = shown.channel->unviewable.empty()
                              ? (shown.channel->type_name.empty() ? "messages without a type"
                                                                  : "messages of type " + shown.channel->type_name) +
                                    "  cannot be decoded"
                              : shown.channel->unviewable;
        return;
    }
    content.value = MessageView(shown.frame->bytes, *shown.channel->root, shown.channel->format);
}

void NodeReader::read_field(const MessageNode& node, NodeContent& content) const
{
    const auto& field = *node.field;
    const auto* const view = message(*node.parent);
    if (view == nullptr || !(*node.parent->content.present)[field.index]) return;
    if (field.repeated)
        content.elements = std::make_shared<const RepeatedView>(view->repeated(field));
    else
        content.value = view->get(field);
    content.state = NodeContent::State::set;
}

void NodeReader::read_element(const MessageNode& node, NodeContent& content) const
{
    auto* repeated = node.parent;
    while (repeated->kind != MessageNode::Kind::field) repeated = repeated->parent;
    const auto& elements = this->content(*repeated).elements;
    if (elements == nullptr || node.first >= elements->size()) return;
    content.value = (*elements)[node.first];
    content.state = NodeContent::State::set;
}

}  // namespace ositrace::gui
