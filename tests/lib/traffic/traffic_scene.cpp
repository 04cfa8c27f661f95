// SPDX-License-Identifier: MPL-2.0
#include "tests/lib/traffic/traffic_scene.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::test {

namespace {

void write_car(OsiWriter& out, const Car& car)
{
    out.message("moving_object", [&] {
        out.id("id", car.id);
        out.message("base", [&] {
            out.dimension("dimension", {car.length, car.width, 1.5});
            out.vector("position", {car.x, car.y, 0.75});
            out.orientation("orientation", {0, 0, car.yaw});
            if (!car.states_motion) return;
            const double x = std::cos(car.yaw), y = std::sin(car.yaw);
            out.vector("velocity", {car.speed * x, car.speed * y, 0});
            out.vector("acceleration", {car.acceleration * x, car.acceleration * y, 0});
        });
        if (car.lane) out.message("moving_object_classification", [&] { out.id("assigned_lane_id", *car.lane); });
        if (!car.name.empty())
            out.message("source_reference", [&] { out.text("identifier", "entity_name:" + car.name); });
    });
}

void write_lane(OsiWriter& out, const MapLane& lane)
{
    out.message("lane", [&] {
        out.id("id", lane.id);
        out.message("classification", [&] {
            for (const auto& [x, y] : lane.points) out.vector("centerline", {x, y, 0});
            for (const auto id : lane.left) out.id("left_adjacent_lane_id", id);
            for (const auto id : lane.right) out.id("right_adjacent_lane_id", id);
            if (lane.successor) out.message("lane_pairing", [&] { out.id("successor_lane_id", *lane.successor); });
        });
    });
}

class Collected final : public TrafficRowSink {
public:
    Collected(const TrafficTableRow& table, std::vector<Row>& rows) : table_(table), rows_(rows) {}
    void add(std::span<const TrafficCell> cells) override
    {
        REQUIRE(cells.size() == table_.columns.size());
        auto& row = rows_.emplace_back();
        for (std::size_t i = 0; i != cells.size(); ++i)
            row[std::string(table_.columns[i].name)] = std::visit(
                [](const auto& value) -> RowValue {
                    using T = std::decay_t<decltype(value)>;
                    if constexpr (std::is_same_v<T, std::string_view>)
                        return std::string(value);
                    else if constexpr (std::is_same_v<T, std::monostate>)
                        return std::monostate();
                    else if constexpr (std::is_same_v<T, double>)
                        return std::isfinite(value) ? RowValue(value) : RowValue();
                    else
                        return static_cast<double>(value);
                },
                cells[i]);
    }

private:
    const TrafficTableRow& table_;
    std::vector<Row>& rows_;
};

}  // namespace

Bytestring truth_of(const Moment& moment)
{
    return written(MessageType::ground_truth, [&](OsiWriter& out) {
        out.time("timestamp", Nanoseconds(std::llround(moment.time * 1e9)));
        if (moment.host) out.id("host_vehicle_id", *moment.host);
        for (const auto& car : moment.cars) write_car(out, car);
        for (const auto& lane : moment.lanes) write_lane(out, lane);
    });
}

std::vector<Row> rows_of(const std::string& table, const std::vector<Sent>& messages,
                         const std::map<std::string, std::string>& options, Encoding encoding)
{
    const auto* const row = find_traffic_table(table);
    REQUIRE(row != nullptr);
    TrafficOptions given(row->options);
    for (const auto& [name, value] : options) given.set(name, value);
    const auto made = row->create(given);
    std::vector<Row> rows;
    Collected sink(*row, rows);
    std::map<MessageType, Channel> channels;
    std::vector<Bytestring> kept;
    kept.reserve(messages.size());
    for (const auto& [type, bytes] : messages) {
        auto& channel = channels.try_emplace(type, channel_of(type, encoding)).first->second;
        channel.topic = std::string(row_of(type).name);
        kept.push_back(encoding == Encoding::protobuf ? bytes : to_flat(bytes, type));
        auto frame = frame_of(kept.back());
        frame.index = kept.size() - 1;
        made->add(frame, channel, sink);
    }
    made->finish(sink);
    return rows;
}

std::vector<Row> rows_of(const std::string& table, const std::vector<Moment>& moments,
                         const std::map<std::string, std::string>& options, Encoding encoding)
{
    std::vector<Sent> messages;
    for (const auto& moment : moments) messages.push_back({MessageType::ground_truth, truth_of(moment)});
    return rows_of(table, messages, options, encoding);
}

}  // namespace ositrace::test
