// SPDX-License-Identifier: MPL-2.0
#include <ositrace/traffic_frame.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

#include <ositrace/columns.hpp>
#include <ositrace/element_name.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "lib/picture/fields.hpp"
#include "lib/trace/ground_truths.hpp"
#include "lib/trace/view_fields.hpp"
#include "lib/traffic/map_keeper.hpp"
#include "lib/traffic/object_columns.hpp"

namespace ositrace {

namespace {

using traffic::ObjectLeaf;

void append_ids(const MessageView& parent, std::string_view list, std::vector<std::uint64_t>& to)
{
    for_each_child(parent, list, [&](const MessageView& id) {
        to.push_back(static_cast<std::uint64_t>(picture::integer_in(id, "value").value_or(0)));
    });
}

TrafficBulb bulb_of(const MessageView& message)
{
    TrafficBulb bulb;
    bulb.id = picture::id_in(message, "id").value_or(0);
    if (const auto base = picture::message_in(message, "base"))
        if (const auto place = picture::vector_in(*base, "position")) bulb.position = {place->x, place->y, place->z};
    const auto kind = picture::message_in(message, "classification");
    if (!kind) return bulb;
    const auto number = [&](std::string_view field) {
        return static_cast<int>(picture::integer_in(*kind, field).value_or(0));
    };
    bulb.color = number("color");
    bulb.icon = number("icon");
    bulb.mode = number("mode");
    append_ids(*kind, "assigned_lane_id", bulb.lanes);
    return bulb;
}

/// Of the wheels nearest to the front axle, and to the rear axle, the outermost; to the outer edge of the tyre.
std::array<std::optional<double>, 2> half_tracks_in(const MessageView& attributes, const TrafficObject& object)
{
    std::array<std::optional<double>, 2> tracks;
    if (!object.front_axle || !object.rear_axle) return tracks;
    for_each_child(attributes, "wheel_data", [&](const MessageView& wheel) {
        const auto place = picture::vector_in(wheel, "position");
        if (!place || !std::isfinite(place->x) || !std::isfinite(place->y) || place->y == 0) return;
        const bool is_front = std::abs(place->x - *object.front_axle) <= std::abs(place->x - *object.rear_axle);
        const double width = picture::real_in(wheel, "width").value_or(0);
        const double edge = std::abs(place->y) + (width > 0 && std::isfinite(width) ? width / 2 : 0);
        auto& track = tracks[is_front ? 0 : 1];
        if (!track || edge > *track) track = edge;
    });
    return tracks;
}

bool is_finite(const std::array<double, 3>& vector) noexcept
{
    return std::isfinite(vector[0]) && std::isfinite(vector[1]) && std::isfinite(vector[2]);
}

std::array<double, 3> rate(const std::array<double, 3>& from, const std::array<double, 3>& to, double seconds) noexcept
{
    return {(to[0] - from[0]) / seconds, (to[1] - from[1]) / seconds, (to[2] - from[2]) / seconds};
}

}  // namespace

double TrafficObject::speed() const noexcept { return std::hypot(velocity[0], velocity[1]); }

std::optional<double> TrafficFrame::seconds() const noexcept
{
    return time ? std::optional(static_cast<double>(time->count()) / 1e9) : std::nullopt;
}

std::optional<std::int64_t> TrafficFrame::nanoseconds() const noexcept
{
    return time ? std::optional<std::int64_t>(time->count()) : std::nullopt;
}

const TrafficObject* TrafficFrame::find(std::uint64_t id) const noexcept
{
    const auto found = std::ranges::find(objects, id, &TrafficObject::id);
    return found == objects.end() ? nullptr : &*found;
}

struct TrafficReader::Implementation {
    /// What deriving motion needs of the frame before.
    struct EarlierMotion {
        std::array<double, 3> position{}, velocity{};
        bool has_velocity = false;
    };

    Channel channel;
    TrafficNeeds needs;
    TrafficFrame frame;
    std::unique_ptr<traffic::ObjectColumns> columns;
    const FieldRow* list = nullptr;
    std::optional<NameFields> name_fields;
    traffic::MapKeeper maps;
    std::optional<std::uint64_t> stated_host;
    std::set<std::string, std::less<>> names;
    /// Half tracks of the front and the rear axle, by object.
    std::unordered_map<std::uint64_t, std::array<std::optional<double>, 2>> wheels;
    std::unordered_map<std::uint64_t, EarlierMotion> earlier;
    std::optional<Nanoseconds> earlier_time;

    void read_objects(const MessageView& truth);
    [[nodiscard]] std::optional<TrafficObject> object_at(std::size_t row) const;
    void read_lists(const MessageView& element, TrafficObject& object);
    void read_wheels(std::size_t row, TrafficObject& object);
    void derive_motion();
};

bool TrafficReader::reads(const Channel& channel) noexcept
{
    return channel.root != nullptr &&
           (channel.type == MessageType::ground_truth || channel.type == MessageType::sensor_view);
}

TrafficReader::TrafficReader(const Channel& channel, TrafficNeeds needs)
    : implementation_(std::make_unique<Implementation>())
{
    if (!reads(channel))
        throw Error(Cause::usage, "found messages of type '" + channel.type_name + "' in '" + channel.topic +
                                      "' (expected GroundTruth or SensorView)");
    implementation_->channel = channel;
    implementation_->needs = needs;
}
TrafficReader::TrafficReader(TrafficReader&&) noexcept = default;
TrafficReader& TrafficReader::operator=(TrafficReader&&) noexcept = default;
TrafficReader::~TrafficReader() = default;

/// Empty without a valid position.
std::optional<TrafficObject> TrafficReader::Implementation::object_at(std::size_t row) const
{
    const auto& in = *columns;
    TrafficObject object;
    object.position = in.vector(ObjectLeaf::x, row);
    const auto angles = in.vector(ObjectLeaf::roll, row);
    if (!in.has(ObjectLeaf::position, row) || !is_finite(object.position) || !is_finite(angles)) return std::nullopt;
    object.has_id = in.has(ObjectLeaf::id, row);
    object.id = object.has_id ? in.integer(ObjectLeaf::id_value, row) : row;
    object.is_host = object.has_id && frame.host == object.id;
    object.type = static_cast<int>(in.integer(ObjectLeaf::type, row));
    object.vehicle_type = static_cast<int>(in.integer(ObjectLeaf::vehicle_type, row));
    object.roll = angles[0];
    object.pitch = angles[1];
    object.yaw = angles[2];
    const auto size = in.vector(ObjectLeaf::length, row);
    object.has_size = in.has(ObjectLeaf::dimension, row) && is_finite(size) && *std::ranges::min_element(size) >= 0;
    if (object.has_size) {
        object.length = size[0];
        object.width = size[1];
        object.height = size[2];
    }
    const auto take = [&](ObjectLeaf whole, ObjectLeaf first, std::array<double, 3>& to, MotionSource& source) {
        const auto vector = in.vector(first, row);
        if (!in.has(whole, row) || !is_finite(vector)) return;
        to = vector;
        source = MotionSource::stated;
    };
    take(ObjectLeaf::velocity, ObjectLeaf::vx, object.velocity, object.velocity_source);
    take(ObjectLeaf::acceleration, ObjectLeaf::ax, object.acceleration, object.acceleration_source);
    const auto yaw_rate = in.real(ObjectLeaf::yaw_rate, row);
    if (std::isfinite(yaw_rate)) object.yaw_rate = yaw_rate;
    const auto axle = [&](ObjectLeaf x) {
        const auto at = in.real(x, row);
        return in.has(x, row) && std::isfinite(at) ? std::optional(at) : std::nullopt;
    };
    object.front_axle = axle(ObjectLeaf::to_front_x);
    object.rear_axle = axle(ObjectLeaf::to_rear_x);
    object.indicator = static_cast<int>(in.integer(ObjectLeaf::indicator, row));
    object.brake_light = static_cast<int>(in.integer(ObjectLeaf::brake_light, row));
    if (in.integer(ObjectLeaf::has_trailer, row) != 0 && in.has(ObjectLeaf::trailer, row))
        object.trailer = in.integer(ObjectLeaf::trailer, row);
    return object;
}

/// What has no column: the name and the lanes.
void TrafficReader::Implementation::read_lists(const MessageView& element, TrafficObject& object)
{
    if (needs.names && name_fields) {
        if (const auto name = name_of(element, *name_fields); !name.empty())
            object.name = *(names.contains(name) ? names.find(name) : names.emplace(name).first);
    }
    if (!needs.lanes) return;
    object.first_lane = static_cast<std::uint32_t>(frame.lane_ids.size());
    if (const auto kind = picture::message_in(element, "moving_object_classification"))
        append_ids(*kind, "assigned_lane_id", frame.lane_ids);
    if (frame.lane_ids.size() == object.first_lane) append_ids(element, "assigned_lane_id", frame.lane_ids);
    object.lane_count = static_cast<std::uint32_t>(frame.lane_ids.size()) - object.first_lane;
}

/// Once per object: wheels do not move on it.
void TrafficReader::Implementation::read_wheels(std::size_t row, TrafficObject& object)
{
    const auto [at, is_new] = wheels.try_emplace(object.id);
    if (is_new)
        if (const auto attributes = picture::message_in(columns->element(row), "vehicle_attributes"))
            at->second = half_tracks_in(*attributes, object);
    object.front_half_track = at->second[0];
    object.rear_half_track = at->second[1];
}

void TrafficReader::Implementation::read_objects(const MessageView& truth)
{
    const auto* const row = picture::repeated_messages(truth.table(), "moving_object");
    if (row == nullptr) return;
    if (row != list) {
        columns = std::make_unique<traffic::ObjectColumns>(*row, traffic::object_leaf_rows);
        list = row;
        name_fields = ositrace::name_fields(*row->child);
    }
    columns->read(truth);
    if (columns->rows() > most_objects)
        throw Error(Cause::limit, Location{.file = {}, .frame = {}, .offset = {}, .field = "moving_object"},
                    "the number of objects (" + std::to_string(columns->rows()) + ") exceeds the limit of " +
                        std::to_string(most_objects));
    for (std::size_t i = 0; i != columns->rows(); ++i) {
        auto object = object_at(i);
        if (!object) {
            ++frame.left_out;
            continue;
        }
        if (needs.names || needs.lanes) read_lists(columns->element(i), *object);
        if (needs.wheels && object->has_id) read_wheels(i, *object);
        frame.objects.push_back(*object);
    }
}

/// Where the message states none. Remembers this frame for the next one.
void TrafficReader::Implementation::derive_motion()
{
    const auto step = frame.time && earlier_time ? *frame.time - *earlier_time : Nanoseconds{};
    const double seconds = static_cast<double>(step.count()) / 1e9;
    std::unordered_map<std::uint64_t, EarlierMotion> now;
    bool is_needed = false;
    for (auto& object : frame.objects) {
        if (object.velocity_source == MotionSource::stated && object.acceleration_source == MotionSource::stated)
            continue;
        is_needed = true;
        const auto before = seconds > 0 && object.has_id ? earlier.find(object.id) : earlier.end();
        if (before == earlier.end()) continue;
        if (object.velocity_source == MotionSource::none) {
            object.velocity = rate(before->second.position, object.position, seconds);
            object.velocity_source = MotionSource::derived;
        }
        if (object.acceleration_source == MotionSource::none && before->second.has_velocity) {
            object.acceleration = rate(before->second.velocity, object.velocity, seconds);
            object.acceleration_source = MotionSource::derived;
        }
    }
    if (is_needed)
        for (const auto& object : frame.objects)
            if (object.has_id)
                now.insert_or_assign(object.id, EarlierMotion{object.position, object.velocity,
                                                              object.velocity_source != MotionSource::none});
    earlier = std::move(now);
    earlier_time = frame.time;
}

const TrafficFrame& TrafficReader::read(const Frame& frame)
{
    auto& state = *implementation_;
    auto& out = state.frame;
    out.index = frame.index;
    out.time = frame.time ? frame.time : time_in_range_of(frame, state.channel);
    if (!out.time) out.time = frame.log_time;
    out.objects.clear();
    out.lane_ids.clear();
    out.bulbs.clear();
    out.left_out = 0;
    const MessageView root(frame.bytes, *state.channel.root, state.channel.format);
    std::optional<MessageView> truth;
    for_each_ground_truth(root, [&](const MessageView& each) {
        if (!truth) truth = each;
    });
    auto host = truth ? picture::id_in(*truth, "host_vehicle_id") : std::nullopt;
    if (!host) host = picture::id_in(root, "host_vehicle_id");
    if (host) state.stated_host = host;
    out.host = state.stated_host;  // may be sent once, like the map
    if (!truth) return out;
    if (state.needs.map) out.map = state.maps.map_of(*truth);
    if (state.needs.lights)
        for_each_child(*truth, "traffic_light", [&](const MessageView& light) { out.bulbs.push_back(bulb_of(light)); });
    state.read_objects(*truth);
    state.derive_motion();
    return out;
}

}  // namespace ositrace
