// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/moment_builder.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace ositrace::traffic {

namespace {

constexpr int type_vehicle = 2;  // MovingObject.Type.TYPE_VEHICLE
constexpr int sign_stop = 17;    // TrafficSign.MainSign.Classification.Type.TYPE_STOP
constexpr int color_red = 2, color_green = 4;
constexpr int mode_constant = 3, mode_counting = 5;

std::optional<Axle> axle_of(std::optional<double> ahead, std::optional<double> half_track, double width)
{
    if (!ahead) return std::nullopt;
    return Axle{*ahead, half_track.value_or(width / 2), half_track.has_value()};
}

Mover mover_of(const TrafficObject& object, const TrafficFrame& frame)
{
    Mover mover{.id = object.id,
                .is_vehicle = object.type == type_vehicle,
                .pose = {{object.position[0], object.position[1]}, object.yaw, object.length, object.width},
                .bottom = object.position[2] - object.height / 2,
                .top = object.position[2] + object.height / 2,
                .velocity = {},
                .acceleration = {},
                .lane = {},
                .front = axle_of(object.front_axle, object.front_half_track, object.width),
                .rear = axle_of(object.rear_axle, object.rear_half_track, object.width),
                .trailer = object.trailer};
    if (object.velocity_source == MotionSource::stated) mover.velocity = Vec2{object.velocity[0], object.velocity[1]};
    if (object.acceleration_source == MotionSource::stated)
        mover.acceleration = Vec2{object.acceleration[0], object.acceleration[1]};
    if (const auto lanes = frame.lanes_of(object); !lanes.empty()) mover.lane = lanes.front();
    return mover;
}

/// The bulbs of a lane, together.
struct Signal {
    std::uint64_t light = 0;  ///< the red one, else the first one
    bool red = false, green = false;
};

std::map<std::uint64_t, Signal> signals_of(const std::vector<TrafficBulb>& bulbs)
{
    std::map<std::uint64_t, Signal> signals;
    for (const auto& bulb : bulbs)
        for (const auto lane : bulb.lanes) {
            auto& signal = signals.try_emplace(lane, Signal{bulb.id}).first->second;
            if (bulb.mode != mode_constant && bulb.mode != mode_counting) continue;
            if (bulb.color == color_red && !std::exchange(signal.red, true)) signal.light = bulb.id;
            if (bulb.color == color_green) signal.green = true;
        }
    return signals;
}

StopPlace stop_line(const TrafficMarking& marking)
{
    // Its length is along the road, as thick as the paint.
    const bool lies_across = marking.width >= marking.length;
    const auto along = direction(marking.yaw);
    return {.middle = {marking.centre[0], marking.centre[1]},
            .along = lies_across ? left_of(along) : along,
            .half_length = std::max(marking.width, marking.length) / 2,
            .is_stop_line = true};
}

/// Across the end of a lane, or nothing for a lane without a centre line.
std::optional<StopPlace> end_of_lane(const NetworkLane& lane)
{
    constexpr double half_length = 2.5;  // m; a usual lane is 2.5 to 4 m wide
    const auto& line = lane.centre_line;
    if (line.size() < 2) return std::nullopt;
    const auto end = lane.along_centre_line ? line.back() : line.front();
    const auto before = lane.along_centre_line ? line[line.size() - 2] : line[1];
    const double length = norm(end - before);
    if (!(length > 0)) return std::nullopt;
    return StopPlace{.middle = end, .along = (1 / length) * left_of(end - before), .half_length = half_length};
}

}  // namespace

void MomentBuilder::prepare_map(const std::shared_ptr<const TrafficMap>& map)
{
    map_ = map;
    lanes_ = map ? LaneNetwork(*map) : LaneNetwork();
    stop_lines_.clear();
    if (!map) return;
    for (const auto& marking : map->markings)
        if (marking.sign_type == sign_stop)
            for (const auto lane : marking.lanes) stop_lines_[lane].push_back(stop_line(marking));
}

void MomentBuilder::place_stops(const TrafficFrame& frame)
{
    moment_.stops.clear();
    if (frame.bulbs.empty()) return;
    for (const auto& [lane, signal] : signals_of(frame.bulbs)) {
        const auto add = [&, id = lane, &state = signal](StopPlace stop) {
            stop.lane = id;
            stop.light = state.light;
            stop.is_red = state.red && !state.green;
            moment_.stops.push_back(stop);
        };
        if (const auto lines = stop_lines_.find(lane); lines != stop_lines_.end()) {
            for (const auto& line : lines->second) add(line);
            continue;
        }
        if (const auto* const known = lanes_.find(lane))
            if (const auto end = end_of_lane(*known)) add(*end);
    }
}

const TrafficMoment* MomentBuilder::next(const TrafficFrame& frame, std::optional<std::uint64_t> host,
                                         bool has_no_subject)
{
    // Sums and differences of such times fit into 64 bits.
    constexpr Nanoseconds latest{std::int64_t{4} * 1'000'000'000'000'000'000};
    if (!frame.time || *frame.time > latest || *frame.time < -latest || (begun_ && *frame.time <= moment_.time))
        return nullptr;
    begun_ = true;
    if (frame.map != map_) prepare_map(frame.map);
    movers_.clear();
    for (const auto& object : frame.objects) movers_.push_back(mover_of(object, frame));
    moment_.time = *frame.time;
    moment_.frame = frame.index;
    moment_.lanes = &lanes_;
    moment_.host = host;
    moment_.has_no_subject = has_no_subject;
    tracker_.follow(movers_, moment_);
    place_stops(frame);
    return &moment_;
}

}  // namespace ositrace::traffic
