// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <QTreeWidget>

#include "gui/session/moment.hpp"
#include "gui/session/session.hpp"

namespace ositrace::gui {

/// `topic ended at 1.900 s: its objects are no longer shown`, of a channel whose message `number` is past.
[[nodiscard]] QString silence_text(const OpenChannel& channel, std::uint64_t number);

/// The channels of what is open, below their files: the box shows and hides a channel in the scene, a click makes it
/// the active one.
class ChannelPanel : public QTreeWidget {
    Q_OBJECT
public:
    enum Column : int { topic_column, type_column, rate_column, messages_column, size_column, column_count };

    /// `session` must outlive it.
    explicit ChannelPanel(Session& session, QWidget* parent = nullptr);
    /// null: nothing is open.
    void show_moment(const std::shared_ptr<const Moment>& moment);
    /// Of a channel; null where there is none.
    [[nodiscard]] QTreeWidgetItem* row_of(std::uint32_t source) const;

protected:
    /// Enter shows and hides the channel: Space plays, everywhere.
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void list();
    void share_width();
    void take_times();
    void take_traces();
    void take_active();
    void set_dim(QTreeWidgetItem& row, bool dim);
    void take_box(QTreeWidgetItem* row, int column);

    Session& session_;
    bool taking_ = false;
};

}  // namespace ositrace::gui
