// SPDX-License-Identifier: MPL-2.0
// The interface for views. Insertion and removal of rows: message_tree_rows.cpp; their texts: message_tree_text.cpp.
#include "gui/tree/message_tree_model.hpp"

#include <algorithm>
#include <charconv>

namespace ositrace::gui {

namespace {

/// `moving_object[3]`, the first part of a path.
struct PathPart {
    std::string_view name;
    std::optional<std::uint32_t> element;
};

PathPart next_part(std::string_view& path)
{
    const auto end = std::min(path.find('.'), path.size());
    auto part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    const auto bracket = std::min(part.find('['), part.size());
    PathPart found{part.substr(0, bracket), {}};
    part.remove_prefix(std::min(bracket + 1, part.size()));
    std::uint32_t element = 0;
    if (std::from_chars(part.data(), part.data() + part.size(), element).ec == std::errc{}) found.element = element;
    return found;
}

std::size_t count_rows(const std::vector<std::unique_ptr<MessageNode>>& rows) noexcept
{
    auto count = rows.size();
    for (const auto& row : rows) count += count_rows(row->rows);
    return count;
}

}  // namespace

std::size_t MessageTreeModel::made_rows() const noexcept { return count_rows(channels_); }

QModelIndex MessageTreeModel::index_of(const MessageNode& node, int column) const
{
    return createIndex(static_cast<int>(node.row), column, &node);
}

QModelIndex MessageTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    const auto& rows = parent.isValid() ? node_of(parent)->rows : channels_;
    if (row < 0 || static_cast<std::size_t>(row) >= rows.size() || column < 0 || column >= column_count ||
        parent.column() > 0)
        return {};
    return index_of(*rows[static_cast<std::size_t>(row)], column);
}

QModelIndex MessageTreeModel::parent(const QModelIndex& child) const
{
    const auto* const above = child.isValid() ? node_of(child)->parent : nullptr;
    return above == nullptr ? QModelIndex() : index_of(*above);
}

int MessageTreeModel::rowCount(const QModelIndex& parent) const
{
    if (parent.column() > 0) return 0;
    return static_cast<int>(parent.isValid() ? node_of(parent)->rows.size() : channels_.size());
}

int MessageTreeModel::columnCount(const QModelIndex& /*parent*/) const { return column_count; }

bool MessageTreeModel::hasChildren(const QModelIndex& parent) const
{
    if (!parent.isValid()) return !channels_.empty();
    if (parent.column() > 0) return false;
    auto& node = *node_of(parent);
    if (node.opened) return !node.rows.empty();
    if (node.kind == MessageNode::Kind::bucket) return true;
    const auto& content = reader_.content(node);
    if (content.elements != nullptr) return content.elements->size() != 0;
    if (node.table == nullptr) return false;
    if (content.state == NodeContent::State::broken) return content.present != nullptr;
    if (shows_unset_) return !node.table->fields.empty();
    return content.present != nullptr &&
           (std::ranges::find(*content.present, true) != content.present->end() || reader_.unknown_fields(node) != 0);
}

bool MessageTreeModel::canFetchMore(const QModelIndex& parent) const
{
    return parent.isValid() && !node_of(parent)->opened && hasChildren(parent);
}

void MessageTreeModel::fetchMore(const QModelIndex& parent)
{
    if (!canFetchMore(parent)) return;
    auto& node = *node_of(parent);
    node.opened = true;
    update(node);
}

QModelIndex MessageTreeModel::find(std::uint32_t source, std::string_view path)
{
    if (source >= channels_.size()) return {};
    auto* node = channels_[source].get();
    const auto open = [this](const MessageNode& opened) -> const Rows& {
        fetchMore(index_of(opened));
        return opened.rows;
    };
    while (!path.empty()) {
        const auto part = next_part(path);
        const auto& fields = open(*node);
        const auto field = std::ranges::find_if(
            fields, [&](const auto& row) { return row->field != nullptr && row->field->name == part.name; });
        if (field == fields.end()) break;
        node = field->get();
        if (!part.element) continue;
        const auto& list = *node;
        while (node->field->repeated && node->kind != MessageNode::Kind::element) {
            const auto& rows = open(*node);
            const auto place =
                rows.empty() || *part.element < node->first ? rows.size() : (*part.element - node->first) / node->span;
            if (place >= rows.size()) return index_of(list);
            node = rows[place].get();
        }
    }
    return index_of(*node);
}

}  // namespace ositrace::gui
