// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include <QWidget>

#include "gui/find/search_bar.hpp"
#include "gui/plot/plot_model.hpp"
#include "gui/plot/plot_sides.hpp"
#include "gui/plot/plot_summary.hpp"
#include "gui/plot/plot_view.hpp"
#include "gui/selection/selection.hpp"
#include "gui/session/session.hpp"
#include "gui/widgets/dock_panel.hpp"

class QCompleter;
class QLabel;
class QLineEdit;
class QMenu;
class QSplitter;
class QStringListModel;
class QTreeView;

namespace ositrace::gui {

class ChannelChooser;

/// Plots: a line for the path of a field, the curves, and their list with the values at the time on the screen, and the
/// least, greatest and mean ones.
class PlotPanel : public QWidget, public DockPanel {
    Q_OBJECT
public:
    /// Both must outlive it.
    PlotPanel(Session& session, Selection& selection, QWidget* parent = nullptr);
    ~PlotPanel() override;

    void show_snapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
    void show_time(Nanoseconds time) override;
    void show_section(const std::optional<TimeSection>& section) override;
    /// Is everything read, and painted if it can be seen?
    [[nodiscard]] bool is_settled() const noexcept override;
    void save(QJsonObject& layout) const override;
    void restore(const QJsonObject& layout) override;
    /// Adds a curve; the line shows why it is refused.
    void plot(std::uint32_t source, const std::string& expression);
    /// Plots the selected field or object; of an object its speed.
    void plot_selected();
    /// Moves the keyboard focus to the line.
    void focus_line();

    [[nodiscard]] PlotModel& model() noexcept { return model_; }
    /// The current one of those side by side.
    [[nodiscard]] PlotView& view() noexcept { return sides_->current(); }
    [[nodiscard]] PlotSides& sides() noexcept { return *sides_; }

signals:
    void seek_requested(std::chrono::nanoseconds time);
    void section_chosen(const std::optional<ositrace::TimeSection>& section);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    QWidget* build_bar();
    void share_room();
    void show_summary();
    void widen_columns();
    void connect_parts();
    void show_extent();
    void complete(const QString& text);
    void accept_completion(const QString& path);
    void add_typed();
    void show_lines();
    void show_notes();
    void show_problem(const QString& problem);
    void remove_chosen();
    void derive(const char* function);
    void add_moves(QMenu& menu, const std::vector<std::size_t>& lines);
    void show_list_menu(const QPoint& place);
    [[nodiscard]] std::vector<std::size_t> chosen_lines() const;
    [[nodiscard]] std::uint32_t source() const;
    [[nodiscard]] const SchemaPaths* paths_of(std::uint32_t source);
    [[nodiscard]] std::string selected_path() const;

    Session& session_;
    Selection& selection_;
    PlotModel model_;
    PlotList list_;
    std::shared_ptr<const Snapshot> snapshot_;
    std::optional<TimeSection> section_;
    std::map<const MessageTable*, SchemaPaths> paths_;
    std::vector<std::shared_ptr<const Channel>> channels_of_paths_;  ///< keep the tables alive that are keys of paths_
    ChannelChooser* channel_ = nullptr;
    QLineEdit* line_ = nullptr;
    QCompleter* completer_ = nullptr;
    QStringListModel* completions_ = nullptr;
    QLabel* problem_ = nullptr;
    QLabel* notes_ = nullptr;
    PlotSides* sides_ = nullptr;
    PlotSummary* summary_ = nullptr;
    QTreeView* rows_ = nullptr;
    QSplitter* parts_ = nullptr;
};

}  // namespace ositrace::gui
