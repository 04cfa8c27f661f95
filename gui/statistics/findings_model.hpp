// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <QAbstractItemModel>

#include <ositrace/check.hpp>

#include "gui/playback/timeline_mark.hpp"

namespace ositrace::gui {

/// A finding of `check` and where it stands in the session.
struct PlacedFinding {
    Finding finding;
    std::optional<Nanoseconds> time;      ///< on the session's axis
    std::optional<std::uint32_t> source;  ///< the channel
    std::uint64_t count = 1;              ///< of equal ones that it stands for
};

/// All findings of a rule.
struct FindingGroup {
    FindingCount rule;
    bool is_usual = false;                ///< nearly every frame breaks it
    std::vector<PlacedFinding> listed;    ///< in the order they were found
    std::vector<PlacedFinding> unlisted;  ///< become marks, not rows
};

/// Findings, a row per rule with their number, and below it a row per finding. A rule that nearly every frame breaks
/// has no marks on the timeline until a person checks its row.
class FindingsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column : int { message, time, severity, frame, rule, column_count };

    using QAbstractItemModel::QAbstractItemModel;
    /// What a person has checked and unchecked stays so; where the rows are the same, what is opened and selected, too.
    void show(std::vector<FindingGroup> groups);
    /// nullptr for the row of a rule.
    [[nodiscard]] const PlacedFinding* finding(const QModelIndex& index) const;
    /// Of the rules that are marked, those with a time.
    [[nodiscard]] std::vector<TimelineMark> marks() const;
    /// Rules with findings that are not marked.
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
    std::map<std::string, bool> chosen_;  ///< by id: marked or not, as a person wants it
};

}  // namespace ositrace::gui
