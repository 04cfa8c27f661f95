// SPDX-License-Identifier: MPL-2.0
// The fields of moving objects as columns, whatever the release of OSI has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <ositrace/columns.hpp>

namespace ositrace::traffic {

/// Of a message only whether it is present.
enum class ObjectLeaf : std::uint8_t {
    id_value,
    type,
    x,
    y,
    z,
    roll,
    pitch,
    yaw,
    length,
    width,
    height,
    vx,
    vy,
    vz,
    ax,
    ay,
    az,
    yaw_rate,
    to_front_x,
    to_rear_x,
    vehicle_type,
    indicator,
    brake_light,
    has_trailer,
    trailer_value,
    id,
    position,
    dimension,
    velocity,
    acceleration,
    trailer,
};
inline constexpr std::size_t object_leaf_count = 31;
static_assert(object_leaf_count <= ColumnReader::max_leaves);

/// Leaves that the schema lacks, or has of another kind, read as absent.
class ObjectColumns {
public:
    explicit ObjectColumns(const FieldRow& list) : reader_(list, leaves_in(*list.child)) {}

    void read(const MessageView& ground_truth);
    [[nodiscard]] std::size_t rows() const noexcept { return reader_.rows(); }
    [[nodiscard]] MessageView element(std::size_t row) const { return reader_.element(row); }
    [[nodiscard]] bool has(ObjectLeaf leaf, std::size_t row) const noexcept
    {
        const int column = columns_[place(leaf)];
        return column >= 0 && (reader_.presence()[row] >> column & 1) != 0;
    }
    [[nodiscard]] double real(ObjectLeaf leaf, std::size_t row) const noexcept
    {
        const auto& values = reals_[place(leaf)];
        return values.empty() ? 0 : values[row];
    }
    [[nodiscard]] std::uint64_t integer(ObjectLeaf leaf, std::size_t row) const noexcept
    {
        const auto& values = integers_[place(leaf)];
        return values.empty() ? 0 : values[row];
    }
    /// `first` and the two leaves after it.
    [[nodiscard]] std::array<double, 3> vector(ObjectLeaf first, std::size_t row) const noexcept
    {
        const auto next = [&](int i) { return static_cast<ObjectLeaf>(static_cast<int>(first) + i); };
        return {real(first, row), real(next(1), row), real(next(2), row)};
    }

private:
    static std::size_t place(ObjectLeaf leaf) noexcept { return static_cast<std::size_t>(leaf); }
    std::vector<std::string_view> leaves_in(const MessageTable& table);

    std::array<int, object_leaf_count> columns_{};  ///< -1: the schema has none
    std::array<std::span<const double>, object_leaf_count> reals_;
    std::array<std::span<const std::uint64_t>, object_leaf_count> integers_;
    ColumnReader reader_;
};

}  // namespace ositrace::traffic
