// SPDX-License-Identifier: MPL-2.0
#include "gui/compare/result_table.hpp"

#include <algorithm>
#include <utility>

#include <QColor>
#include <QHeaderView>
#include <QScopedValueRollback>

#include "gui/widgets/theme_colours.hpp"

namespace ositrace::gui {

void ResultTableModel::show(ResultTable table)
{
    const bool starts_anew = table.columns != table_.columns;
    const auto before = static_cast<int>(table_.rows.size()), now = static_cast<int>(table.rows.size());
    if (starts_anew) {
        beginResetModel();
        table_ = std::move(table);
        return endResetModel();
    }
    if (now < before) {
        beginRemoveRows({}, now, before - 1);
        table_.rows.resize(table.rows.size());
        endRemoveRows();
    } else if (now > before) {
        beginInsertRows({}, before, now - 1);
        table_.rows = std::move(table.rows);
        endInsertRows();
    }
    if (now <= before) table_.rows = std::move(table.rows);
    if (now != 0) emit dataChanged(index(0, 0), index(now - 1, columnCount() - 1));
}

int ResultTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(table_.rows.size());
}

int ResultTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(table_.columns.size());
}

QVariant ResultTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto column = static_cast<std::size_t>(index.column());
    const auto& row = table_.rows[static_cast<std::size_t>(index.row())];
    if (column >= row.cells.size()) return {};
    const auto& cell = row.cells[column];
    const bool is_number = table_.columns[column].is_number;
    switch (role) {
    case Qt::DisplayRole: return cell.text;
    case Qt::ToolTipRole: return row.tip.isEmpty() ? cell.text : row.tip;
    case Qt::TextAlignmentRole: return QVariant((is_number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole: return row.is_odd ? QVariant(colour_of(Tone::warning)) : QVariant();
    case sort_role:
        if (!is_number) return cell.text;
        return cell.number ? QVariant(*cell.number) : QVariant();
    default: return {};
    }
}

QVariant ResultTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const auto& column = table_.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::ToolTipRole) return column.tip;
    return {};
}

bool ResultSorter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const auto a = left.data(ResultTableModel::sort_role), b = right.data(ResultTableModel::sort_role);
    if (a.isValid() != b.isValid()) return a.isValid() == (sortOrder() == Qt::AscendingOrder);
    if (a.typeId() == QMetaType::QString) return a.toString().localeAwareCompare(b.toString()) < 0;
    return a.toDouble() < b.toDouble();
}

ResultView::ResultView(const char* name, QWidget* parent) : QTableView(parent)
{
    setObjectName(QLatin1String(name));
    sorter_.setSourceModel(&model_);
    setModel(&sorter_);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setSortingEnabled(true);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTextElideMode(Qt::ElideRight);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setHighlightSections(false);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        if (!marking_ && current.isValid()) emit chosen(sorter_.mapToSource(current).row());
    });
    // The selected row again: the user may have gone to another time meanwhile.
    connect(this, &QTableView::clicked, this,
            [this](const QModelIndex& index) { emit chosen(sorter_.mapToSource(index).row()); });
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { emit opened(sorter_.mapToSource(index).row()); });
}

void ResultView::show_table(ResultTable table, int sorted_by)
{
    const QScopedValueRollback marking(marking_, true);
    const bool is_new = table.columns != model_.table().columns;
    model_.show(std::move(table));
    if (!is_new) return;
    sortByColumn(sorted_by, Qt::DescendingOrder);
    fit_columns();
}

void ResultView::fit_columns()
{
    const auto& columns = model_.table().columns;
    if (columns.empty()) return;
    const bool has_paths = !columns.back().is_number;  // and values of any length in the last column
    horizontalHeader()->setStretchLastSection(has_paths);
    for (std::size_t i = 0; i != columns.size(); ++i) {
        const auto least = columns[i].is_number ? QStringLiteral("000.00")
                           : has_paths ? QStringLiteral("global_ground_truth.moving_object[id=100].base.position.x")
                                       : QStringLiteral("heavy truck");
        const auto metrics = fontMetrics();
        setColumnWidth(static_cast<int>(i), std::max(metrics.horizontalAdvance(columns[i].title) + 24,
                                                     metrics.horizontalAdvance(least) + 16));
    }
}

void ResultView::mark(std::optional<int> row)
{
    const QScopedValueRollback marking(marking_, true);
    const auto index = row ? sorter_.mapFromSource(model_.index(*row, 0)) : QModelIndex();
    if (!index.isValid()) {
        selectionModel()->clear();
    } else if (currentIndex().row() != index.row()) {
        setCurrentIndex(index);
        scrollTo(index);
    }
}

std::optional<int> ResultView::marked() const
{
    if (!currentIndex().isValid()) return std::nullopt;
    return sorter_.mapToSource(currentIndex()).row();
}

}  // namespace ositrace::gui
