// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <utility>

#include <QGuiApplication>
#include <QPalette>

#include "gui/plot/plot_model.hpp"
#include "gui/plot/plot_view.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr int all_digits = 17;  // of a double

/// A real number with the digits that one reads; the tip has all of them.
QString shown_value(const PlotLine& line, Nanoseconds time)
{
    const bool is_real_number = line.field == nullptr || is_real(line.field->kind);
    const auto value = is_real_number ? line.value(time) : std::nullopt;
    return value ? rounded_text(*value) : line.value_text(time);
}

}  // namespace

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

void PlotList::set_visible(const std::optional<TimeSection>& visible)
{
    visible_ = visible.value_or(TimeSection{Nanoseconds::min(), Nanoseconds::max()});
    note_data();
}

/// Of the columns after the unit.
std::optional<double> PlotList::number(const QModelIndex& index) const
{
    if (!index.isValid() || index.row() >= rows_ || index.column() < least_column) return std::nullopt;
    const auto summary = plot_.lines()[static_cast<std::size_t>(index.row())].summary(visible_);
    if (summary.count == 0) return std::nullopt;
    return index.column() == least_column  ? summary.range.least
           : index.column() == most_column ? summary.range.most
                                           : summary.mean();
}

std::optional<Nanoseconds> PlotList::time_of(const QModelIndex& index) const
{
    const auto value = number(index);
    return value ? plot_.lines()[static_cast<std::size_t>(index.row())].time_nearest(*value, visible_) : std::nullopt;
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
        return shown_value(line, time_);
    case unit_column: return line.unit;
    default: const auto value = number(index); return value ? rounded_text(*value) : QString();
    }
}

QString PlotList::tip(const QModelIndex& index) const
{
    const auto line = static_cast<std::size_t>(index.row());
    const auto& of = plot_.lines()[line];
    QStringList lines{of.name, of.channel};
    if (const auto value = number(index))
        return lines[0] + QLatin1Char('\n') +
               tr("%1 of the samples in the visible times; a double click jumps there")
                   .arg(rounded_text(*value, all_digits));
    if (of.data) lines += of.value_text(time_);
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
    case Qt::ToolTipRole: return tip(index);
    case Qt::CheckStateRole:
        if (index.column() == name_column) return of.is_hidden ? Qt::Unchecked : Qt::Checked;
        break;
    case Qt::DecorationRole:
        if (index.column() == name_column)
            return plot_colour(of.colour, QGuiApplication::palette().color(QPalette::Base).lightnessF() < 0.5F);
        break;
    case Qt::TextAlignmentRole:
        if ((index.column() == value_column && of.data) || index.column() >= least_column)
            return int(Qt::AlignRight | Qt::AlignVCenter);
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
    switch (section) {
    case name_column: return tr("curve");
    case value_column: return tr("value");
    case unit_column: return tr("unit");
    case least_column: return tr("min");
    case most_column: return tr("max");
    default: return tr("mean");
    }
}

}  // namespace ositrace::gui
