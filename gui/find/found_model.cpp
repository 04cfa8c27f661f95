// SPDX-License-Identifier: MPL-2.0
#include "gui/find/found_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <QCoreApplication>

#include "gui/text/csv.hpp"
#include "gui/text/quantity.hpp"
#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

Value borrowed(const QueryValue& value)
{
    return std::visit(
        [](const auto& each) -> Value {
            if constexpr (std::is_same_v<std::decay_t<decltype(each)>, std::string>)
                return std::string_view(each);
            else
                return each;
        },
        value);
}

bool has_range(const FoundValue& value, const FieldRow& row)
{
    return row.kind != FieldKind::enumeration && value.least && *value.least != *value.most;
}

/// With the digits of the kind of the field.
QString number_text(const FieldRow& row, double number)
{
    if (row.kind == FieldKind::float_) return value_text(row, static_cast<float>(number));
    return value_text(row, number);
}

/// Six digits: the file has all of them.
QString short_number(double number)
{
    constexpr int digits = 6;
    const bool is_integer = number == std::trunc(number) && std::abs(number) < 1e15;
    return is_integer ? QString::number(number, 'f', 0) : QString::number(number, 'g', digits);
}

/// The time of the message after the last one of a span; at the end of the trace that of its last message.
Nanoseconds end_of(const FoundSpan& span, const OpenChannel& channel)
{
    return channel.time_of(span.last + 1 < channel.times->count ? span.last + 1 : span.last);
}

}  // namespace

QString object_text(const FoundSpan& span)
{
    if (span.path.empty()) return {};
    auto list = QString::fromStdString(span.list).replace(QLatin1Char('_'), QLatin1Char(' '));
    if (span.id) return QStringLiteral("%1 %2").arg(list).arg(*span.id);
    const auto bracket = span.path.rfind('[');
    return list + QLatin1Char(' ') + QString::fromStdString(span.path.substr(bracket));
}

/// Without the list of the object, which has a column of its own: `along(base.acceleration, base.velocity)`.
QString short_name(const Query::Field& field, const std::string& list)
{
    auto name = QString::fromStdString(field.path);
    if (list.empty() || !field.is_computed()) return name;
    for (const auto* const pick : {"[*].", "."}) name.remove(QString::fromStdString(list) + QLatin1String(pick));
    return name;
}

QString values_text(const FoundSpan& span, const FoundList& list)
{
    const auto at = [&](std::uint64_t message) {
        return seconds_text(list.channel.time_of(message), std::chrono::milliseconds(1));
    };
    QStringList parts;
    for (const auto& value : span.values) {
        const auto& field = list.query.fields()[value.field];
        const auto& row = *field.row;
        auto shown = value_text(row, borrowed(value.first));
        if (shown.isEmpty()) shown = QStringLiteral("\u2013");
        if (is_real(row.kind) && value.least) shown = short_number(*value.least);
        if (has_range(value, row))
            shown =
                FoundModel::tr("%1 at %2 to %3 at %4")
                    .arg(short_number(*value.least), at(value.least_at), short_number(*value.most), at(value.most_at));
        parts += QStringLiteral("%1 = %2").arg(short_name(field, span.list), shown);
    }
    return parts.join(QStringLiteral(",  "));
}

QByteArray csv_of(const FoundList& list)
{
    const auto& channel = list.channel;
    QByteArray text = "from_s,to_s,first_message,last_message,object,id,path";
    for (const auto& field : list.query.fields())
        for (const auto* const what : {"first", "least", "greatest"})
            text += ',' + csv_field(QString::fromStdString(field.path) + QLatin1Char(' ') + QLatin1String(what));
    text += '\n';
    for (const auto& span : list.spans) {
        text += csv_time(channel.time_of(span->first)) + ',' + csv_time(end_of(*span, channel)) + ',' +
                QByteArray::number(span->first) + ',' + QByteArray::number(span->last) + ',' +
                csv_field(QString::fromStdString(span->list)) + ',' +
                (span->id ? QByteArray::number(*span->id) : QByteArray()) + ',' +
                csv_field(QString::fromStdString(span->path));
        for (std::uint32_t field = 0; field != list.query.fields().size(); ++field) {
            const auto value = std::ranges::find(span->values, field, &FoundValue::field);
            const auto& row = *list.query.fields()[field].row;
            const bool is_there = value != span->values.end();
            text +=
                ',' + (is_there ? csv_field(value_text(row, borrowed(value->first), copied_characters)) : QByteArray());
            const bool is_number = is_there && value->least && row.kind != FieldKind::enumeration;
            text += ',' + (is_number ? number_text(row, *value->least).toUtf8() : QByteArray());
            text += ',' + (is_number ? number_text(row, *value->most).toUtf8() : QByteArray());
        }
        text += '\n';
    }
    return text;
}

void FoundModel::clear()
{
    beginResetModel();
    list_.reset();
    endResetModel();
}

void FoundModel::begin(OpenChannel channel, Query query)
{
    beginResetModel();
    list_.emplace(FoundList{std::move(channel), std::move(query), {}});
    endResetModel();
}

void FoundModel::set_channel(OpenChannel channel)
{
    if (!list_) return;
    list_->channel = std::move(channel);
    if (!list_->spans.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

void FoundModel::add(const std::vector<std::pair<std::size_t, FoundSpan>>& spans)
{
    if (!list_ || spans.empty()) return;
    auto& rows = list_->spans;
    const auto count = spans.back().first + 1;
    const auto before = rows.size();
    if (count > before) {
        beginInsertRows({}, static_cast<int>(before), static_cast<int>(count) - 1);
        rows.resize(count);
    }
    for (const auto& [place, span] : spans) rows[place] = std::make_shared<const FoundSpan>(span);
    if (count > before) endInsertRows();
    if (const auto first = spans.front().first; first < before)
        emit dataChanged(index(static_cast<int>(first), 0), index(static_cast<int>(before) - 1, column_count - 1));
}

std::optional<int> FoundModel::next_after(std::uint64_t message) const
{
    if (!list_) return std::nullopt;
    const auto found =
        std::ranges::upper_bound(list_->spans, message, {}, [](const auto& span) { return span->first; });
    if (found == list_->spans.end()) return std::nullopt;
    return static_cast<int>(found - list_->spans.begin());
}

std::optional<int> FoundModel::last_before(std::uint64_t message) const
{
    if (!list_) return std::nullopt;
    const auto found =
        std::ranges::lower_bound(list_->spans, message, {}, [](const auto& span) { return span->first; });
    if (found == list_->spans.begin()) return std::nullopt;
    return static_cast<int>(found - list_->spans.begin()) - 1;
}

std::optional<FoundModel::Extremes> FoundModel::extremes() const
{
    std::optional<Extremes> found;
    if (!list_) return found;
    for (std::size_t i = 0; i != list_->spans.size(); ++i) {
        const auto& values = list_->spans[i]->values;
        if (values.empty() || !values.front().least) continue;
        const auto& value = values.front();
        if (!is_real(list_->query.fields()[value.field].row->kind)) return std::nullopt;
        const int row = static_cast<int>(i);
        const Extreme least{row, value.least_at, *value.least}, most{row, value.most_at, *value.most};
        if (!found) found = {least, most};
        if (least.value < found->least.value) found->least = least;
        if (most.value > found->most.value) found->most = most;
    }
    return found;
}

QString FoundModel::text_of(const Extreme& extreme) const
{
    auto text = tr("%1 at %2")
                    .arg(short_number(extreme.value),
                         seconds_text(list_->channel.time_of(extreme.message), std::chrono::milliseconds(1)));
    if (const auto object = object_text(*list_->spans[static_cast<std::size_t>(extreme.row)]); !object.isEmpty())
        text += QStringLiteral(", ") + object;
    return text;
}

int FoundModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !list_ ? 0 : static_cast<int>(list_->spans.size());
}

int FoundModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QString FoundModel::text(const FoundSpan& span, int column) const
{
    const auto& channel = list_->channel;
    switch (column) {
    case time: return seconds_text(channel.time_of(span.first), std::chrono::milliseconds(1));
    case object: return object_text(span);
    case values: return values_text(span, *list_);
    case duration:
        return QStringLiteral("%1, %2").arg(duration_text(channel.time_of(span.first), end_of(span, channel)),
                                            count_text(span.messages(), "message"));
    case message: return QStringLiteral("#%1").arg(span.first);
    default: return {};
    }
}

QVariant FoundModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !list_) return {};
    const auto& span = *list_->spans[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) return text(span, index.column());
    if (role == Qt::ToolTipRole)
        return QStringLiteral("%1\n%2").arg(QString::fromStdString(span.path), values_text(span, *list_)).trimmed();
    if (role == Qt::TextAlignmentRole && (index.column() == time || index.column() == message))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant FoundModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    constexpr std::array names{QT_TR_NOOP("From"), QT_TR_NOOP("Object"), QT_TR_NOOP("Values"), QT_TR_NOOP("Lasts"),
                               QT_TR_NOOP("Message")};
    return tr(names.at(static_cast<std::size_t>(section)));
}

}  // namespace ositrace::gui
