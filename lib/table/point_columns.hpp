// SPDX-License-Identifier: MPL-2.0
// The places of measurements, which are found frame by frame, as sensors and the host move.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ositrace/frame.hpp>

#include "lib/table/plan.hpp"
#include "lib/table/store.hpp"

namespace ositrace::table {

/// x, y, z in metres.
using MeasuredPoint = std::array<double, 3>;

class PointColumns {
public:
    explicit PointColumns(PointSources sources);
    PointColumns(PointColumns&&) noexcept;
    PointColumns& operator=(PointColumns&&) noexcept;
    ~PointColumns();

    /// Points of the rows and sensors (the entries around the rows) from these on, which a frame has added.
    void add(const Frame& frame, const Channel& channel, Store& store, const LevelData& rows, std::size_t first_row,
             std::size_t first_sensor);
    void resize(std::size_t rows);
    /// Of each row.
    [[nodiscard]] std::span<const std::optional<MeasuredPoint>> points() const noexcept;
    /// Was the place of a sensor with rows not stated?
    [[nodiscard]] bool misses_place() const noexcept;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace::table
