// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <QWidget>

#include "gui/find/finder.hpp"
#include "gui/find/found_model.hpp"
#include "gui/selection/selection.hpp"
#include "gui/selection/wanted_selection.hpp"
#include "gui/session/session.hpp"
#include "gui/widgets/dock_panel.hpp"

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace ositrace::gui {

class ChannelChooser;

/// Finds the messages of a channel for which an expression holds, and lists for which objects, when and with which
/// values. A click in the list shows the message and selects the object.
class FindPanel : public QWidget, public DockPanel {
    Q_OBJECT
public:
    /// Both must outlive it.
    FindPanel(const Session& session, Selection& selection, QWidget* parent = nullptr);
    ~FindPanel() override;

    void show_snapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
    void show_section(const std::optional<TimeSection>& section) override;
    [[nodiscard]] bool is_settled() const noexcept override { return !is_searching_; }
    /// The expression.
    void save(QJsonObject& layout) const override;
    void restore(const QJsonObject& layout) override;
    /// Names and expressions to begin with.
    [[nodiscard]] static std::vector<std::pair<QString, QString>> named_examples();
    /// Writes the expression and searches.
    void find(const QString& expression);
    void focus();
    /// Goes to the next or the previous row of the list, from the shown message.
    void go(int direction);
    [[nodiscard]] std::optional<int> row_beside(std::uint64_t shown, int direction) const;

    [[nodiscard]] const FoundModel& found() const noexcept { return model_; }
    /// Writes the list to a file in the background; exported() follows.
    void write_csv(const QString& file);

signals:
    void message_requested(std::uint32_t source, std::uint64_t number);
    /// When the expression holds, on the session's time axis; empty: nowhere.
    void found_changed(std::uint32_t source, const std::vector<ositrace::TimeSection>& sections);
    /// `problem`: empty if the file was written.
    void exported(const QString& problem);

private:
    void build();
    void add_examples(QToolButton& button);
    bool find_example(const QString& words);
    void find_limit(double limit);
    void find_nearest();
    [[nodiscard]] static QString with_speed(const QString& text, const MessageTable& root);
    void start();
    void clear();
    void show_channels();
    void show_update(const FindUpdate& update);
    void show_end(const FindEnd& end);
    void show_problem(const QString& problem);
    void show_state();
    void show_runs();
    void go_to_row(int row);
    void go_to_extreme(const QString& which);
    void export_list();
    /// Of the listed channel in the session; empty: it is gone.
    [[nodiscard]] std::optional<std::uint32_t> listed_source() const;

    const Session& session_;
    Selection& selection_;
    std::shared_ptr<const Snapshot> snapshot_;
    std::optional<TimeSection> section_;
    Finder finder_;
    FoundModel model_;
    Finder nearest_;  ///< what comes nearest, if nothing is found
    FoundModel nearest_model_;
    FoundRuns runs_;
    FindUpdate last_;  ///< its totals
    bool is_searching_ = false;
    QString searched_;  ///< the expression of the list
    TimeSpan searched_time_;
    QString problem_;
    std::optional<WantedSelection> wanted_;
    std::jthread writer_;
    ChannelChooser* channel_ = nullptr;
    QLineEdit* words_ = nullptr;
    QDoubleSpinBox* limit_ = nullptr;  ///< of an example
    QString limit_expression_;         ///< with `%1` in its place
    QCheckBox* in_section_ = nullptr;
    QToolButton* start_ = nullptr;
    QToolButton* previous_ = nullptr;
    QToolButton* next_ = nullptr;
    QToolButton* export_ = nullptr;
    QLabel* note_ = nullptr;
    QTableView* view_ = nullptr;
};

}  // namespace ositrace::gui
