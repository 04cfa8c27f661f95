// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <QAbstractTableModel>
#include <QByteArray>
#include <QJsonArray>
#include <QString>

#include <ositrace/check_report.hpp>

#include "gui/playback/timeline_mark.hpp"
#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

/// Bookmarks of the user, the findings of reports, and events that were computed of the trace: a row each, in the order
/// of their times; what has no time comes last. A text of a bookmark can be edited. GUI thread.
class MarkList : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int { time_column, duration_column, kind_column, text_column, column_count };
    static constexpr std::size_t most_bookmarks = 1000;
    static constexpr qsizetype most_characters = 500;  ///< of a bookmark

    /// A row. A finding of a report may have no time.
    struct Row {
        TimelineMark mark;
        bool has_time = true;
        QString group;  ///< of a finding: the file of the report; of an event: what it was computed by
        friend bool operator==(const Row&, const Row&) = default;
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// The row of a new bookmark; empty: there are too many.
    std::optional<int> add_bookmark(Nanoseconds time, std::optional<Nanoseconds> until, const QString& text);
    /// Removes bookmarks; of a finding or an event all rows of its group.
    void remove(std::vector<int> rows);
    /// Events or findings, which replace those of the group. In any order.
    void set_group(const QString& group, std::vector<Row> rows);
    [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
    /// Those with a time.
    [[nodiscard]] std::vector<TimelineMark> marks() const;
    /// The row whose moment is the first after, or the last before a time; empty: there is none. Linear in the rows.
    [[nodiscard]] std::optional<int> row_beside(Nanoseconds time, int direction) const;

    [[nodiscard]] QJsonArray bookmarks() const;
    /// Replaces all bookmarks; ignores what is none.
    void set_bookmarks(const QJsonArray& array);
    /// All rows as comma-separated text.
    [[nodiscard]] QByteArray csv() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

signals:
    /// Rows came, went, moved or changed.
    void changed();

private:
    void replace(std::vector<Row> rows);

    std::vector<Row> rows_;
};

/// The findings of a report as rows. Their times are OSI times: those of a finding with a topic are shifted like its
/// channel, of others like the first channel. A finding without a time has that of its message, if its channel is
/// known.
[[nodiscard]] std::vector<MarkList::Row> rows_of(const CheckReport& report, const QString& group,
                                                 const OpenChannels& channels);

}  // namespace ositrace::gui
