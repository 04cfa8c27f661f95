// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/plot_model.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <QJsonArray>

#include <ositrace/error.hpp>
#include <ositrace/field_docs.hpp>
#include <ositrace/field_path.hpp>

#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

QString unit_of_curve(const CurveExpression& expression, const MessageTable& root)
{
    std::vector<std::string> units;
    for (const auto& each : expression.paths()) units.emplace_back(unit_of(root, FieldPath::compile_value(root, each)));
    return QString::fromStdString(expression.unit(units));
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
    Entry added{.entry = {channel.trace_number,
                          channel.channel->topic,
                          channel.channel->type_name,
                          static_cast<std::size_t>(rank),
                          expression,
                          {},
                          current_},
                .colour = next_colour()};
    resolve(added);
    if (!added.refusal.isEmpty()) return added.refusal;
    added.entry.expression = added.expression->text();
    const auto is_same = [&](const Entry& each) {
        return each.source == added.source && each.entry.plot == current_ &&
               each.entry.expression == added.entry.expression;
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
    if (entries_.empty() && plots() == 1) return;
    for (auto& each : entries_) stop_reading(each);
    entries_.clear();
    x_names_ = {{}};
    current_ = 0;
    emit plots_changed();
    list_lines();
    emit entries_changed();
}

void PlotModel::set_current_plot(std::size_t plot)
{
    if (std::exchange(current_, plot) != plot) emit plots_changed();
}

void PlotModel::add_plot()
{
    if (plots() == most_plots) return;
    current_ = plots();
    x_names_.emplace_back();
    emit plots_changed();
    list_lines();
    emit entries_changed();
}

void PlotModel::remove_plot(std::size_t plot)
{
    if (plots() == 1) return clear();
    for (std::size_t i = entries_.size(); i-- != 0;) {
        auto& each = entries_[i];
        if (each.entry.plot > plot)
            --each.entry.plot;
        else if (each.entry.plot == plot) {
            stop_reading(each);
            entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    x_names_.erase(x_names_.begin() + static_cast<std::ptrdiff_t>(plot));
    if (current_ > plot || current_ == plots()) --current_;
    emit plots_changed();
    list_lines();
    emit entries_changed();
}

void PlotModel::move(std::size_t entry, std::size_t plot)
{
    if (std::exchange(entries_[entry].entry.plot, plot) == plot) return;
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
    if (std::exchange(x_names_[current_], name) == name) return;
    emit data_changed();
    emit entries_changed();
}

std::optional<std::size_t> PlotModel::x_line(std::size_t plot) const noexcept
{
    if (plot >= plots() || x_names_[plot].empty()) return std::nullopt;
    const auto name = QString::fromStdString(x_names_[plot]);
    const auto line =
        std::ranges::find_if(lines_, [&](const PlotLine& each) { return each.plot == plot && each.name == name; });
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
        line.plot = entry.entry.plot;
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
                          std::ranges::equal(lines, lines_, {}, &PlotLine::plot, &PlotLine::plot) &&
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
                                  {QStringLiteral("plot"), static_cast<int>(each.entry.plot)},
                                  {QStringLiteral("hidden"), hidden}});
    }
    QJsonObject object;
    if (curves.isEmpty() && plots() == 1) return object;
    object.insert(QStringLiteral("curves"), curves);
    QJsonArray x_names;
    for (const auto& each : x_names_) x_names.append(QString::fromStdString(each));
    if (plots() != 1) object.insert(QStringLiteral("x_axes"), x_names);
    if (plots() == 1 && !x_names_[0].empty()) object.insert(QStringLiteral("x"), x_names[0]);
    return object;
}

void PlotModel::from_json(const QJsonObject& object)
{
    if (object == to_json()) return;
    // A layout of a single plot has the member `x`.
    std::vector<std::string> x_names;
    for (const auto& each : object.value(QStringLiteral("x_axes")).toArray())
        if (x_names.size() != most_plots) x_names.push_back(each.toString().toStdString());
    if (x_names.empty()) x_names.push_back(text_member(object, "x").toStdString());
    std::vector<Entry> entries;
    for (const auto& each : object.value(QStringLiteral("curves")).toArray()) {
        const auto curve = each.toObject();
        Entry entry;
        entry.entry = {.trace_number = count_member(curve, "file"),
                       .topic = text_member(curve, "topic").toStdString(),
                       .type_name = text_member(curve, "type").toStdString(),
                       .rank = count_member(curve, "rank"),
                       .expression = text_member(curve, "curve").toStdString(),
                       .hidden = {},
                       .plot = std::min(count_member(curve, "plot"), x_names.size() - 1)};
        entry.colour = count_member(curve, "colour");
        for (const auto& name : curve.value(QStringLiteral("hidden")).toArray())
            entry.entry.hidden.insert(name.toString().toStdString());
        if (entry.entry.expression.empty() || entries.size() == most_entries) continue;
        // What is shown already is kept with its curves.
        const auto is_same = [&](const Entry& known) {
            auto same = known.entry;
            same.hidden = entry.entry.hidden;
            same.plot = entry.entry.plot;
            return same == entry.entry;
        };
        if (const auto known = std::ranges::find_if(entries_, is_same); known != entries_.end()) {
            auto wanted = std::move(entry.entry);
            entry = std::move(*known);
            entry.entry = std::move(wanted);
            entries_.erase(known);
        }
        entries.push_back(std::move(entry));
    }
    auto gone = std::exchange(entries_, std::move(entries));
    for (auto& each : gone) stop_reading(each);
    x_names_ = std::move(x_names);
    current_ = std::min(current_, plots() - 1);
    for (auto& each : entries_) resolve(each);
    read_new();
    emit plots_changed();
    list_lines();
    emit entries_changed();
}

}  // namespace ositrace::gui
