// SPDX-License-Identifier: MPL-2.0
#include "gui/statistics/findings_model.hpp"

#include <QColor>

#include "gui/playback/time_text.hpp"
#include "gui/tree/value_text.hpp"

namespace ositrace::gui {

namespace {

constexpr qsizetype tip_characters = 2000;

QColor colour_of(Severity severity)
{
    if (severity == Severity::error) return {0xdb, 0x44, 0x37};
    return severity == Severity::warning ? QColor(0xd8, 0x8a, 0x00) : QColor(0x3b, 0x82, 0xc4);
}

/// `osi.timestamp_is_set` of `asam.net:osi:3.8.0:osi.timestamp_is_set`
QString short_rule(const std::string& id) { return QString::fromStdString(id.substr(id.rfind(':') + 1)); }

}  // namespace

std::optional<TimelineMark> mark_of(const PlacedFinding& finding)
{
    if (!finding.time) return std::nullopt;
    return TimelineMark{*finding.time, finding.source, finding.finding.severity, visible_text(finding.finding.message, shown_characters)};
}

void FindingsModel::show(std::vector<PlacedFinding> findings)
{
    beginResetModel();
    findings_ = std::move(findings);
    endResetModel();
}

std::vector<TimelineMark> FindingsModel::marks() const
{
    std::vector<TimelineMark> marks;
    for (const auto& finding : findings_)
        if (auto mark = mark_of(finding)) marks.push_back(std::move(*mark));
    return marks;
}

int FindingsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(findings_.size()); }

int FindingsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QVariant FindingsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const auto& [finding, at, source] = findings_[static_cast<std::size_t>(index.row())];
    if (role == Qt::ForegroundRole && index.column() == severity) return colour_of(finding.severity);
    if (role == Qt::ToolTipRole && index.column() == field) return visible_text(finding.field, tip_characters).toHtmlEscaped();
    if (role == Qt::ToolTipRole) return visible_text(finding.message, tip_characters).toHtmlEscaped();
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case severity: return QString::fromUtf8(name_of(finding.severity));
    case Column::time: return at ? QString::fromStdString(seconds_text(*at, std::chrono::milliseconds(1))) : QString();
    case frame: return finding.frame ? QVariant(static_cast<qulonglong>(*finding.frame)) : QVariant();
    case field: return visible_text(finding.field, shown_characters);
    case message: return visible_text(finding.message, shown_characters);
    case rule: return short_rule(finding.id);
    default: return {};
    }
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case severity: return tr("Severity");
    case time: return tr("Time");
    case frame: return tr("Frame");
    case field: return tr("Field");
    case message: return tr("Finding");
    case rule: return tr("Rule");
    default: return {};
    }
}

}  // namespace ositrace::gui
