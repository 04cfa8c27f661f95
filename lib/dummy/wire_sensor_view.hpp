// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include <ositrace/columns.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/ray_grid.hpp>

#include "lib/dummy/dummy_sensor_rules.hpp"

namespace ositrace::dummy {

/// What the dummy sensor wants of a SensorView, read through views and columns. The channel's schema must outlive it.
class WireSensorView {
public:
    /// Throws Error (mismatch, usage) for a schema that lacks what is wanted.
    explicit WireSensorView(const Channel& channel);

    /// The message is borrowed until the last call about it. Throws Error (malformed, limit).
    void read(Bytes message);

    [[nodiscard]] const std::optional<std::uint64_t>& sensor_id() const noexcept { return sensor_id_; }
    [[nodiscard]] const std::optional<std::uint64_t>& host_id() const noexcept { return host_id_; }
    [[nodiscard]] const std::optional<Pose>& mounting() const noexcept { return mounting_; }

    [[nodiscard]] std::size_t objects() const noexcept { return objects_.rows(); }
    [[nodiscard]] std::uint64_t id(std::size_t object) const noexcept { return ids_[object]; }
    [[nodiscard]] Pose pose(std::size_t object) const;
    [[nodiscard]] Vector to_rear(std::size_t object) const { return vector(to_rear_column, object); }
    /// Length, width, height.
    [[nodiscard]] std::optional<Vector> dimension(std::size_t object) const;
    [[nodiscard]] std::optional<std::int32_t> type(std::size_t object) const;
    [[nodiscard]] std::optional<MessageView> vehicle_classification(std::size_t object) const;

    struct Lidar {
        RayGrid grid;
        ColumnReader reflections;  ///< every 18th
        [[nodiscard]] std::span<const double> times_of_flight() const { return reflections.reals(0); }
    };
    [[nodiscard]] std::size_t lidars() const noexcept { return lidar_count_; }
    [[nodiscard]] const Lidar& lidar(std::size_t i) const { return lidars_[i]; }

private:
    enum Column : std::size_t {
        id_column,
        position_column,
        orientation_column = position_column + 3,
        dimension_column = orientation_column + 3,
        has_dimension_column = dimension_column + 3,
        type_column,
        to_rear_column,
        has_classification_column = to_rear_column + 3,
        columns,
    };
    void follow_columns();
    [[nodiscard]] Vector vector(std::size_t column, std::size_t object) const;
    void read_ground_truth(const MessageView& root);
    void read_lidars(const MessageView& root);

    Format format_;
    const MessageTable* root_;
    const FieldRow* ground_truth_;
    const FieldRow* lidar_views_;
    const FieldRow* reflections_;
    const FieldRow* classification_;
    ColumnReader objects_;
    std::span<const std::uint64_t> ids_;                  ///< a column of objects_
    std::array<std::span<const double>, columns> reals_;  ///< by column, of those that hold real numbers
    std::deque<Lidar> lidars_;                            ///< those of earlier messages are kept for their memory
    std::size_t lidar_count_ = 0;
    std::optional<std::uint64_t> sensor_id_, host_id_;
    std::optional<Pose> mounting_;
};

}  // namespace ositrace::dummy
