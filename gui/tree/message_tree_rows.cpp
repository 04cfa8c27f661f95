// SPDX-License-Identifier: MPL-2.0
// Insertion and removal of rows when their parent is opened and when the time changes.
#include "gui/tree/message_tree_model.hpp"

#include <algorithm>
#include <utility>

namespace ositrace::gui {

namespace {

/// Rows of fields are in the order of the schema, followed by that of unknown fields, and last by that of the damage.
constexpr std::uint32_t place_of_unknown = UINT32_MAX - 1, place_of_damage = UINT32_MAX;

std::uint32_t place_of(const MessageNode& row) noexcept
{
    if (row.kind == MessageNode::Kind::damage) return place_of_damage;
    return row.field == nullptr ? place_of_unknown : row.field->index;
}

std::unique_ptr<MessageNode> row_at(const MessageTable& table, std::uint32_t place)
{
    auto row = std::make_unique<MessageNode>();
    row->kind = place == place_of_damage ? MessageNode::Kind::damage : MessageNode::Kind::unknown;
    if (place >= table.fields.size()) return row;
    row->kind = MessageNode::Kind::field;
    row->field = &table.fields[place];
    if (!row->field->repeated) row->table = row->field->child;
    return row;
}

std::unique_ptr<MessageNode> element_row(const FieldRow& field, std::uint32_t first, bool is_bucket)
{
    auto row = std::make_unique<MessageNode>();
    row->kind = is_bucket ? MessageNode::Kind::bucket : MessageNode::Kind::element;
    row->field = &field;
    row->first = first;
    if (!is_bucket) row->table = field.child;
    return row;
}

std::unique_ptr<MessageNode> channel_row(const ShownFrame& shown, std::uint32_t place)
{
    auto row = std::make_unique<MessageNode>();
    row->table = shown.channel->root;
    row->row = row->first = place;
    return row;
}

}  // namespace

void MessageTreeModel::show(std::shared_ptr<const Snapshot> snapshot)
{
    if (snapshot.get() == reader_.snapshot()) return;
    if (!have_same_channels(reader_.snapshot(), snapshot.get())) return reset_rows(std::move(snapshot));
    reader_.show(std::move(snapshot));
    update_all();
}

void MessageTreeModel::reset_rows(std::shared_ptr<const Snapshot> snapshot)
{
    if (!channels_.empty()) {
        beginRemoveRows({}, 0, static_cast<int>(channels_.size()) - 1);
        channels_.clear();
        endRemoveRows();
    }
    reader_.show(std::move(snapshot));
    if (reader_.snapshot() == nullptr || reader_.snapshot()->channels.empty()) return;
    beginInsertRows({}, 0, static_cast<int>(reader_.snapshot()->channels.size()) - 1);
    for (const auto& channel : reader_.snapshot()->channels)
        channels_.push_back(channel_row(channel, static_cast<std::uint32_t>(channels_.size())));
    endInsertRows();
}

void MessageTreeModel::show_unset(bool shows)
{
    if (shows == shows_unset_) return;
    shows_unset_ = shows;
    expandable_changed_ = true;
    update_all();
}

void MessageTreeModel::update_all()
{
    for (const auto& channel : channels_)
        if (channel->opened) update(*channel);
    if (!channels_.empty())
        emit dataChanged(index_of(*channels_.front()), index_of(*channels_.back(), column_count - 1));
    // Views cache which rows can be opened until the layout changes.
    if (!std::exchange(expandable_changed_, false)) return;
    emit layoutAboutToBeChanged();
    emit layoutChanged();
}

/// Updates the rows below an opened row for the snapshot.
void MessageTreeModel::update(MessageNode& node)
{
    if (node.table != nullptr)
        update_fields(node);
    else
        update_elements(node);
    if (node.rows.empty()) return;
    emit dataChanged(index_of(*node.rows.front()), index_of(*node.rows.back(), column_count - 1));
    if (node.table != nullptr) note_expandable_rows(node);
    for (const auto& row : node.rows)
        if (row->opened) update(*row);
}

void MessageTreeModel::note_expandable_rows(MessageNode& node)
{
    const auto& present = reader_.content(node).present;
    for (const auto& row : node.rows) {
        if (row->opened || row->field == nullptr || !row->field->repeated) continue;
        const bool has_elements = present != nullptr && (*present)[row->field->index];
        expandable_changed_ = expandable_changed_ || has_elements != row->had_elements;
        row->had_elements = has_elements;
    }
}

std::vector<std::uint32_t> MessageTreeModel::wanted_places(MessageNode& node) const
{
    const auto& content = reader_.content(node);
    // The unset fields of a broken message are unknown.
    const bool with_unset = shows_unset_ && content.state != NodeContent::State::broken;
    std::vector<std::uint32_t> wanted;
    for (const auto& field : node.table->fields)
        if (with_unset || (content.present != nullptr && (*content.present)[field.index]))
            wanted.push_back(field.index);
    if (reader_.unknown_fields(node) != 0) wanted.push_back(place_of_unknown);
    if (content.is_cut) wanted.push_back(place_of_damage);
    return wanted;
}

void MessageTreeModel::update_fields(MessageNode& node)
{
    const auto wanted = wanted_places(node);
    for (auto at = node.rows.size(); at-- != 0;)
        if (!std::ranges::binary_search(wanted, place_of(*node.rows[at]))) remove(node, at, at + 1);
    for (std::size_t at = 0; at < wanted.size(); ++at) {
        Rows missing;
        for (auto next = at; next < wanted.size(); ++next) {
            if (at < node.rows.size() && wanted[next] >= place_of(*node.rows[at])) break;
            missing.push_back(row_at(*node.table, wanted[next]));
        }
        const auto inserted = missing.size();
        if (inserted == 0) continue;
        insert(node, at, std::move(missing));
        at += inserted - 1;
    }
}

void MessageTreeModel::update_elements(MessageNode& node)
{
    if (node.kind == MessageNode::Kind::field) {
        const auto& elements = reader_.content(node).elements;
        node.count = elements == nullptr ? 0 : static_cast<std::uint32_t>(elements->size());
    }
    const auto span = span_of(node.count);
    if (span != node.span) remove(node, 0, node.rows.size());
    node.span = span;
    const std::size_t wanted = (std::uint64_t{node.count} + span - 1) / span;
    if (wanted < node.rows.size()) remove(node, wanted, node.rows.size());
    Rows missing;
    for (auto i = node.rows.size(); i < wanted; ++i)
        missing.push_back(element_row(*node.field, node.first + static_cast<std::uint32_t>(i) * span, span != 1));
    insert(node, node.rows.size(), std::move(missing));
    if (span == 1) return;
    for (std::size_t i = 0; i != wanted; ++i)
        node.rows[i]->count = std::min(span, node.count - static_cast<std::uint32_t>(i) * span);
}

void MessageTreeModel::insert(MessageNode& node, std::size_t at, Rows rows)
{
    if (rows.empty()) return;
    beginInsertRows(index_of(node), static_cast<int>(at), static_cast<int>(at + rows.size()) - 1);
    for (const auto& row : rows) row->parent = &node;
    node.rows.insert(node.rows.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(rows.begin()),
                     std::make_move_iterator(rows.end()));
    for (auto i = at; i != node.rows.size(); ++i) node.rows[i]->row = static_cast<std::uint32_t>(i);
    endInsertRows();
}

void MessageTreeModel::remove(MessageNode& node, std::size_t from, std::size_t to)
{
    if (from == to) return;
    beginRemoveRows(index_of(node), static_cast<int>(from), static_cast<int>(to) - 1);
    node.rows.erase(node.rows.begin() + static_cast<std::ptrdiff_t>(from),
                    node.rows.begin() + static_cast<std::ptrdiff_t>(to));
    for (auto i = from; i != node.rows.size(); ++i) node.rows[i]->row = static_cast<std::uint32_t>(i);
    endRemoveRows();
}

}  // namespace ositrace::gui
