// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <QString>
#include <QStringList>
#include <QWidget>

#include <ositrace/check_report.hpp>
#include <ositrace/timeline.hpp>

#include "gui/marks/mark_list.hpp"
#include "gui/session/session.hpp"
#include "gui/widgets/dock_panel.hpp"

class QLabel;
class QTableView;

namespace ositrace::gui {

/// Bookmarks with notes, the findings of reports and events as a list; the timeline shows them, too. A click seeks.
class MarksPanel : public QWidget, public DockPanel {
    Q_OBJECT
public:
    /// `session` must outlive it.
    explicit MarksPanel(Session& session, QWidget* parent = nullptr);
    ~MarksPanel() override;

    void show_times(const std::shared_ptr<const OpenChannels>& channels) override;
    void show_time(Nanoseconds time) override { time_ = time; }
    void show_section(const std::optional<TimeSection>& section) override;
    [[nodiscard]] bool is_settled() const override { return readers_.empty(); }
    /// The bookmarks.
    void save(QJsonObject& layout) const override;
    void restore(const QJsonObject& layout) override;

    /// Adds a bookmark at the shown time, or of the section, and lets the user write its note.
    void add_bookmark();
    void bookmark_section();
    /// Reads a result file of a checker in the background.
    void open_report(const QString& file);
    /// Asks for such files.
    void ask_for_reports();
    /// What was computed of the trace by `group`, instead of what was before.
    void set_events(const QString& group, std::vector<TimelineMark> events);
    /// Seeks to the next or the previous one.
    void go(int direction);
    /// Returns an empty text, or the error.
    QString save_csv(const QString& file) const;

    [[nodiscard]] MarkList& list() noexcept { return list_; }

signals:
    void seek_requested(std::chrono::nanoseconds time);
    void marks_changed(const std::vector<ositrace::gui::TimelineMark>& marks);
    /// For the status line.
    void message(const QString& text);

private:
    void build();
    void write_note(std::optional<int> row);
    void show_report(const QString& file, std::shared_ptr<const CheckReport> report, const QString& problem);
    void show_state();
    void remove_chosen();
    void ask_for_csv();

    Session& session_;
    MarkList list_;
    std::map<QString, std::shared_ptr<const CheckReport>> reports_;  ///< by file
    std::map<QString, std::jthread> readers_;                        ///< by file
    std::shared_ptr<const OpenChannels> placed_in_;                  ///< the channels that gave the reports their times
    Nanoseconds time_{};
    std::optional<TimeSection> section_;
    QTableView* view_ = nullptr;
    QLabel* state_ = nullptr;
    QWidget* section_button_ = nullptr;
};

/// Is it the name of a result file of a checker?
[[nodiscard]] bool is_report(const QString& file);

}  // namespace ositrace::gui
