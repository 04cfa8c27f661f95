// SPDX-License-Identifier: MPL-2.0
#include "gui/marks/mark_list.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <QJsonObject>

#include "gui/text/csv.hpp"
#include "gui/text/quantity.hpp"
#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

constexpr QLatin1String bookmark_time("time_ns"), bookmark_until("until_ns"), bookmark_text("text");

/// What has no time comes last.
bool is_before(const MarkList::Row& a, const MarkList::Row& b)
{
    return std::pair(!a.has_time, a.mark.time) < std::pair(!b.has_time, b.mark.time);
}

QString kind_text(const MarkList::Row& row)
{
    switch (row.mark.kind) {
    case MarkKind::bookmark: return MarkList::tr("bookmark");
    case MarkKind::finding: return QString::fromUtf8(name_of(row.mark.severity));
    default: return row.mark.name;
    }
}

}  // namespace

std::optional<int> MarkList::add_bookmark(Nanoseconds time, std::optional<Nanoseconds> until, const QString& text)
{
    const auto count = std::ranges::count_if(rows_, [](const Row& row) { return row.mark.kind == MarkKind::bookmark; });
    if (static_cast<std::size_t>(count) >= most_bookmarks) return std::nullopt;
    Row added;
    added.mark.time = time;
    added.mark.kind = MarkKind::bookmark;
    added.mark.until = until;
    added.mark.text = text.left(most_characters);
    const auto place = std::ranges::upper_bound(rows_, added, is_before);
    const auto row = static_cast<int>(place - rows_.begin());
    beginInsertRows({}, row, row);
    rows_.insert(place, std::move(added));
    endInsertRows();
    emit changed();
    return row;
}

void MarkList::remove(std::vector<int> rows)
{
    std::set<QString> groups;
    std::set<int> chosen;
    for (const auto each : rows) {
        if (each < 0 || each >= rowCount()) continue;
        const auto& row = rows_[static_cast<std::size_t>(each)];
        if (row.mark.kind == MarkKind::bookmark)
            chosen.insert(each);
        else
            groups.insert(row.group);
    }
    std::vector<Row> kept;
    for (int i = 0; i != rowCount(); ++i) {
        const auto& row = rows_[static_cast<std::size_t>(i)];
        const bool is_gone = row.mark.kind == MarkKind::bookmark ? chosen.contains(i) : groups.contains(row.group);
        if (!is_gone) kept.push_back(row);
    }
    replace(std::move(kept));
}

void MarkList::set_group(const QString& group, std::vector<Row> rows)
{
    std::vector<Row> all;
    for (auto& each : rows_)
        if (each.mark.kind == MarkKind::bookmark || each.group != group) all.push_back(each);
    for (auto& each : rows) {
        each.group = group;
        all.push_back(std::move(each));
    }
    std::ranges::stable_sort(all, is_before);
    if (all != rows_) replace(std::move(all));
}

void MarkList::replace(std::vector<Row> rows)
{
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
    emit changed();
}

std::vector<TimelineMark> MarkList::marks() const
{
    std::vector<TimelineMark> marks;
    for (const auto& each : rows_)
        if (each.has_time) marks.push_back(each.mark);
    return marks;
}

std::optional<int> MarkList::row_beside(Nanoseconds time, int direction) const
{
    std::optional<int> nearest;
    Nanoseconds at{};
    for (int i = 0; i != rowCount(); ++i) {
        const auto& row = rows_[static_cast<std::size_t>(i)];
        const auto moment = row.mark.moment();
        if (!row.has_time || (direction > 0 ? moment <= time : moment >= time)) continue;
        if (nearest && (direction > 0 ? moment >= at : moment < at)) continue;
        nearest = i;
        at = moment;
    }
    return nearest;
}

QJsonArray MarkList::bookmarks() const
{
    QJsonArray array;
    for (const auto& each : rows_) {
        if (each.mark.kind != MarkKind::bookmark) continue;
        // As text: a number of JSON is a double.
        QJsonObject object{{bookmark_time, QString::number(each.mark.time.count())}, {bookmark_text, each.mark.text}};
        if (each.mark.until) object.insert(bookmark_until, QString::number(each.mark.until->count()));
        array.append(object);
    }
    return array;
}

void MarkList::set_bookmarks(const QJsonArray& array)
{
    std::vector<Row> all;
    for (const auto& each : rows_)
        if (each.mark.kind != MarkKind::bookmark) all.push_back(each);
    std::size_t count = 0;
    for (const auto& each : array) {
        const auto object = each.toObject();
        bool is_time = false, is_until = false;
        Row row;
        row.mark.kind = MarkKind::bookmark;
        row.mark.time = Nanoseconds(object.value(bookmark_time).toString().toLongLong(&is_time));
        const auto until = Nanoseconds(object.value(bookmark_until).toString().toLongLong(&is_until));
        if (is_until && until >= row.mark.time) row.mark.until = until;
        row.mark.text = object.value(bookmark_text).toString().left(most_characters);
        if (is_time && count++ < most_bookmarks) all.push_back(std::move(row));
    }
    std::ranges::stable_sort(all, is_before);
    if (all != rows_) replace(std::move(all));
}

QByteArray MarkList::csv() const
{
    QByteArray text = "time [s],until [s],kind,text,of\n";
    for (const auto& each : rows_) {
        if (each.has_time) text += csv_time(each.mark.time);
        text += ',';
        if (each.mark.until) text += csv_time(*each.mark.until);
        text += ',' + csv_field(kind_text(each)) + ',' + csv_field(each.mark.text) + ',' + csv_field(each.group) + '\n';
    }
    return text;
}

int MarkList::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}
int MarkList::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QVariant MarkList::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::EditRole && index.column() == text_column) return row.mark.text;
    if (role == Qt::ForegroundRole && index.column() == kind_column) return colour_of(row.mark);
    if (role == Qt::ToolTipRole)
        return QStringList{row.mark.name, row.mark.text, row.group}.join(QLatin1Char('\n')).trimmed();
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case time_column: return row.has_time ? seconds_text(row.mark.time, std::chrono::milliseconds(1)) : tr("no time");
    case duration_column: return row.mark.until ? duration_text(row.mark.time, *row.mark.until) : QString();
    case kind_column: return kind_text(row);
    default: return visible_text(row.mark.text.toStdString(), shown_characters);
    }
}

bool MarkList::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable)) return false;
    rows_[static_cast<std::size_t>(index.row())].mark.text = value.toString().left(most_characters);
    emit dataChanged(index, index);
    emit changed();
    return true;
}

Qt::ItemFlags MarkList::flags(const QModelIndex& index) const
{
    auto flags = QAbstractTableModel::flags(index);
    const bool is_text = index.isValid() && index.row() < rowCount() && index.column() == text_column;
    if (is_text && rows_[static_cast<std::size_t>(index.row())].mark.kind == MarkKind::bookmark)
        flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant MarkList::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case time_column: return tr("Time");
    case duration_column: return tr("Duration");
    case kind_column: return tr("Kind");
    default: return tr("Text");
    }
}

std::vector<MarkList::Row> rows_of(const CheckReport& report, const QString& group, const OpenChannels& channels)
{
    std::map<std::string_view, std::uint32_t> by_topic;
    for (std::uint32_t i = 0; i != channels.size(); ++i) by_topic.try_emplace(channels[i].channel->topic, i);
    std::vector<MarkList::Row> rows;
    rows.reserve(report.findings.size());
    for (const auto& each : report.findings) {
        auto& row = rows.emplace_back();
        row.group = group;
        row.mark.severity = each.severity;
        row.mark.name = visible_text(each.rule.empty() ? each.checker : each.rule, shown_characters);
        // `moving_object[3].id: is not set (id.is_set)`
        const auto& place = each.field.empty() ? each.place : each.field;
        const auto rule = each.rule.substr(each.rule.rfind(':') + 1);
        row.mark.text = (place.empty() ? QString() : QString::fromStdString(place) + QStringLiteral(": ")) +
                        QString::fromStdString(each.message) +
                        (rule.empty() ? QString() : QStringLiteral(" (%1)").arg(QString::fromStdString(rule)));
        const auto named = by_topic.find(each.channel);
        if (!each.channel.empty() && named != by_topic.end()) row.mark.source = named->second;
        if (channels.size() == 1) row.mark.source = 0;
        const auto shift = channels.empty() ? Nanoseconds(0) : channels[row.mark.source.value_or(0)].shift;
        row.has_time = false;
        if (each.time) {
            row.mark.time = shifted(*each.time, shift);
            row.has_time = true;
        } else if (each.message_number && row.mark.source) {
            const auto& channel = channels[*row.mark.source];
            row.has_time = *each.message_number >= channel.times->first && *each.message_number < channel.times->count;
            if (row.has_time) row.mark.time = channel.time_of(*each.message_number);
        }
    }
    return rows;
}

}  // namespace ositrace::gui
