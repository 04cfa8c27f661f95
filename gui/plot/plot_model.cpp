// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/plot_model.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <QGuiApplication>
#include <QJsonArray>
#include <QPalette>

#include <ositrace/error.hpp>
#include <ositrace/field_docs.hpp>
#include <ositrace/field_path.hpp>

#include "gui/plot/plot_view.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

QString unit_of_curve(const CurveExpression& expression, const MessageTable& root)
{
    std::vector<std::string> units;
    for (const auto& each : expression.paths()) units.emplace_back(unit_of(root, FieldPath::compile_value(root, each)));
    return QString::fromStdString(expression.unit(units));
}

/// A real number with the digits that one reads; the tip has all of them.
QString shown_value(const PlotLine& line, Nanoseconds time)
{
    const bool is_real_number = line.field == nullptr || is_real(line.field->kind);
    const auto value = is_real_number ? line.value(time) : std::nullopt;
    return value ? rounded_text(*value) : line.value_text(time);
}

QString text_member(const QJsonObject& object, const char* key) { return object.value(QLatin1String(key)).toString(); }

std::size_t count_member(const QJsonObject& object, const char* key)
{
    constexpr int most = 100'000;
    return static_cast<std::size_t>(std::clamp(object.value(QLatin1String(key)).toInt(), 0, most));
}

}  // namespace

PlotModel::PlotModel(Session& session, QObject* parent) : QObject(parent), session_(session)
{
    connect(&session, &Session::channels_changed, this, &PlotModel::follow_session);
    connect(&session, &Session::times_changed, this, &PlotModel::follow_session);
}

PlotModel::~PlotModel() = default;

QString PlotModel::add(std::uint32_t source, const std::string& expression)
{
    const auto& channels = *session_.channels();
    if (source >= channels.size()) return tr("there is no such channel");
    if (entries_.size() == most_entries) return tr("a plot has at most %1 expressions").arg(most_entries);
    const auto& channel = channels[source];
    if (channel.channel->root == nullptr) return tr("the messages of this channel cannot be read");
    const auto is_like = [&](const OpenChannel& each) {
        return each.trace_number == channel.trace_number && each.channel->topic == channel.channel->topic &&
               each.channel->type_name == channel.channel->type_name;
    };
    const auto rank = std::count_if(channels.begin(), channels.begin() + source, is_like);
    Entry added{.entry = {channel.trace_number, channel.channel->topic, channel.channel->type_name,
                          static_cast<std::size_t>(rank), expression},
                .colour = next_colour()};
    resolve(added);
    if (!added.refusal.isEmpty()) return added.refusal;
    added.entry.expression = added.expression->text();
    const auto is_same = [&](const Entry& each) {
        return each.source == added.source && each.entry.expression == added.entry.expression;
    };
    if (std::ranges::any_of(entries_, is_same)) return tr("%1 is plotted").arg(QString::fromStdString(expression));
    entries_.push_back(std::move(added));
    read_new();
    list_lines();
    emit entries_changed();
    return {};
}

void PlotModel::remove(std::size_t entry)
{
    stop_reading(entries_[entry]);
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(entry));
    list_lines();
    emit entries_changed();
}

void PlotModel::clear()
{
    if (entries_.empty()) return;
    for (auto& each : entries_) stop_reading(each);
    entries_.clear();
    x_name_.clear();
    list_lines();
    emit entries_changed();
}

void PlotModel::set_hidden(std::size_t line, bool hidden)
{
    auto& names = entries_[entries_of_lines_[line]].entry.hidden;
    const auto name = lines_[line].name.toStdString();
    if (hidden)
        names.insert(name);
    else
        names.erase(name);
    if (std::exchange(lines_[line].is_hidden, hidden) != hidden) emit data_changed();
}

void PlotModel::set_x_name(const std::string& name)
{
    if (std::exchange(x_name_, name) == name) return;
    emit data_changed();
    emit entries_changed();
}

std::optional<std::size_t> PlotModel::x_line() const noexcept
{
    if (x_name_.empty()) return std::nullopt;
    const auto line = std::ranges::find(lines_, QString::fromStdString(x_name_), &PlotLine::name);
    return line == lines_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(line - lines_.begin()));
}

QString PlotModel::state(std::size_t entry) const
{
    const auto& of = entries_[entry];
    if (!of.refusal.isEmpty()) return of.refusal;
    if (!of.source) return tr("no channel %1").arg(QString::fromStdString(of.entry.topic));
    if (!of.update) return tr("reading");
    if (!of.update->is_complete) return tr("reading: %1").arg(count_text(of.update->messages, "message"));
    if (!of.update->problem.isEmpty()) return of.update->problem;
    const auto& missing = of.update->missing;
    if (of.place_in_update < missing.size() && !missing[of.place_in_update].isEmpty())
        return missing[of.place_in_update];
    return of.curves().empty() ? tr("no value in any message") : QString();
}

bool PlotModel::is_settled() const noexcept
{
    return std::ranges::all_of(entries_, [](const Entry& each) {
        return !each.source || !each.refusal.isEmpty() || (each.update && each.update->is_complete && each.is_current);
    });
}

/// A file was opened, closed, shifted or reloaded: what belongs to another trace is read again, and is shown until
/// then.
void PlotModel::follow_session()
{
    bool changed = false;
    for (auto& each : entries_) {
        const auto before = each.source;
        resolve(each);
        changed = changed || each.source != before;
        if (!each.source) {
            stop_reading(each);
            each.update = nullptr;
            each.read_from = nullptr;
        }
    }
    read_new();
    if (changed)
        list_lines();
    else
        update_shifts();
}

/// The channel with the same file, topic and type; else one of another file with the same topic and type, else the only
/// one of the type.
void PlotModel::resolve(Entry& entry) const
{
    const auto& channels = *session_.channels();
    const auto find = [&](const auto& fits) -> std::optional<std::uint32_t> {
        const auto found = std::ranges::find_if(channels, fits);
        if (found == channels.end()) return std::nullopt;
        return static_cast<std::uint32_t>(found - channels.begin());
    };
    const auto& wanted = entry.entry;
    const auto has_type = [&](const OpenChannel& each) {
        return each.channel->type_name == wanted.type_name && each.channel->root != nullptr;
    };
    const auto has_topic = [&](const OpenChannel& each) {
        return has_type(each) && each.channel->topic == wanted.topic;
    };
    auto rank = wanted.rank;
    entry.source = find([&](const OpenChannel& each) {
        return has_topic(each) && each.trace_number == wanted.trace_number && rank-- == 0;
    });
    if (!entry.source) entry.source = find(has_topic);
    if (!entry.source) entry.source = find(has_type);
    if (!entry.source) return;
    const auto& channel = channels[*entry.source].channel;
    if (entry.channel == channel) return;
    entry.refusal.clear();
    try {
        entry.expression = CurveExpression::compile(*channel->root, wanted.expression);
        entry.unit = unit_of_curve(*entry.expression, *channel->root);
        entry.channel = channel;
    } catch (const Error& error) {
        entry.refusal = QString::fromUtf8(error.what());
    }
}

/// A reader for all expressions of a channel that are not read yet. Where a file has grown, its reader goes on.
void PlotModel::read_new()
{
    const auto& channels = *session_.channels();
    std::map<std::uint32_t, std::vector<Entry*>> wanted;
    std::map<PlotReader*, std::uint32_t> followed;
    for (auto& each : entries_) {
        if (!each.source || !each.refusal.isEmpty()) continue;
        const auto& channel = channels[*each.source];
        if (each.read_from == channel.trace && each.read_as_assumed == channel.times->all_assumed) continue;
        const bool is_followed = each.reader != nullptr && each.reader->is_followed() &&
                                 session_.traces()[channel.trace_number].goes_on &&
                                 followed.try_emplace(each.reader, *each.source).first->second == *each.source;
        if (!is_followed) stop_reading(each);
        each.read_from = channel.trace;
        each.read_as_assumed = channel.times->all_assumed;
        each.is_current = false;
        if (!is_followed) wanted[*each.source].push_back(&each);
    }
    for (const auto& [reader, source] : followed) reader->follow(channels[source]);
    for (auto& [source, entries] : wanted) {
        PlotRequest request{
            .channel = channels[source],
            .expressions = {},
            .is_followed = session_.follows() && session_.traces()[channels[source].trace_number].is_file()};
        for (const auto* const each : entries) request.expressions.push_back(*each->expression);
        auto* const reader = new PlotReader(std::move(request), this);
        for (std::size_t i = 0; i != entries.size(); ++i) {
            entries[i]->reader = reader;
            entries[i]->place_in_reader = i;
        }
        connect(reader, &PlotReader::updated, this,
                [this, reader](const std::shared_ptr<const PlotUpdate>& update) { take(reader, update); });
    }
}

void PlotModel::stop_reading(Entry& entry)
{
    auto* const reader = std::exchange(entry.reader, nullptr);
    if (reader != nullptr && std::ranges::find(entries_, reader, &Entry::reader) == entries_.end())
        PlotReader::retire(reader);
}

void PlotModel::take(PlotReader* reader, const std::shared_ptr<const PlotUpdate>& update)
{
    for (auto& each : entries_) {
        if (each.reader != reader) continue;
        // While a file is read again, the old content is shown until as much of the new one is known.
        if (each.update && each.update->messages > update->messages && !update->is_complete) continue;
        each.update = update;
        each.is_current = true;
        each.place_in_update = each.place_in_reader;
        if (update->is_last) each.reader = nullptr;
    }
    if (update->is_last) PlotReader::retire(reader);
    list_lines();
}

void PlotModel::list_lines()
{
    const auto& channels = *session_.channels();
    std::vector<PlotLine> lines;
    std::vector<std::size_t> entries_of_lines;
    for (std::size_t i = 0; i != entries_.size(); ++i) {
        auto& entry = entries_[i];
        PlotLine line{.name = QString::fromStdString(entry.entry.expression), .unit = entry.unit};
        line.colour = entry.colour;
        if (entry.source) {
            line.channel = QString::fromStdString(channels[*entry.source].name);
            line.shift = channels[*entry.source].shift;
        }
        if (entry.expression && entry.expression->is_path()) {
            line.field = &FieldPath::compile_value(*entry.channel->root, entry.expression->paths().front()).leaf();
            line.owner = entry.channel;
        }
        if (!entry.update || entry.curves().empty()) {
            lines.push_back(std::move(line));
            entries_of_lines.push_back(i);
            continue;
        }
        for (const auto& each : entry.curves()) {
            line.name = QString::fromStdString(each.name);
            line.data = each.data;
            line.is_hidden = entry.entry.hidden.contains(each.name);
            if (each.name != entry.curves().front().name) line.colour = colour_of(entry, each.name);
            lines.push_back(line);
            entries_of_lines.push_back(i);
        }
    }
    const bool are_same = std::ranges::equal(lines, lines_, {}, &PlotLine::name, &PlotLine::name) &&
                          entries_of_lines == entries_of_lines_;
    lines_ = std::move(lines);
    entries_of_lines_ = std::move(entries_of_lines);
    if (are_same)
        emit data_changed();
    else
        emit lines_changed();
}

void PlotModel::update_shifts()
{
    const auto& channels = *session_.channels();
    bool changed = false;
    for (std::size_t i = 0; i != lines_.size(); ++i) {
        const auto& source = entries_[entries_of_lines_[i]].source;
        if (!source) continue;
        const auto shift = channels[*source].shift;
        changed = std::exchange(lines_[i].shift, shift) != shift || changed;
    }
    if (changed) emit data_changed();
}

/// The first that no curve has.
std::size_t PlotModel::next_colour() const
{
    std::set<std::size_t> used;
    for (const auto& each : entries_) {
        used.insert(each.colour);
        for (const auto& [name, colour] : each.colours) used.insert(colour);
    }
    std::size_t colour = 0;
    while (used.contains(colour)) ++colour;
    return colour;
}

/// A curve keeps its colour.
std::size_t PlotModel::colour_of(Entry& entry, const std::string& curve) const
{
    const auto known = entry.colours.find(curve);
    return known != entry.colours.end() ? known->second : entry.colours[curve] = next_colour();
}

QJsonObject PlotModel::to_json() const
{
    QJsonArray curves;
    for (const auto& each : entries_) {
        QJsonArray hidden;
        for (const auto& name : each.entry.hidden) hidden.append(QString::fromStdString(name));
        curves.append(QJsonObject{{QStringLiteral("file"), static_cast<int>(each.entry.trace_number)},
                                  {QStringLiteral("topic"), QString::fromStdString(each.entry.topic)},
                                  {QStringLiteral("type"), QString::fromStdString(each.entry.type_name)},
                                  {QStringLiteral("rank"), static_cast<int>(each.entry.rank)},
                                  {QStringLiteral("curve"), QString::fromStdString(each.entry.expression)},
                                  {QStringLiteral("colour"), static_cast<int>(each.colour)},
                                  {QStringLiteral("hidden"), hidden}});
    }
    QJsonObject object;
    if (curves.isEmpty()) return object;
    object.insert(QStringLiteral("curves"), curves);
    if (!x_name_.empty()) object.insert(QStringLiteral("x"), QString::fromStdString(x_name_));
    return object;
}

void PlotModel::from_json(const QJsonObject& object)
{
    if (object == to_json()) return;
    std::vector<Entry> entries;
    for (const auto& each : object.value(QStringLiteral("curves")).toArray()) {
        const auto curve = each.toObject();
        Entry entry;
        entry.entry = {.trace_number = count_member(curve, "file"),
                       .topic = text_member(curve, "topic").toStdString(),
                       .type_name = text_member(curve, "type").toStdString(),
                       .rank = count_member(curve, "rank"),
                       .expression = text_member(curve, "curve").toStdString()};
        entry.colour = count_member(curve, "colour");
        for (const auto& name : curve.value(QStringLiteral("hidden")).toArray())
            entry.entry.hidden.insert(name.toString().toStdString());
        if (entry.entry.expression.empty() || entries.size() == most_entries) continue;
        // What is shown already is kept with its curves.
        const auto is_same = [&](const Entry& known) {
            auto same = known.entry;
            same.hidden = entry.entry.hidden;
            return same == entry.entry;
        };
        if (const auto known = std::ranges::find_if(entries_, is_same); known != entries_.end()) {
            auto hidden = std::move(entry.entry.hidden);
            entry = std::move(*known);
            entry.entry.hidden = std::move(hidden);
            entries_.erase(known);
        }
        entries.push_back(std::move(entry));
    }
    auto gone = std::exchange(entries_, std::move(entries));
    for (auto& each : gone) stop_reading(each);
    x_name_ = text_member(object, "x").toStdString();
    for (auto& each : entries_) resolve(each);
    read_new();
    list_lines();
    emit entries_changed();
}

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
        return shown_value(line, time_);
    default: return line.unit;
    }
}

QString PlotList::tip(std::size_t line) const
{
    const auto& of = plot_.lines()[line];
    QStringList lines{of.name, of.channel};
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
