// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/line_points.hpp"

#include <array>
#include <string>

namespace ositrace::picture {

namespace {

constexpr std::size_t width_column = 3, height_column = 4, dash_column = 5;
constexpr double widest = 100;  // m, of a line and as its height

/// The coordinates of a point: in `position`, in `world_position`, or in the point itself.
std::string_view coordinates_of(const MessageTable& point) noexcept
{
    for (const std::string_view name : {"position", "world_position"}) {
        const auto* const row = point.find(name);
        if (row != nullptr && row->child != nullptr && !row->repeated)
            return name == "position" ? "position." : "world_position.";
    }
    return "";
}

float extent(double value) noexcept { return value > 0 && value <= widest ? static_cast<float>(value) : 0; }

std::size_t element_count(const MessageView& parent, const FieldRow& row)
{
    constexpr std::size_t smallest_element = 2, few = 100'000;
    if (const auto wire = parent.wire_bytes(); wire && wire->size() / smallest_element < few)
        return wire->size() / smallest_element;
    return parent.repeated(row).size();
}

}  // namespace

LinePointReader::Columns& LinePointReader::columns_of(const FieldRow& points)
{
    if (const auto known = columns_.find(&points); known != columns_.end()) return known->second;
    const std::string coordinates(coordinates_of(*points.child));
    const std::array<std::string, 3> places{coordinates + 'x', coordinates + 'y', coordinates + 'z'};
    std::vector<std::string_view> leaves(places.begin(), places.end());
    const auto is_number = [&](std::string_view name) {
        const auto* const row = points.child->find(name);
        return row != nullptr && !row->repeated && row->child == nullptr;
    };
    const bool measured = is_number("width") && is_number("height");
    const bool dashed = measured && is_number("dash");
    if (measured) leaves.insert(leaves.end(), {"width", "height"});
    if (dashed) leaves.push_back("dash");
    return columns_.emplace(&points, Columns{ColumnReader(points, leaves), measured, measured, dashed}).first->second;
}

void LinePointReader::add_points(const Columns& columns, const Placement& placement, Notes& notes)
{
    const auto& reader = columns.reader;
    const auto x = reader.reals(0), y = reader.reals(1), z = reader.reals(2);
    float width = 0, height = 0;  // a point without its own has those of the previous one
    for (std::size_t i = 0; i < reader.rows(); ++i) {
        if (columns.has_width && reader.has(width_column, i)) width = extent(reader.reals(width_column)[i]);
        if (columns.has_height && reader.has(height_column, i)) height = extent(reader.reals(height_column)[i]);
        const auto at = placement.point({x[i], y[i], z[i]});
        if (!at) {
            notes.leave_out("line point", "without a position");
            continue;
        }
        auto& point = points_.emplace_back();
        point.at = *at;
        point.width = width;
        point.height = height;
        if (columns.has_dash) point.dash = static_cast<std::int64_t>(reader.integers(dash_column)[i]);
    }
}

std::span<const LinePoint> LinePointReader::read(const MessageView& parent, std::string_view field,
                                                 const Placement& placement, Notes& notes)
{
    points_.clear();
    const auto* const row = repeated_messages(parent.table(), field);
    if (row == nullptr) return {};
    const auto count = element_count(parent, *row);
    if (count > max_points_of_line || count > budget_) {
        notes.leave_out("line", "with too many points");
        return {};
    }
    budget_ -= count;
    auto& columns = columns_of(*row);
    columns.reader.read(parent);
    add_points(columns, placement, notes);
    return points_;
}

}  // namespace ositrace::picture
