// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <vector>

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QString>
#include <QTableView>

namespace ositrace::gui {

struct ResultColumn {
    QString title;
    QString tip;
    bool is_number = true;
    friend bool operator==(const ResultColumn&, const ResultColumn&) = default;
};

struct ResultCell {
    QString text;
    std::optional<double> number = {};  ///< that the column is sorted by; empty cells are last
};

struct ResultRow {
    std::vector<ResultCell> cells;
    bool is_odd = false;  ///< missed, ghost, different
    QString tip = {};
};

struct ResultTable {
    std::vector<ResultColumn> columns;
    std::vector<ResultRow> rows;
};

/// Shows a table that is replaced as a whole.
class ResultTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int sort_role = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;
    /// A table of the same columns keeps the sorting and, by their places, the rows.
    void show(ResultTable table);
    [[nodiscard]] const ResultTable& table() const noexcept { return table_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    ResultTable table_;
};

/// Sorts by number, cells without one last.
class ResultSorter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

/// A sorted table of which one row is selected.
class ResultView : public QTableView {
    Q_OBJECT
public:
    explicit ResultView(const char* name, QWidget* parent = nullptr);
    /// `sorted_by`: the column that a new kind of table is sorted by, in descending order; negative: not sorted.
    void show_table(ResultTable table, int sorted_by);
    /// Selects a row of the table without reporting it; empty: none.
    void mark(std::optional<int> row);
    /// The selected row of the table; empty: none.
    [[nodiscard]] std::optional<int> marked() const;
    [[nodiscard]] ResultTableModel& rows() noexcept { return model_; }
    /// The row of the table that is displayed at a place.
    [[nodiscard]] int row_at(int displayed) const { return sorter_.mapToSource(sorter_.index(displayed, 0)).row(); }

signals:
    /// The user selected a row of the table, or clicked on it again.
    void chosen(int row);
    /// The user clicked on a row twice.
    void opened(int row);

private:
    void fit_columns();

    ResultTableModel model_;
    ResultSorter sorter_;
    bool marking_ = false;
};

}  // namespace ositrace::gui
