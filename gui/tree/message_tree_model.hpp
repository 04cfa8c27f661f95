// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <QAbstractItemModel>

#include "gui/tree/message_node.hpp"

namespace ositrace::gui {

/// The messages of a snapshot as a tree: a row per field of the schema, set or not. Rows are created when their parent
/// is opened (fetchMore) and read when they are displayed. Another snapshot changes values and rows in place: indexes
/// stay valid.
class MessageTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column : int { field_column, value_column, unit_column, type_column, column_count };

    using QAbstractItemModel::QAbstractItemModel;
    /// null: nothing is open.
    void show(std::shared_ptr<const Snapshot> snapshot);
    [[nodiscard]] const Snapshot* snapshot() const noexcept { return reader_.snapshot(); }
    void show_unset(bool shows);

    /// The row at a path, opening the rows above it; if the message lacks a part of the path, the last existing row.
    [[nodiscard]] QModelIndex find(std::uint32_t source, std::string_view path);
    /// The node of a valid index of this model.
    [[nodiscard]] const MessageNode& node(const QModelIndex& index) const noexcept { return *node_of(index); }
    [[nodiscard]] const NodeContent& content(const QModelIndex& index) const
    {
        return reader_.content(*node_of(index));
    }
    /// The complete value, up to copied_characters; a message or a list as JSON; the reason if that is not possible.
    [[nodiscard]] QString copied_text(const QModelIndex& index) const;
    /// Number of existing rows, of all levels.
    [[nodiscard]] std::size_t made_rows() const noexcept;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] bool hasChildren(const QModelIndex& parent = {}) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    /// Rows can be dragged; the view decides what is.
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override
    {
        const auto flags = QAbstractItemModel::flags(index);
        return index.isValid() ? flags | Qt::ItemIsDragEnabled : flags;
    }

private:
    using Rows = std::vector<std::unique_ptr<MessageNode>>;

    static MessageNode* node_of(const QModelIndex& index) noexcept
    {
        return static_cast<MessageNode*>(index.internalPointer());
    }
    [[nodiscard]] QModelIndex index_of(const MessageNode& node, int column = 0) const;
    void reset_rows(std::shared_ptr<const Snapshot> snapshot);

    void update_all();
    void update(MessageNode& node);
    void note_expandable_rows(MessageNode& node);
    void update_fields(MessageNode& node);
    void update_elements(MessageNode& node);
    [[nodiscard]] std::vector<std::uint32_t> wanted_places(MessageNode& node) const;
    void insert(MessageNode& node, std::size_t at, Rows rows);
    void remove(MessageNode& node, std::size_t from, std::size_t to);

    [[nodiscard]] QString field_text(const MessageNode& node) const;
    [[nodiscard]] QString shown_value(MessageNode& node) const;
    [[nodiscard]] QString channel_text(const MessageNode& node) const;
    [[nodiscard]] QString channel_tip(MessageNode& node) const;
    [[nodiscard]] QString tip(MessageNode& node, int column) const;
    [[nodiscard]] QVariant colour(MessageNode& node, int column) const;

    NodeReader reader_;
    Rows channels_;
    bool shows_unset_ = true;
    bool expandable_changed_ = false;  ///< the set of rows that can be opened has changed
};

}  // namespace ositrace::gui
