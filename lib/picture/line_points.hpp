// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include <ositrace/columns.hpp>

#include "lib/picture/notes.hpp"
#include "lib/picture/placement.hpp"

namespace ositrace::picture {

/// A point of a line on the road.
struct LinePoint {
    Point at{};
    float width = 0;  ///< its own or that of the previous point; 0 if both are unset or no width
    float height = 0;
    std::int64_t dash = 0;  ///< BoundaryPoint.Dash
};

/// Reads the points of boundaries, centre lines and reference lines. Keeps what it has learned about the schema, which
/// must outlive it.
class LinePointReader {
public:
    /// The points of a repeated message: BoundaryPoint, LogicalBoundaryPoint, ReferenceLinePoint, Vector3d. Points
    /// without a valid place are left out and counted. Valid until the next call. Throws Error (malformed).
    [[nodiscard]] std::span<const LinePoint> read(const MessageView& parent, std::string_view field,
                                                  const Placement& placement, Notes& notes);

    /// The number of points that may still be read: a FlatBuffer may refer to the same line a million times.
    void allow(std::size_t points) noexcept { budget_ = points; }

private:
    static constexpr std::size_t max_points_of_line = 1'000'000;

    struct Columns {
        ColumnReader reader;
        bool has_width = false, has_height = false, has_dash = false;
    };
    Columns& columns_of(const FieldRow& points);
    void add_points(const Columns& columns, const Placement& placement, Notes& notes);

    std::map<const FieldRow*, Columns> columns_;
    std::vector<LinePoint> points_;
    std::size_t budget_ = 0;
};

}  // namespace ositrace::picture
