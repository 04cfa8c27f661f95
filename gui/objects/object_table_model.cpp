// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/object_table_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "gui/text/quantity.hpp"
#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

/// More changes than this reset the table: rows are removed one by one otherwise.
constexpr std::size_t max_row_changes = 256;

struct ColumnRow {
    const char* key;
    const char* title;
    int decimals;
    const char* tip;
};

/// In the order of the enum.
constexpr std::array<ColumnRow, ObjectTableModel::column_count> columns{{
    {"id", "id", 0, "id in OSI; empty if it has none"},
    {"type", "type", 0, "type in the message"},
    {"channel", "channel", 0, "channel of its message"},
    {"speed", "v [m/s]", 2, "speed: the length of its velocity"},
    {"to_host", "host [m]", 1, "distance from its centre to the centre of the host"},
    {"speed_km_h", "v [km/h]", 1, "speed: the length of its velocity"},
    {"x", "x [m]", 2, "of its centre, in global coordinates"},
    {"y", "y [m]", 2, "of its centre, in global coordinates"},
    {"z", "z [m]", 2, "of its centre, in global coordinates"},
    {"category", "category", 0, "kind of thing"},
    {"length", "length [m]", 2, "of its bounding box"},
    {"width", "width [m]", 2, "of its bounding box"},
    {"height", "height [m]", 2, "of its bounding box"},
}};

constexpr double km_h_per_m_s = 3.6;
constexpr auto infinity = std::numeric_limits<double>::infinity();

bool is_numeric(const FieldRow& row) noexcept
{
    return row.kind != FieldKind::string && row.kind != FieldKind::enumeration && row.kind != FieldKind::bool_;
}

/// As value_text(), with six digits.
QString short_text(const FieldRow& row, const Value& value)
{
    const bool is_fraction = std::holds_alternative<double>(value) || std::holds_alternative<float>(value);
    return is_fraction ? rounded_text(*as_real(value)) : value_text(row, value);
}

bool is_text(int column) noexcept
{
    return column == ObjectTableModel::type || column == ObjectTableModel::channel ||
           column == ObjectTableModel::category;
}

double length_of(const std::array<double, 3>& v) { return std::hypot(std::hypot(v[0], v[1]), v[2]); }
double apart(const Point& a, const Point& b)
{
    const auto along = [&](std::size_t axis) { return static_cast<double>(a[axis]) - static_cast<double>(b[axis]); };
    return std::hypot(along(0), along(1), along(2));
}

}  // namespace

QString ObjectTableModel::key_of(int column) { return QLatin1String(columns[static_cast<std::size_t>(column)].key); }
std::string ObjectTableModel::plotted_field(int column, const std::string& path, const std::string& host)
{
    switch (column) {
    case x: return path + ".base.position.x";
    case y: return path + ".base.position.y";
    case z: return path + ".base.position.z";
    case box_length: return path + ".base.dimension.length";
    case box_width: return path + ".base.dimension.width";
    case box_height: return path + ".base.dimension.height";
    case distance: return host.empty() ? std::string() : "distance(" + path + ", " + host + ")";
    case speed:
    case speed_km_h: return "norm(" + path + ".base.velocity)";
    default: return {};
    }
}

int ObjectTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(things_.size());
}

int ObjectTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : column_count + static_cast<int>(fields_.size());
}

int ObjectTableModel::row_of(const ThingKey& key) const
{
    const auto found = std::ranges::find(things_, key, &Thing::key);
    return found == things_.end() ? -1 : static_cast<int>(found - things_.begin());
}

void ObjectTableModel::show(const std::shared_ptr<const Snapshot>& snapshot)
{
    auto picture = snapshot ? snapshot->picture : nullptr;
    if (picture == picture_) return;
    messages_.show(snapshot);
    std::map<ThingKey, const Thing*> fresh;
    if (picture)
        for (const auto& layer : picture->layers)
            for (const auto& thing : layer->things) fresh.try_emplace(thing.key, &thing);

    std::vector<bool> stays;
    std::vector<const Thing*> kept;
    for (const auto* const old : things_) {
        const auto found = fresh.find(old->key);
        stays.push_back(found != fresh.end());
        if (found == fresh.end()) continue;
        kept.push_back(found->second);
        fresh.erase(found);
    }
    const bool starts_anew = fresh.size() + things_.size() - kept.size() > max_row_changes;
    if (starts_anew)
        beginResetModel();
    else
        remove_rows(stays);
    things_ = std::move(kept);
    const auto before = std::exchange(picture_, std::move(picture));
    if (!starts_anew && !things_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    if (!starts_anew && !fresh.empty())
        beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(fresh.size()) - 1);
    for (const auto& [key, thing] : fresh) things_.push_back(thing);
    if (starts_anew)
        endResetModel();
    else if (!fresh.empty())
        endInsertRows();
}

void ObjectTableModel::name_channels(QStringList names)
{
    for (auto& each : fields_) each.forget();
    if (names == channels_) return;
    channels_ = std::move(names);
    if (!things_.empty()) emit dataChanged(index(0, channel), index(rowCount() - 1, channel));
}

void ObjectTableModel::set_fields(const std::vector<std::string>& paths)
{
    beginResetModel();
    fields_.clear();
    for (const auto& path : paths) fields_.emplace_back(path);
    endResetModel();
}

std::vector<const MessageTable*> ObjectTableModel::tables() const
{
    std::set<Category> seen;
    std::vector<const MessageTable*> tables;
    for (const auto* const each : things_) {
        if (seen.contains(each->key.category)) continue;
        const auto found = message(*each);
        if (!found) continue;
        seen.insert(each->key.category);
        if (std::ranges::find(tables, &found->table()) == tables.end()) tables.push_back(&found->table());
    }
    return tables;
}

void ObjectTableModel::remove_rows(const std::vector<bool>& stays)
{
    for (auto row = stays.size(); row-- != 0;) {
        if (stays[row]) continue;
        beginRemoveRows({}, static_cast<int>(row), static_cast<int>(row));
        things_.erase(things_.begin() + static_cast<std::ptrdiff_t>(row));
        endRemoveRows();
    }
}

double ObjectTableModel::number(const Thing& thing, int column) const
{
    constexpr auto none = std::numeric_limits<double>::quiet_NaN();
    const auto axis = [&](int first) { return static_cast<std::size_t>(column - first); };
    switch (column) {
    case x:
    case y:
    case z: return picture_->origin[axis(x)] + static_cast<double>(thing.centre[axis(x)]);
    case speed: return thing.velocity ? length_of(*thing.velocity) : none;
    case speed_km_h: return thing.velocity ? length_of(*thing.velocity) * km_h_per_m_s : none;
    case box_length:
    case box_width:
    case box_height: return static_cast<double>(thing.size[axis(box_length)]);
    case distance: return picture_->host ? apart(thing.centre, picture_->host->centre) : none;
    default: return none;
    }
}

QString ObjectTableModel::text(const Thing& thing, int column) const
{
    if (column == category) return QString::fromUtf8(name_of(thing.key.category));
    if (column == id) return thing.has_id ? QString::number(thing.key.id) : QString();
    if (column == type) return QString::fromStdString(thing.type);
    if (column == channel) return channels_.value(static_cast<qsizetype>(thing.key.source));
    const auto value = number(thing, column);
    if (column == distance && std::isnan(value)) return QStringLiteral("\u2013");
    const bool is_unset = column >= box_length && column <= box_height
                              ? !thing.has_size || thing.size == std::array<float, 3>{}
                              : (column == speed || column == speed_km_h) && !thing.velocity;
    if (is_unset) return {};
    constexpr double longest = 1e9;  // larger numbers are written with an exponent
    const auto decimals = columns[static_cast<std::size_t>(column)].decimals;
    return std::abs(value) < longest ? fixed_text(value, decimals) : rounded_text(value, decimals);
}

QVariant ObjectTableModel::field_data(const Thing& thing, const ThingField& field, int role) const
{
    const auto found = message(thing);
    const auto* const row = found ? field.row_in(found->table()) : nullptr;
    std::vector<Value> values;
    if (row != nullptr) field.collect(*found, values);
    if (role == sort_role) {
        // Without a value it is sorted last.
        const auto number = values.size() == 1 ? as_real(values.front()).value_or(infinity) : infinity;
        const auto* const like = row != nullptr ? row : field.any_row();
        if (like == nullptr || is_numeric(*like)) return std::isnan(number) ? infinity : number;
    }
    QStringList texts;
    for (const auto& value : values) texts += short_text(*row, value);
    if (role == Qt::DisplayRole || role == sort_role) return texts.join(QStringLiteral(", "));
    if (role == Qt::ToolTipRole)
        return texts.join(QStringLiteral(", ")) + QLatin1Char('\n') +
               QString::fromStdString(thing.path + '.' + field.path());
    if (role == Qt::TextAlignmentRole && row != nullptr && is_numeric(*row))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant ObjectTableModel::field_header(const ThingField& field, int role) const
{
    const auto path = QString::fromStdString(field.path());
    const auto unit = [&]() -> std::string_view {
        for (const auto* const table : tables())
            if (const auto found = field.unit_in(*table); !found.empty()) return found;
        return {};
    }();
    if (role == Qt::DisplayRole)
        return unit.empty() ? path
                            : QStringLiteral("%1 [%2]").arg(
                                  path, QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size())));
    if (role == Qt::ToolTipRole) return tr("field %1 of its message").arg(path);
    return {};
}

QVariant ObjectTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto& shown = thing(index.row());
    if (index.column() >= column_count)
        return field_data(shown, fields_[static_cast<std::size_t>(index.column() - column_count)], role);
    if (role == Qt::DisplayRole) return text(shown, index.column());
    if (role == Qt::ToolTipRole)
        return text(shown, index.column()) + QLatin1Char('\n') + QString::fromStdString(shown.path);
    if (role == Qt::TextAlignmentRole && !is_text(index.column())) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != sort_role) return {};
    if (is_text(index.column())) return text(shown, index.column());
    if (index.column() == id) return QVariant::fromValue<qulonglong>(shown.key.id);
    // Values that are not numbers are sorted last.
    const auto value = number(shown, index.column());
    return std::isnan(value) ? infinity : value;
}

QVariant ObjectTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole && section >= 0 && section < rowCount() ? text(thing(section), id) : QVariant();
    if (section < 0 || section >= columnCount()) return {};
    if (section >= column_count) return field_header(fields_[static_cast<std::size_t>(section - column_count)], role);
    const auto& column = columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return QString::fromUtf8(column.title);
    if (role == Qt::ToolTipRole) return QString::fromUtf8(column.tip);
    return {};
}

ObjectFilter::ObjectFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(ObjectTableModel::sort_role);
    setDynamicSortFilter(true);
}

void ObjectFilter::set(const State& state)
{
    group_ = state.group;
    category_ = state.category;
    text_ = state.text;
    invalidateFilter();
}

bool ObjectFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const auto& model = static_cast<const ObjectTableModel&>(*sourceModel());
    const auto category = model.thing(row).key.category;
    if (group_ == Group::road_users && !is_road_user(category)) return false;
    if (group_ == Group::one_category && category != category_) return false;
    const auto words = text_.split(' ', Qt::SkipEmptyParts);
    if (words.isEmpty()) return true;
    QString searched;
    for (const int column :
         {ObjectTableModel::category, ObjectTableModel::id, ObjectTableModel::type, ObjectTableModel::channel})
        searched += model.index(row, column, parent).data().toString() + '\n';
    return std::ranges::all_of(words,
                               [&](const QString& word) { return searched.contains(word, Qt::CaseInsensitive); });
}

}  // namespace ositrace::gui
