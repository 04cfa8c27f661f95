// SPDX-License-Identifier: MPL-2.0
#include "gui/compare/result_rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string_view>
#include <unordered_map>

#include <QCoreApplication>

#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("ResultRows", text); }

QString title_of(ObjectError kind)
{
    return QStringLiteral("%1 [%2]").arg(QString::fromUtf8(row_of(kind).title), shown_unit(kind));
}

ResultCell id_cell(std::uint64_t id, bool has_id)
{
    if (!has_id) return {};
    return {QString::number(id), static_cast<double>(id)};
}
ResultCell id_cell(const ComparedObject* object)
{
    return object == nullptr ? ResultCell() : id_cell(object->id, object->has_id);
}

ResultCell number_cell(double value, int decimals)
{
    if (std::isnan(value)) return {};
    return {fixed_text(value, decimals), value};
}

/// Sorted by its size.
ResultCell error_cell(ObjectError kind, double error)
{
    if (std::isnan(error)) return {};
    return {error_text(kind, error), std::abs(error)};
}

/// The things of a picture by their channel and path.
class ThingsByPath {
public:
    explicit ThingsByPath(const Picture& picture)
    {
        for (const auto& layer : picture.layers)
            for (const auto& thing : layer->things)
                if (kind_compared(thing.key.category)) things_.try_emplace({thing.key.source, thing.path}, &thing);
    }
    [[nodiscard]] const Thing* find(std::uint32_t source, const std::string& path) const
    {
        const auto found = things_.find({source, path});
        return found == things_.end() ? nullptr : found->second;
    }

private:
    struct Hash {
        std::size_t operator()(const std::pair<std::uint32_t, std::string>& key) const noexcept
        {
            return std::hash<std::string>()(key.second) * 31 + key.first;
        }
    };
    std::unordered_map<std::pair<std::uint32_t, std::string>, const Thing*, Hash> things_;
};

/// `car`, from the side that has the object; empty if its message is not shown.
QString type_in(const ThingsByPath& things, const ShownComparison& comparison, const PairRow& row)
{
    const std::array objects{row.a, row.b};
    for (std::size_t side = 0; side != 2; ++side) {
        const auto* const object = objects.at(side);
        if (object == nullptr || !comparison.is_shown.at(side)) continue;
        const auto* const thing =
            things.find(comparison.choice.sides.at(side).source, comparison.objects->path_of(side, *object));
        if (thing != nullptr && !thing->type.empty()) return QString::fromStdString(thing->type);
    }
    return {};
}

QString state_of(const PairRow& row)
{
    if (row.a == nullptr) return tr("ghost");
    if (row.b == nullptr) return tr("missed");
    if (!row.by_id) return tr("near");
    if (!row.a->name.empty() && row.a->name == row.b->name) return tr("by name");
    return tr("by id");
}

/// `heavy truck` for TYPE_HEAVY_TRUCK.
QString type_in_words(const std::string& type)
{
    auto words = QString::fromStdString(type).toLower();
    if (words.startsWith(QStringLiteral("type_"))) words.remove(0, 5);
    return words.replace(QLatin1Char('_'), QLatin1Char(' '));
}

}  // namespace

double shown_error(ObjectError kind, double error) noexcept
{
    constexpr double rounding = 1e-9;  // of coordinates of kilometres: less is noise
    if (std::abs(error) < rounding) return 0;
    return kind == ObjectError::yaw ? error * 180 / std::numbers::pi : error;
}

QString shown_unit(ObjectError kind)
{
    return kind == ObjectError::yaw ? QStringLiteral("\u00b0") : QString::fromUtf8(row_of(kind).unit);
}

QString error_text(ObjectError kind, double error)
{
    if (std::isnan(error)) return {};
    return fixed_text(shown_error(kind, error), 3);
}

std::vector<PairRow> pair_rows(const ObjectComparison& comparison)
{
    std::vector<PairRow> rows;
    for (const auto& pair : comparison.pairs) rows.push_back({&pair.a, &pair.b, &pair.errors, pair.by_id});
    for (const auto& object : comparison.missed) rows.push_back({&object, nullptr, nullptr});
    for (const auto& object : comparison.ghosts) rows.push_back({nullptr, &object, nullptr});
    if (rows.size() <= most_listed) return rows;
    const auto badness = [](const PairRow& row) {
        return row.errors == nullptr ? std::numeric_limits<double>::infinity() : (*row.errors)[ObjectError::distance];
    };
    std::ranges::stable_sort(rows, std::greater(), badness);
    rows.resize(most_listed);
    return rows;
}

ResultTable pair_table(const ShownComparison& comparison, const Picture& picture)
{
    ResultTable table;
    table.columns = {
        {tr("state"),
         tr("by id: paired by the id, of a detection by its ground-truth id\nby name: by the name in the scenario\n"
            "near: paired because they are near\n"
            "missed: an object of A without a partner\nghost: an object of B without a partner"),
         false},
        {tr("A"), tr("id of the object in A")},
        {tr("B"), tr("id of the object in B, of a detection its tracking id")},
        {tr("type"), tr("type in the message"), false},
    };
    for (std::size_t i = 0; i != object_error_count; ++i) {
        const auto kind = static_cast<ObjectError>(i);
        table.columns.push_back({title_of(kind), QString::fromUtf8(row_of(kind).what)});
    }
    table.columns.push_back({tr("range [m]"), tr("from the sensor to the object")});
    table.columns.push_back({tr("azimuth [\u00b0]"), tr("direction from the sensor to the object, to the left")});
    const ThingsByPath things(picture);
    for (const auto& row : pair_rows(*comparison.objects)) {
        auto& shown = table.rows.emplace_back();
        shown.is_odd = row.errors == nullptr;
        shown.cells = {{state_of(row)}, id_cell(row.a), id_cell(row.b), {type_in(things, comparison, row)}};
        for (std::size_t i = 0; i != object_error_count; ++i) {
            const auto kind = static_cast<ObjectError>(i);
            shown.cells.push_back(row.errors == nullptr ? ResultCell() : error_cell(kind, (*row.errors)[kind]));
        }
        const auto& object = row.a != nullptr ? *row.a : *row.b;
        shown.cells.push_back(number_cell(object.range, 1));
        shown.cells.push_back(number_cell(object.azimuth * 180 / std::numbers::pi, 1));
    }
    return table;
}

ResultTable difference_table(const MessageComparison& comparison)
{
    ResultTable table;
    table.columns = {{tr("field"), tr("path of the field in the messages"), false},
                     {tr("A against B"), tr("the two values"), false}};
    for (const auto& each : comparison.differences) {
        auto& row = table.rows.emplace_back();
        row.cells = {{QString::fromStdString(each.field)}, {QString::fromStdString(each.text)}};
        row.tip = row.cells[0].text + QLatin1Char('\n') + row.cells[1].text;
    }
    return table;
}

std::vector<const ObjectHistory*> listed_objects(const TraceComparison& comparison, ObjectError kind)
{
    std::vector<const ObjectHistory*> objects;
    for (const auto& object : comparison.objects) objects.push_back(&object);
    if (objects.size() <= most_listed) return objects;
    std::ranges::stable_sort(objects, std::greater(), [kind](const ObjectHistory* object) {
        return object->statistics[static_cast<std::size_t>(kind)].largest;
    });
    objects.resize(most_listed);
    return objects;
}

ResultTable history_table(const TraceComparison& comparison, ObjectError kind)
{
    ResultTable table;
    const auto unit = shown_unit(kind);
    const auto name = QString::fromUtf8(row_of(kind).name);
    table.columns = {
        {tr("A"), tr("id of the object in A")},
        {tr("type"), tr("as in A"), false},
        {tr("paired"), tr("messages in which it has a partner")},
        {tr("missed"), tr("messages in which it has none")},
        {tr("mean %1 [%2]").arg(name, unit), tr("mean of the absolute errors")},
        {tr("largest [%1]").arg(unit), tr("largest absolute error; a click goes to its time")},
        {tr("at"), tr("time of the largest error, or of the first message in which it is missed")},
    };
    for (const auto* const listed : listed_objects(comparison, kind)) {
        const auto& object = *listed;
        const auto& statistics = object.statistics[static_cast<std::size_t>(kind)];
        auto& row = table.rows.emplace_back();
        row.is_odd = object.missed != 0;
        row.cells = {id_cell(object.id, object.has_id),
                     {type_in_words(object.type)},
                     {count_text(object.paired), static_cast<double>(object.paired)},
                     {count_text(object.missed), static_cast<double>(object.missed)}};
        const bool has_errors = statistics.count != 0;
        row.cells.push_back(has_errors ? error_cell(kind, statistics.mean()) : ResultCell());
        row.cells.push_back(has_errors ? error_cell(kind, statistics.largest) : ResultCell());
        if (!has_errors && object.missed_moments.empty()) continue;
        const auto moment = has_errors ? statistics.moment : object.missed_moments.front();
        const auto time = comparison.moments[moment].time;
        row.cells.push_back({seconds_text(time), static_cast<double>(time.count())});
    }
    return table;
}

ResultTable different_moments_table(const EqualityOfTraces& comparison)
{
    ResultTable table;
    table.columns = {{tr("time"), tr("of the message of A; a click goes there")},
                     {tr("A"), tr("number of the message")},
                     {tr("B"), tr("number of the message")},
                     {tr("first field"), tr("path of the first field that differs"), false},
                     {tr("A against B"), tr("the two values"), false}};
    for (const auto& each : comparison.differences) {
        auto& row = table.rows.emplace_back();
        row.cells = {{seconds_text(each.time), static_cast<double>(each.time.count())},
                     {QString::number(each.messages.a), static_cast<double>(each.messages.a)},
                     {QString::number(each.messages.b), static_cast<double>(each.messages.b)},
                     {QString::fromStdString(each.field)},
                     {QString::fromStdString(each.text)}};
    }
    return table;
}

}  // namespace ositrace::gui
