// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QSet>
#include <QTreeView>

#include "gui/tree/message_tree_model.hpp"

namespace ositrace::gui {

/// The tree of messages. What a person has opened is opened again when it comes back: an object that was gone for a
/// while, a channel.
class MessageTreeView : public QTreeView {
    Q_OBJECT
public:
    /// `model` must outlive it.
    explicit MessageTreeView(MessageTreeModel& model, QWidget* parent = nullptr);

    void copy_value();
    void copy_path();
    /// Opens the rows above and shows it.
    void reveal(const QModelIndex& index);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void rowsInserted(const QModelIndex& parent, int first, int last) override;

private:
    [[nodiscard]] QString key_of(const QModelIndex& index) const;
    void reopen(const QModelIndex& parent, int first, int last);

    MessageTreeModel& model_;
    QSet<QString> opened_;
};

}  // namespace ositrace::gui
