// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/picture.hpp>

#include "lib/picture/element_columns.hpp"
#include "lib/picture/notes.hpp"
#include "lib/picture/sensor_frame.hpp"

namespace ositrace::picture {

/// Builds a cloud: points one by one, then the fields of their rows.
class CloudBuilder {
public:
    /// `path`: of the repeated field; `what`: `reflections`.
    CloudBuilder(Category category, const SensorFrame& sensor, std::string path, std::string_view what,
                 const ElementColumns& columns);

    /// The point of a row.
    void add(std::size_t row, const Point& point) noexcept
    {
        cloud_->points[count_] = point;
        rows_[count_++] = static_cast<std::uint32_t>(row);
    }
    /// Adds a field that the message does not have.
    void add_field(std::string name, std::string unit, std::vector<float> values)
    {
        extra_.push_back({std::move(name), std::move(unit), std::move(values)});
    }
    [[nodiscard]] std::size_t points() const noexcept { return count_; }

    /// Adds the fields of the message; `first` is listed first. Adds a note if the cloud is shown only in part.
    [[nodiscard]] std::shared_ptr<const Cloud> finish(std::string_view first, Notes& notes);

private:
    std::shared_ptr<Cloud> cloud_;
    const ElementColumns* columns_;
    std::vector<std::uint32_t> rows_;
    std::vector<CloudField> extra_;
    std::size_t count_ = 0;
};

}  // namespace ositrace::picture
