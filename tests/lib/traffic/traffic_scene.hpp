// SPDX-License-Identifier: MPL-2.0
// Hand-made traffic with known answers, and the rows of a table as values by their names.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <ositrace/traffic_table.hpp>

#include "tests/lib/picture/pictures.hpp"

namespace ositrace::test {

struct Car {
    std::uint64_t id = 0;
    double x = 0, y = 0, yaw = 0;
    double speed = 0, acceleration = 0;  ///< along the yaw
    std::optional<std::uint64_t> lane = {};
    double length = 4, width = 2;
    bool states_motion = true;  ///< velocity and acceleration are set
    std::string name = {};
};

struct MapLane {
    std::uint64_t id = 0;
    std::vector<std::array<double, 2>> points;
    std::optional<std::uint64_t> successor = {};
    std::vector<std::uint64_t> left = {}, right = {};
};

struct Moment {
    double time = 0;
    std::vector<Car> cars;
    std::vector<MapLane> lanes = {};
    std::optional<std::uint64_t> host = {};
};

[[nodiscard]] Bytestring truth_of(const Moment& moment);

/// A value of a row as text, number, or nothing.
using RowValue = std::variant<std::monostate, double, std::string>;
using Row = std::map<std::string, RowValue>;

struct Sent {
    MessageType type = MessageType::ground_truth;
    Bytestring bytes;
};
/// Of the channel of the first message's type; others are passed to it.
[[nodiscard]] std::vector<Row> rows_of(const std::string& table, const std::vector<Sent>& messages,
                                       const std::map<std::string, std::string>& options = {},
                                       Encoding encoding = Encoding::protobuf);
[[nodiscard]] std::vector<Row> rows_of(const std::string& table, const std::vector<Moment>& moments,
                                       const std::map<std::string, std::string>& options = {},
                                       Encoding encoding = Encoding::protobuf);

[[nodiscard]] inline bool is_null(const Row& row, const std::string& column)
{
    return std::holds_alternative<std::monostate>(row.at(column));
}
/// Throws std::bad_variant_access for null.
[[nodiscard]] inline double number(const Row& row, const std::string& column)
{
    return std::get<double>(row.at(column));
}
[[nodiscard]] inline std::string text(const Row& row, const std::string& column)
{
    return is_null(row, column) ? "null" : std::get<std::string>(row.at(column));
}

}  // namespace ositrace::test
