// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/object_table_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "gui/objects/category_names.hpp"

namespace ositrace::gui {

namespace {

/// More changes than these at once are a new table: rows are moved one by one otherwise.
constexpr std::size_t max_row_changes = 256;

struct ColumnRow {
    const char* title;
    int decimals;
    const char* tip;
};

/// In the order of the enum.
constexpr std::array<ColumnRow, ObjectTableModel::column_count> columns{{
    {"category", 0, "what kind of thing it is"},
    {"id", 0, "OSI's id; the place in its list where the kind has none"},
    {"type", 0, "its type as the message says"},
    {"x [m]", 2, "of its centre, in global coordinates"},
    {"y [m]", 2, "of its centre, in global coordinates"},
    {"z [m]", 2, "of its centre, in global coordinates"},
    {"v [m/s]", 2, "speed: the length of its velocity"},
    {"v [km/h]", 1, "speed: the length of its velocity"},
    {"length [m]", 2, "of its bounding box"},
    {"width [m]", 2, "of its bounding box"},
    {"height [m]", 2, "of its bounding box"},
    {"to host [m]", 1, "from its centre to the centre of the host"},
}};

constexpr double km_h_per_m_s = 3.6;

double length_of(const Point& v) { return std::hypot(static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])); }

/// `12 car` -> `car`
QString type_text(const Thing& thing)
{
    const auto label = QString::fromStdString(thing.label);
    const auto id = QString::number(thing.key.id) + ' ';
    return label.startsWith(id) ? label.mid(id.size()) : label;
}

}  // namespace

int ObjectTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(places_.size()); }

int ObjectTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

int ObjectTableModel::row_of(const ThingKey& key) const
{
    const auto found = std::ranges::find(places_, key, [this](std::uint32_t place) { return picture_->things[place].key; });
    return found == places_.end() ? -1 : static_cast<int>(found - places_.begin());
}

void ObjectTableModel::show(std::shared_ptr<const Picture> picture)
{
    if (picture == picture_) return;
    std::map<ThingKey, std::uint32_t> places;
    if (picture)
        for (std::uint32_t i = 0; i != picture->things.size(); ++i) places.try_emplace(picture->things[i].key, i);

    std::vector<bool> stays;
    std::vector<std::uint32_t> kept;
    for (const auto old : places_) {
        const auto found = places.find(picture_->things[old].key);
        stays.push_back(found != places.end());
        if (found == places.end()) continue;
        kept.push_back(found->second);
        places.erase(found);
    }
    std::vector<std::uint32_t> added;
    for (const auto& [key, place] : places) added.push_back(place);
    std::ranges::sort(added);

    if (added.size() + places_.size() - kept.size() > max_row_changes) {
        beginResetModel();
        kept.insert(kept.end(), added.begin(), added.end());
        places_ = std::move(kept);
        picture_ = std::move(picture);
        endResetModel();
        return;
    }
    remove_rows(stays);
    places_ = std::move(kept);
    picture_ = std::move(picture);
    if (!places_.empty()) emit dataChanged(index(0, 0), index(static_cast<int>(places_.size()) - 1, column_count - 1));
    if (added.empty()) return;
    beginInsertRows({}, static_cast<int>(places_.size()), static_cast<int>(places_.size() + added.size()) - 1);
    places_.insert(places_.end(), added.begin(), added.end());
    endInsertRows();
}

void ObjectTableModel::remove_rows(const std::vector<bool>& stays)
{
    for (auto row = stays.size(); row-- != 0;) {
        if (stays[row]) continue;
        beginRemoveRows({}, static_cast<int>(row), static_cast<int>(row));
        places_.erase(places_.begin() + static_cast<std::ptrdiff_t>(row));
        endRemoveRows();
    }
}

double ObjectTableModel::number(const Thing& thing, int column) const
{
    constexpr auto none = std::numeric_limits<double>::quiet_NaN();
    const auto axis = [&](int first) { return static_cast<std::size_t>(column - first); };
    switch (column) {
    case x: case y: case z: return picture_->origin[axis(x)] + static_cast<double>(thing.centre[axis(x)]);
    case speed: return length_of(thing.velocity);
    case speed_km_h: return length_of(thing.velocity) * km_h_per_m_s;
    case length: case width: case height: return static_cast<double>(thing.size[axis(length)]);
    case distance: {
        if (!picture_->host || *picture_->host >= picture_->things.size()) return none;
        const auto& host = picture_->things[*picture_->host].centre;
        return length_of({thing.centre[0] - host[0], thing.centre[1] - host[1], thing.centre[2] - host[2]});
    }
    default: return none;
    }
}

QString ObjectTableModel::text(const Thing& thing, int column) const
{
    if (column == category) return name_of(thing.key.category);
    if (column == id) return QString::number(thing.key.id);
    if (column == type) return type_text(thing);
    const auto value = number(thing, column);
    if (column == distance && std::isnan(value)) return QStringLiteral("\u2013");
    const bool has_no_size = column >= length && column <= height && thing.size == std::array<float, 3>{};
    if (has_no_size) return {};
    return QString::number(value, 'f', columns[static_cast<std::size_t>(column)].decimals);
}

QVariant ObjectTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto& shown = thing(index.row());
    if (role == Qt::DisplayRole) return text(shown, index.column());
    if (role == Qt::ToolTipRole) return QString::fromStdString(shown.path);
    if (role == Qt::TextAlignmentRole && index.column() != category && index.column() != type)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != sort_role) return {};
    if (index.column() == category || index.column() == type) return text(shown, index.column());
    if (index.column() == id) return QVariant::fromValue<qulonglong>(shown.key.id);
    // What is not a number stands behind all that are.
    const auto value = number(shown, index.column());
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

QVariant ObjectTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= column_count) return {};
    const auto& column = columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return QString::fromUtf8(column.title);
    if (role == Qt::ToolTipRole) return QString::fromUtf8(column.tip);
    return {};
}

}  // namespace ositrace::gui
