// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <QTreeWidget>

#include "gui/session/session.hpp"
#include "gui/widgets/dock_panel.hpp"

class QMenu;

namespace ositrace::gui {

/// `topic ended at 1.900 s: its objects are no longer shown`, for a channel whose message `number` is past.
[[nodiscard]] QString silence_text(const OpenChannel& channel, std::uint64_t number);

/// The open channels, below their files: the box shows or hides a channel in the scene, a click selects the active
/// channel.
class ChannelPanel : public QTreeWidget, public DockPanel {
    Q_OBJECT
public:
    enum Column : int { topic_column, type_column, rate_column, messages_column, size_column, column_count };

    /// `session` must outlive it.
    explicit ChannelPanel(Session& session, QWidget* parent = nullptr);
    void show_snapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
    /// The row of a channel; null if there is none.
    [[nodiscard]] QTreeWidgetItem* row_of(std::uint32_t source) const;
    /// What can be done with a channel: show, step through, colour, opacity, time offset, export.
    void fill_menu(QMenu& menu, std::uint32_t source);
    /// Colour, opacity and time offset of the channels that have one, by their names.
    void save(QJsonObject& layout) const override;
    void restore(const QJsonObject& layout) override;

signals:
    void export_requested(std::uint32_t source);

protected:
    /// Enter shows or hides the channel; Space plays, as everywhere.
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void list();
    void share_width();
    void update_times();
    void update_files();
    void update_active();
    void set_dim(QTreeWidgetItem& row, bool dim);
    void apply_box(QTreeWidgetItem* row, int column);

    [[nodiscard]] static std::uint32_t source_of(const QTreeWidgetItem& row);
    void add_colours(QMenu& menu, std::uint32_t source);
    void ask_for_offset(std::uint32_t source);
    void apply_stored();

    /// Of a layout; for channels that are not open yet, too.
    struct Stored {
        QString name;
        ChannelStyle style;
        Nanoseconds offset{};
    };
    Session& session_;
    std::vector<Stored> stored_;
    bool updating_ = false;
};

}  // namespace ositrace::gui
