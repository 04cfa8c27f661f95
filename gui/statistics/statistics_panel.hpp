// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <QAbstractItemModel>
#include <QString>
#include <QWidget>

#include <ositrace/check.hpp>
#include <ositrace/trace_summary.hpp>

#include "gui/playback/timeline_mark.hpp"
#include "gui/selection/selection.hpp"
#include "gui/session/session.hpp"
#include "gui/statistics/examination.hpp"
#include "gui/widgets/dock_panel.hpp"

class QLabel;
class QPushButton;
class QTreeView;
class QTreeWidget;
class QTreeWidgetItem;

namespace ositrace::gui {

/// A finding of `check` and its place in the session.
struct PlacedFinding {
    Finding finding;
    std::optional<Nanoseconds> time;      ///< on the session's time axis
    std::optional<std::uint32_t> source;  ///< the channel
    std::uint64_t count = 1;              ///< number of equal findings that it represents
};

/// All findings of a rule.
struct FindingGroup {
    FindingCount rule;
    bool is_usual = false;                ///< nearly every frame violates it
    std::vector<PlacedFinding> listed;    ///< in the order of the check
    std::vector<PlacedFinding> unlisted;  ///< shown as marks, not as rows
};

/// Findings: a row per rule with the number of findings, and below it a row per finding. A rule that nearly every frame
/// violates has no marks on the timeline until the user checks its row.
class FindingsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column : int { message, time, severity, frame, rule, column_count };

    using QAbstractItemModel::QAbstractItemModel;
    /// Keeps the boxes that the user has checked or unchecked; if the rows are the same, also the opened and selected
    /// ones.
    void show(std::vector<FindingGroup> groups);
    /// nullptr for the row of a rule.
    [[nodiscard]] const PlacedFinding* finding(const QModelIndex& index) const;
    /// The findings with a time, of the marked rules.
    [[nodiscard]] std::vector<TimelineMark> marks() const;
    /// Number of rules with findings that are not marked.
    [[nodiscard]] std::size_t muted() const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

signals:
    void marks_changed();

private:
    [[nodiscard]] bool is_marked(const FindingGroup& group) const;
    [[nodiscard]] QVariant group_data(const FindingGroup& group, int column, int role) const;
    [[nodiscard]] static QVariant finding_data(const PlacedFinding& placed, int column, int role);

    std::vector<FindingGroup> groups_;
    std::map<std::string, bool> chosen_;  ///< by id: marked or not, as selected by the user
};

/// A line of the statistics of a channel.
struct Fact {
    QString name;
    QString value;
    QString tip;
    std::optional<Nanoseconds> time = {};  ///< trace time that a click seeks to
    bool is_odd = false;                   ///< suspicious: gaps, times that go backward
};

/// The statistics of a channel, from a summary: count, times, rate, sizes, gaps, jitter.
[[nodiscard]] std::vector<Fact> facts_of(const ChannelSummary& channel);
/// Its gaps: a click seeks to each.
[[nodiscard]] std::vector<Fact> gaps_of(const ChannelSummary& channel);

/// Statistics of times and sizes per channel, and the findings of `check`. Small traces are read completely when their
/// index is complete; of large traces only the times, and the rest on request.
class StatisticsPanel : public QWidget, public DockPanel {
    Q_OBJECT
public:
    /// Both must outlive it.
    StatisticsPanel(const Session& session, Selection& selection, QWidget* parent = nullptr);
    ~StatisticsPanel() override;

    void hold() noexcept override { on_hold_ = true; }
    void release() override;
    [[nodiscard]] bool is_settled() const override;

    [[nodiscard]] const FindingsModel& findings() const noexcept { return findings_; }

signals:
    /// A click on a finding, a gap or a time; on the session's time axis.
    void seek_requested(ositrace::Nanoseconds time);
    /// The marks for the timeline.
    void marks_changed(const std::vector<ositrace::gui::TimelineMark>& marks);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void update_from_session();
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
    bool on_hold_ = false;
    QTreeWidget* channels_ = nullptr;
    QTreeView* findings_view_ = nullptr;
    QLabel* state_ = nullptr;
    QPushButton* read_all_ = nullptr;
};

}  // namespace ositrace::gui
