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

#include "gui/marks/event_search.hpp"
#include "gui/marks/mark_list.hpp"
#include "gui/selection/selection.hpp"
#include "gui/selection/wanted_selection.hpp"
#include "gui/session/session.hpp"
#include "gui/widgets/dock_panel.hpp"

class QAction;
class QLabel;
class QTableView;

namespace ositrace::gui {

/// Bookmarks with notes, the findings of reports and the events of a channel as a list; the timeline shows them, too. A
/// click seeks, and selects the object of an event.
class MarksPanel : public QWidget, public DockPanel {
    Q_OBJECT
public:
    /// Both must outlive it.
    MarksPanel(Session& session, Selection& selection, QWidget* parent = nullptr);
    ~MarksPanel() override;

    void show_snapshot(const std::shared_ptr<const Snapshot>& snapshot) override;
    void show_times(const std::shared_ptr<const OpenChannels>& channels) override;
    void show_time(Nanoseconds time) override { time_ = time; }
    void show_section(const std::optional<TimeSection>& section) override;
    void hold() override { is_on_hold_ = true; }
    void release() override;
    [[nodiscard]] bool is_settled() const override { return readers_.empty() && !is_searching_; }
    /// The bookmarks, and whether events are listed.
    void save(QJsonObject& layout) const override;
    void restore(const QJsonObject& layout) override;

    /// Adds a bookmark at the shown time, or of the section, and lets the user write its note.
    void add_bookmark();
    void bookmark_section();
    /// Reads a result file of a checker in the background.
    void open_report(const QString& file);
    /// Asks for such files.
    void ask_for_reports();
    /// Lists the events of the shown channel, also of those that are shown later, until they are removed.
    void find_events();
    /// The same with other options of the table `events`.
    void find_events(const TrafficOptions& options);
    void remove_events();
    [[nodiscard]] const TrafficOptions& event_options() const noexcept { return event_options_; }
    /// What was computed of the trace by `group`, instead of what was before.
    void set_events(const QString& group, std::vector<TimelineMark> events);
    /// Seeks to a mark of the list that was clicked elsewhere, and selects its object.
    void choose(const TimelineMark& mark);
    /// Seeks to the next or the previous one.
    void go(int direction);
    /// Returns an empty text, or the error.
    QString save_csv(const QString& file) const;

    [[nodiscard]] MarkList& list() noexcept { return list_; }

signals:
    void seek_requested(std::chrono::nanoseconds time);
    void focus_requested(const ositrace::ThingKey& key);
    void marks_changed(const std::vector<ositrace::gui::TimelineMark>& marks);
    /// For the status line.
    void message(const QString& text);

private:
    void build();
    void write_note(std::optional<int> row);
    void show_report(const QString& file, std::shared_ptr<const CheckReport> report, const QString& problem);
    void show_reports(const std::shared_ptr<const OpenChannels>& channels);
    void follow_events();
    void ask_for_event_options();
    void list_events(std::uint32_t source);
    [[nodiscard]] std::optional<std::uint32_t> source_of_events() const;
    void go_to(int row);
    void go_to(Nanoseconds time, std::optional<std::uint32_t> source, std::optional<std::uint64_t> id,
               Category category);
    void show_wanted();
    void show_highlights();
    void follow_highlight(const QString& place);
    void show_state();
    void remove_chosen();
    void ask_for_csv();

    Session& session_;
    Selection& selection_;
    MarkList list_;
    std::map<QString, std::shared_ptr<const CheckReport>> reports_;  ///< by file
    std::map<QString, std::jthread> readers_;                        ///< by file
    std::shared_ptr<const OpenChannels> placed_in_;                  ///< the channels that gave the reports their times
    EventSearch search_;
    bool wants_events_ = false;
    TrafficOptions event_options_ = gui::event_options();
    std::optional<OpenChannel> searched_;       ///< as its events were listed; empty: no events are wanted
    std::optional<std::uint32_t> events_of_;    ///< its place in the session, as they were listed
    std::shared_ptr<const FoundEvents> found_;  ///< null: none, or they are being found
    std::uint64_t read_ = 0;                    ///< messages
    bool is_searching_ = false;
    bool is_on_hold_ = false;
    std::shared_ptr<const Snapshot> snapshot_;
    std::optional<WantedSelection> wanted_;
    Nanoseconds time_{};
    std::optional<TimeSection> section_;
    QTableView* view_ = nullptr;
    QLabel* state_ = nullptr;
    QLabel* highlights_ = nullptr;
    QWidget* section_button_ = nullptr;
    QAction* remove_events_ = nullptr;
};

/// Is it the name of a result file of a checker?
[[nodiscard]] bool is_report(const QString& file);

}  // namespace ositrace::gui
