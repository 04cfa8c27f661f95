// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QWidget>

#include "gui/selection/selection.hpp"
#include "gui/session/session.hpp"
#include "gui/states/state_reader.hpp"
#include "gui/states/state_view.hpp"
#include "gui/widgets/dock_panel.hpp"

class QCheckBox;
class QLabel;
class QLineEdit;
class QMenu;

namespace ositrace::gui {

class ChannelChooser;

/// Enums, booleans and texts of a channel over time, as coloured bars per object. Read in the background.
class StatesPanel : public QWidget, public DockPanel {
    Q_OBJECT
public:
    static constexpr std::size_t most_fields = 16;

    /// Both must outlive it.
    StatesPanel(const Session& session, Selection& selection, QWidget* parent = nullptr);

    void show_snapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
    void show_time(Nanoseconds time) override { view_->set_time(time); }
    [[nodiscard]] bool is_settled() const noexcept override { return !is_reading_; }
    /// Its fields.
    void save(QJsonObject& layout) const override;
    void restore(const QJsonObject& layout) override { set_fields(texts_of(layout, "states")); }
    /// Adds a field: a path as a query may write it. Returns false, and shows why, if it cannot be shown.
    bool add(const QString& path);
    /// Adds the field of a message in the tree, for all elements of its lists.
    void add_of(std::uint32_t source, const std::string& path);
    /// The paths of all fields.
    [[nodiscard]] QStringList fields() const;
    void set_fields(const QStringList& paths);
    /// Goes to the next or the previous change of the selected row, else of any row.
    void go(int direction);
    void focus();

    [[nodiscard]] StateView& view() noexcept { return *view_; }

signals:
    void message_requested(std::uint32_t source, std::uint64_t number);
    void seek_requested(std::chrono::nanoseconds time);

private:
    void build();
    void list_presets();
    void read();
    void show_channels();
    void show_state();
    void select_object(std::uint32_t curve);
    [[nodiscard]] const MessageTable* root() const;
    /// Of the shown channel in the session; empty: it is gone.
    [[nodiscard]] std::optional<std::uint32_t> shown_source() const;

    const Session& session_;
    Selection& selection_;
    std::shared_ptr<const Snapshot> snapshot_;
    StateReader reader_;
    std::optional<OpenChannel> channel_;  ///< that is shown
    std::vector<std::string> paths_;
    std::vector<std::size_t> shown_;  ///< places of those that the channel has
    std::uint64_t messages_ = 0;      ///< read so far
    bool is_reading_ = false;
    QStringList missing_;  ///< paths that the channel does not have
    QString problem_;
    ChannelChooser* chooser_ = nullptr;
    QMenu* presets_ = nullptr;
    QLineEdit* path_ = nullptr;
    QCheckBox* only_changes_ = nullptr;
    QLabel* note_ = nullptr;
    StateView* view_ = nullptr;
};

}  // namespace ositrace::gui
