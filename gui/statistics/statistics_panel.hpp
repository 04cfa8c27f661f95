// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <memory>
#include <vector>

#include <QWidget>

#include "gui/playback/timeline_mark.hpp"
#include "gui/selection/selection.hpp"
#include "gui/session/session.hpp"
#include "gui/statistics/channel_facts.hpp"
#include "gui/statistics/examination.hpp"
#include "gui/statistics/findings_model.hpp"

class QLabel;
class QPushButton;
class QTreeView;
class QTreeWidget;
class QTreeWidgetItem;

namespace ositrace::gui {

/// Per channel what its messages are like in time and size, and what `check` finds in them. Small traces are read as a
/// whole when their index is complete, of large ones the times; the rest when a person asks.
class StatisticsPanel : public QWidget {
    Q_OBJECT
public:
    /// Both must outlive it.
    StatisticsPanel(const Session& session, Selection& selection, QWidget* parent = nullptr);
    ~StatisticsPanel() override;

    /// Begins to read nothing before it is released: what is to be seen first has the processor, and the memory.
    void hold() noexcept { held_ = true; }
    void release();

    [[nodiscard]] const FindingsModel& findings() const noexcept { return findings_; }
    /// Is nothing being read any more?
    [[nodiscard]] bool is_settled() const;

signals:
    /// A click on a finding, a gap, a time: on the session's axis.
    void seek_requested(ositrace::Nanoseconds time);
    /// For the timeline.
    void marks_changed(const std::vector<ositrace::gui::TimelineMark>& marks);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void take_session();
    [[nodiscard]] bool awaits_examination(const OpenTrace& open) const;
    void examine(const std::shared_ptr<const Trace>& trace, Depth depth);
    void read_all();
    void show_channels();
    void show_facts(QTreeWidgetItem& item, const OpenChannel& channel);
    void add_fact(QTreeWidgetItem& above, const Fact& fact, Nanoseconds shift);
    void show_findings();
    void show_state();
    void fit_findings();
    void go_to(const PlacedFinding& finding);
    [[nodiscard]] const Examination* examination_of(const Trace* trace) const;
    [[nodiscard]] PlacedFinding placed(const Finding& finding, const Trace* trace) const;

    const Session& session_;
    Selection& selection_;
    FindingsModel findings_;
    std::map<const Trace*, std::unique_ptr<Examination>> examinations_;
    bool held_ = false;
    QTreeWidget* channels_ = nullptr;
    QTreeView* findings_view_ = nullptr;
    QLabel* state_ = nullptr;
    QPushButton* read_all_ = nullptr;
};

}  // namespace ositrace::gui
