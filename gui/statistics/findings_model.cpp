// SPDX-License-Identifier: MPL-2.0
#include "gui/statistics/statistics_panel.hpp"

#include <algorithm>
#include <utility>

#include "gui/text/quantity.hpp"
#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

constexpr qsizetype tip_characters = 2000;

/// `timestamp.is_set` of `ositrace.alt:osi:3.8.0:timestamp.is_set`
QString short_rule(const std::string& id) { return QString::fromStdString(id.substr(id.rfind(':') + 1)); }

/// `moving_object[3].id: is not set`
QString finding_text(const Finding& finding, qsizetype most)
{
    const auto text = visible_text(finding.message, most);
    return finding.field.empty() ? text : visible_text(finding.field, most) + QStringLiteral(": ") + text;
}

/// Empty if it has no time.
std::optional<TimelineMark> mark_of(const PlacedFinding& placed)
{
    if (!placed.time) return std::nullopt;
    auto text = finding_text(placed.finding, shown_characters);
    if (placed.count > 1) text = QObject::tr("%1 times: %2").arg(count_text(placed.count), text);
    return TimelineMark{*placed.time, placed.source, placed.finding.severity, text, placed.count};
}

}  // namespace

void FindingsModel::show(std::vector<FindingGroup> groups)
{
    const auto same_rows = [](const FindingGroup& a, const FindingGroup& b) {
        return a.rule.id == b.rule.id && a.listed.size() == b.listed.size();
    };
    if (std::ranges::equal(groups_, groups, same_rows)) {
        groups_ = std::move(groups);
        for (int row = 0; row != rowCount(); ++row) {
            const auto group = index(row, 0);
            emit dataChanged(group, index(row, column_count - 1));
            emit dataChanged(index(0, 0, group), index(rowCount(group) - 1, column_count - 1, group));
        }
        return;
    }
    beginResetModel();
    groups_ = std::move(groups);
    endResetModel();
}

bool FindingsModel::is_marked(const FindingGroup& group) const
{
    const auto chosen = chosen_.find(group.rule.id);
    return chosen == chosen_.end() ? !group.is_usual : chosen->second;
}

std::vector<TimelineMark> FindingsModel::marks() const
{
    std::vector<TimelineMark> marks;
    for (const auto& group : groups_) {
        if (!is_marked(group)) continue;
        for (const auto* const findings : {&group.listed, &group.unlisted})
            for (const auto& finding : *findings)
                if (auto mark = mark_of(finding)) marks.push_back(std::move(*mark));
    }
    return marks;
}

std::size_t FindingsModel::muted() const
{
    return static_cast<std::size_t>(
        std::ranges::count_if(groups_, [this](const FindingGroup& group) { return !is_marked(group); }));
}

const PlacedFinding* FindingsModel::finding(const QModelIndex& index) const
{
    if (!index.parent().isValid()) return nullptr;
    return &groups_[static_cast<std::size_t>(index.parent().row())].listed[static_cast<std::size_t>(index.row())];
}

/// The internal id of a finding is the row of its rule plus 1; that of a rule is 0.
QModelIndex FindingsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || row >= rowCount(parent) || column < 0 || column >= column_count) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex FindingsModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == 0) return {};
    return createIndex(static_cast<int>(child.internalId() - 1), 0, quintptr{0});
}

int FindingsModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid()) return static_cast<int>(groups_.size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].listed.size());
}

int FindingsModel::columnCount(const QModelIndex& /*parent*/) const { return column_count; }

Qt::ItemFlags FindingsModel::flags(const QModelIndex& index) const
{
    const bool is_rule = index.isValid() && index.internalId() == 0 && index.column() == message;
    return QAbstractItemModel::flags(index) | (is_rule ? Qt::ItemIsUserCheckable : Qt::NoItemFlags);
}

bool FindingsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !flags(index).testFlag(Qt::ItemIsUserCheckable)) return false;
    chosen_[groups_[static_cast<std::size_t>(index.row())].rule.id] = value.toInt() == Qt::Checked;
    emit dataChanged(index, index, {Qt::CheckStateRole});
    emit marks_changed();
    return true;
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const auto* const placed = finding(index);
    if (placed != nullptr) return finding_data(*placed, index.column(), role);
    return group_data(groups_[static_cast<std::size_t>(index.row())], index.column(), role);
}

QVariant FindingsModel::group_data(const FindingGroup& group, int column, int role) const
{
    if (role == Qt::ForegroundRole && column == severity) return colour_of(group.rule.severity);
    if (role == Qt::CheckStateRole && column == message) return is_marked(group) ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::ToolTipRole) {
        const auto text = visible_text(group.rule.description, tip_characters).toHtmlEscaped();
        const auto where =
            group.is_usual ? tr("Nearly every frame violates it: its marks would cover all others.") : QString();
        return tr("<p>%1</p><p>%2, found %3 times. %4 Checked: marked on the timeline.</p>")
            .arg(text, QString::fromUtf8(name_of(group.rule.severity)), count_text(group.rule.count), where);
    }
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case message: return tr("not met: %1").arg(visible_text(group.rule.description, shown_characters));
    case time: return group.rule.count == 1 ? tr("once") : tr("%1 times").arg(count_text(group.rule.count));
    case severity: return QString::fromUtf8(name_of(group.rule.severity));
    case rule: return short_rule(group.rule.id);
    default: return {};
    }
}

QVariant FindingsModel::finding_data(const PlacedFinding& placed, int column, int role)
{
    const auto& finding = placed.finding;
    if (role == Qt::ForegroundRole && column == severity) return colour_of(finding.severity);
    if (role == Qt::ToolTipRole) return finding_text(finding, tip_characters).toHtmlEscaped();
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case severity: return QString::fromUtf8(name_of(finding.severity));
    case Column::time: return placed.time ? seconds_text(*placed.time, std::chrono::milliseconds(1)) : QString();
    case frame: return finding.frame ? QVariant(static_cast<qulonglong>(*finding.frame)) : QVariant();
    case message: return finding_text(finding, shown_characters);
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
    case message: return tr("Finding");
    case rule: return tr("Rule");
    default: return {};
    }
}

}  // namespace ositrace::gui
