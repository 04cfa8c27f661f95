// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <vector>

#include <QAbstractTableModel>

#include <ositrace/check.hpp>

#include "gui/playback/timeline_mark.hpp"

namespace ositrace::gui {

/// A finding of `check` and where it stands in the session.
struct PlacedFinding {
    Finding finding;
    std::optional<Nanoseconds> time;      ///< on the session's axis
    std::optional<std::uint32_t> source;  ///< the channel
};

/// Empty where it has no time.
[[nodiscard]] std::optional<TimelineMark> mark_of(const PlacedFinding& finding);

/// Findings, one a row, in the order they were found.
class FindingsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int { severity, time, message, field, frame, rule, column_count };

    using QAbstractTableModel::QAbstractTableModel;
    void show(std::vector<PlacedFinding> findings);
    [[nodiscard]] const PlacedFinding& finding(int row) const { return findings_[static_cast<std::size_t>(row)]; }
    /// Of those with a time.
    [[nodiscard]] std::vector<TimelineMark> marks() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<PlacedFinding> findings_;
};

}  // namespace ositrace::gui
