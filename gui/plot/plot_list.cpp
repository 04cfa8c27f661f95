// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/plot_list.hpp"

#include <utility>

#include <QGuiApplication>
#include <QPalette>

#include "gui/plot/plot_view.hpp"

namespace ositrace::gui {

PlotList::PlotList(PlotModel& plot, QObject* parent)
    : QAbstractTableModel(parent), plot_(plot), rows_(static_cast<int>(plot.lines().size()))
{
    connect(&plot, &PlotModel::lines_changed, this, [this] {
        beginResetModel();
        rows_ = static_cast<int>(plot_.lines().size());
        endResetModel();
    });
    connect(&plot, &PlotModel::data_changed, this, &PlotList::note_data);
}

void PlotList::show_time(Nanoseconds time)
{
    if (std::exchange(time_, time) != time) note_data();
}

void PlotList::note_data()
{
    if (rows_ != 0) emit dataChanged(index(0, 0), index(rows_ - 1, column_count - 1));
}

int PlotList::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }
int PlotList::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QString PlotList::text(const QModelIndex& index) const
{
    const auto& line = plot_.lines()[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
    case name_column: return line.short_name();
    case value_column:
        if (!line.data) return plot_.state(plot_.entry_of(static_cast<std::size_t>(index.row())));
        return line.value_text(time_);
    default: return line.unit;
    }
}

QString PlotList::tip(std::size_t line) const
{
    const auto& of = plot_.lines()[line];
    QStringList lines{of.name, of.channel};
    if (const auto state = plot_.state(plot_.entry_of(line)); !state.isEmpty()) lines += state;
    return lines.join(QLatin1Char('\n'));
}

QVariant PlotList::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rows_) return {};
    const auto line = static_cast<std::size_t>(index.row());
    const auto& of = plot_.lines()[line];
    switch (role) {
    case Qt::DisplayRole: return text(index);
    case Qt::ToolTipRole: return tip(line);
    case Qt::CheckStateRole:
        if (index.column() == name_column) return of.is_hidden ? Qt::Unchecked : Qt::Checked;
        break;
    case Qt::DecorationRole:
        if (index.column() == name_column)
            return plot_colour(of.colour, QGuiApplication::palette().color(QPalette::Base).lightnessF() < 0.5F);
        break;
    case Qt::TextAlignmentRole:
        if (index.column() == value_column && of.data) return int(Qt::AlignRight | Qt::AlignVCenter);
        break;
    default: break;
    }
    return {};
}

bool PlotList::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::CheckStateRole) return false;
    plot_.set_hidden(static_cast<std::size_t>(index.row()), value.toInt() == Qt::Unchecked);
    return true;
}

Qt::ItemFlags PlotList::flags(const QModelIndex& index) const
{
    auto flags = QAbstractTableModel::flags(index);
    if (index.column() == name_column) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

QVariant PlotList::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == name_column ? tr("curve") : section == value_column ? tr("value") : tr("unit");
}

}  // namespace ositrace::gui
