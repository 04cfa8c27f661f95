// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <optional>

#include "lib/picture/body.hpp"
#include "lib/picture/candidates.hpp"
#include "lib/picture/field_of_view.hpp"
#include "lib/picture/lanes.hpp"
#include "lib/picture/layer_builder.hpp"
#include "lib/picture/moving_objects.hpp"
#include "lib/picture/sensor_work.hpp"
#include "lib/picture/still_things.hpp"

namespace ositrace::picture {

namespace {

// The detections of a SensorData, in the frame of the virtual sensor, whose place is that of `to`: boxes without faces
// over the true ones.
struct Surroundings;
void add_detected_moving_objects(LayerBuilder& to, const MessageView& sensor_data, const Surroundings& at);
void add_detected_stationary_objects(LayerBuilder& to, const MessageView& sensor_data);
void add_detected_traffic_signs(LayerBuilder& to, const MessageView& sensor_data);
void add_detected_traffic_lights(LayerBuilder& to, const MessageView& sensor_data);
void add_detected_road_markings(LayerBuilder& to, const MessageView& sensor_data);

constexpr BodyStyle as_detected{.look = Look::detected, .is_detected = true};

bool add_thing(LayerBuilder& to, Category category, ThingId id, std::string path, std::string type, const Base& base,
               std::string_view what)
{
    auto& thing = to.add(category, id, Look::detected, std::move(path), std::move(type));
    if (place_thing(thing, base, to.placement(), what, to.notes())) return true;
    to.drop();
    return false;
}

void add_wire_box(LayerBuilder& to, Look look = Look::detected, float strength = 1)
{
    const auto& thing = to.thing();
    to.box(look, thing.centre, thing.size, thing.rotation, strength, true);
}

/// Things with a `base` and candidates with a `classification`.
template <class KindOf, class Draw>
void add_classified(LayerBuilder& to, const MessageView& sensor_data, Category category, std::string_view field,
                    std::string_view what, const KindOf& kind_of, const Draw& draw)
{
    for_each_element(to, sensor_data, field, what, [&](const MessageView& detected, std::size_t place) {
        const auto base = read_base(detected, "base", what, to.notes());
        if (!base) return;
        const auto kind = kind_of(message_in(most_probable_candidate(detected), "classification"));
        if (add_thing(to, category, tracking_id_of(detected, place), to.path(field, place), kind.type, *base, what))
            draw(kind, *base, message_in(detected, "base"));
    });
}

/// What detected objects are related to.
struct Surroundings {
    const std::optional<HostPose>& host;
    Vector origin;         ///< of the picture, in global coordinates
    const Trails* trails;  ///< null: none are shown
};

/// The velocity in the message is relative to that of the sensor. False: that is unknown, and it stays so.
bool make_absolute(std::array<double, 3>& velocity, const Point& centre, const Surroundings& at)
{
    const auto number = [](float value) { return static_cast<double>(value); };
    const Vector place{number(centre[0]), number(centre[1]), number(centre[2])};
    const auto of_sensor = at.host ? at.host->velocity_at(place + at.origin) : std::nullopt;
    if (!of_sensor) return false;
    velocity = {velocity[0] + of_sensor->x, velocity[1] + of_sensor->y, velocity[2] + of_sensor->z};
    return true;
}

void add_detected_moving_objects(LayerBuilder& to, const MessageView& sensor_data, const Surroundings& at)
{
    bool any_relative = false;
    constexpr std::string_view what = "detected moving object", field = "moving_object";
    for_each_element(to, sensor_data, field, what, [&](const MessageView& detected, std::size_t place) {
        const auto base = read_detected_base(detected, what, to.notes());
        if (!base) return;
        const auto candidate = most_probable_candidate(detected);
        auto type = candidate ? kind_of_moving_object(*candidate).type : std::string();
        const auto id = tracking_id_of(detected, place);
        if (!add_thing(to, Category::detected_moving_object, id, to.path(field, place), std::move(type), *base, what))
            return;
        add_body(to, message_in(detected, "base"), *base, as_detected);
        if (auto& thing = to.thing(); thing.velocity && !make_absolute(*thing.velocity, thing.centre, at))
            any_relative = true;
        add_velocity(to, Look::detected);
        if (at.trails != nullptr) add_trail(to, at.trails->detections, id, Placement(at.origin));
    });
    if (any_relative)
        to.notes().say(PictureNote::Kind::information,
                       "velocities of detected objects are relative to the sensor: that of the host is unknown");
}

void add_detected_stationary_objects(LayerBuilder& to, const MessageView& sensor_data)
{
    add_classified(
        to, sensor_data, Category::detected_stationary_object, "stationary_object", "detected stationary object",
        kind_of_stationary_object,
        [&](const StillKind&, const Base& base, const auto& from) { add_body(to, from, base, as_detected); });
}

void add_detected_traffic_lights(LayerBuilder& to, const MessageView& sensor_data)
{
    add_classified(to, sensor_data, Category::detected_traffic_light, "traffic_light", "detected traffic light",
                   kind_of_traffic_light, [&](const StillKind& kind, const Base&, const auto&) {
                       add_wire_box(to, kind.look, kind.strength);
                   });
}

void add_detected_road_markings(LayerBuilder& to, const MessageView& sensor_data)
{
    add_classified(to, sensor_data, Category::detected_road_marking, "road_marking", "detected road marking",
                   kind_of_road_marking, [&](const StillKind&, const Base&, const auto&) { add_wire_box(to); });
}

void add_detected_traffic_signs(LayerBuilder& to, const MessageView& sensor_data)
{
    constexpr std::string_view what = "detected traffic sign", field = "traffic_sign";
    for_each_element(to, sensor_data, field, what, [&](const MessageView& sign, std::size_t place) {
        const auto id = tracking_id_of(sign, place);
        const auto path = to.path(field, place);
        const auto add_board = [&](const MessageView& board, std::string_view inner) {
            const auto base = read_base(board, "base", what, to.notes());
            if (!base) return;
            const auto kind = kind_of_traffic_sign(message_in(most_probable_candidate(board), "classification"));
            if (add_thing(to, Category::detected_traffic_sign, id, path + std::string(inner), kind.type, *base, what))
                add_wire_box(to);
        };
        if (const auto main = message_in(sign, "main_sign")) add_board(*main, "");
        for_each_element(to, sign, "supplementary_sign", what, [&](const MessageView& board, std::size_t i) {
            add_board(board, ".supplementary_sign[" + std::to_string(i) + ']');
        });
    });
}

}  // namespace

namespace {

using Detections = DetectionPainter::Kind;

constexpr Detections lidar_detections{Category::lidar_detection, "detection", "position", "detections", "intensity"};
constexpr Detections radar_detections{Category::radar_detection, "detection", "position", "detections", "rcs"};
constexpr Detections camera_points{Category::camera_detection, "point", "point", "points", "existence_probability"};
constexpr Detections logical_detections{Category::logical_detection, "logical_detection", "position", "detections",
                                        "intensity"};

/// Does another source show this SensorView, of the same sensor and time?
bool is_shown_elsewhere(const SensorPainter::Shown& shown, const MessageView& sensor_view)
{
    const auto mark = [](const MessageView& view) {
        const auto time = message_in(view, "timestamp");
        return std::array<std::int64_t, 3>{time ? integer_in(*time, "seconds").value_or(0) : -1,
                                           time ? integer_in(*time, "nanos").value_or(0) : -1,
                                           static_cast<std::int64_t>(id_in(view, "sensor_id").value_or(0))};
    };
    return std::ranges::any_of(shown.moment.open, [&](const OpenSource& other) {
        try {
            return other.is(MessageType::sensor_view) && other.source->shown && mark(*other.root) == mark(sensor_view);
        } catch (const Error&) {
            return false;
        }
    });
}

}  // namespace

void SensorPainter::add_detections(Work& work, const MessageView& data, const std::string& kind,
                                   const std::string& path, std::size_t place)
{
    const auto header = message_in(data, "header");
    auto sensor = header ? work.sensor_in(header, kind, place) : work.sensor;
    sensor.kind = kind;
    work.add_axes(sensor);
    Reach reach;
    if (!work.may_read_clouds()) return;
    if (kind == "lidar")
        work.add_cloud(detections_.spherical(data, lidar_detections, sensor, path + ".detection", work.notes(), reach));
    if (kind == "radar")
        work.add_cloud(detections_.spherical(data, radar_detections, sensor, path + ".detection", work.notes(), reach));
    if (kind == "camera")
        work.add_cloud(detections_.spherical(data, camera_points, sensor, path + ".point", work.notes(), reach));
    if (kind == "ultrasonic") add_ultrasonic_detections(work.outlines, data, sensor, path + '.', place);
    if (const auto view = field_of_view_of(reach)) add_field_of_view(work.outlines, sensor, *view, path);
}

void SensorPainter::add_feature_data(Work& work, const MessageView& feature_data)
{
    for (const std::string kind : {"radar", "lidar", "ultrasonic", "camera"}) {
        work.for_each(feature_data, kind + "_sensor", "feature_data.",
                      [&](const MessageView& data, const std::string& path, std::size_t place) {
                          add_detections(work, data, kind, path, place);
                      });
    }
}

void SensorPainter::show_sensor_data(const Shown& shown)
{
    Work work(shown);
    const auto& root = work.root;
    const auto place = shown.source.place;
    const auto layer = [&](const std::string& field, const auto& add) {
        LayerBuilder to(place, "", work.sensor.placement, work.notes());
        work.guarded(field, [&] { add(to); });
        auto made = to.take();
        if (!made->things.empty()) shown.picture.layers.push_back(made);
        return made;
    };
    layer("stationary_object", [&](LayerBuilder& to) { add_detected_stationary_objects(to, root); });
    const auto& origin = shown.picture.origin;
    layer("moving_object", [&](LayerBuilder& to) {
        add_detected_moving_objects(to, root,
                                    {work.host, Vector{origin[0], origin[1], origin[2]}, shown.source.source->trails});
    });
    layer("traffic_sign", [&](LayerBuilder& to) { add_detected_traffic_signs(to, root); });
    layer("traffic_light", [&](LayerBuilder& to) { add_detected_traffic_lights(to, root); });
    layer("road_marking", [&](LayerBuilder& to) { add_detected_road_markings(to, root); });
    BoundaryLines lines;
    lines.stand_in(
        layer("lane_boundary", [&](LayerBuilder& to) { add_detected_lane_boundaries(to, root, shown.lines, lines); }));
    layer("lane", [&](LayerBuilder& to) { add_detected_lanes(to, root, shown.lines, lines); });
    work.guarded("feature_data", [&] {
        if (const auto feature_data = message_in(root, "feature_data")) add_feature_data(work, *feature_data);
    });
    work.guarded("logical_detection_data", [&] {
        const auto data = message_in(root, "logical_detection_data");
        if (data)
            work.add_cloud(detections_.cartesian(*data, logical_detections, work.sensor,
                                                 "logical_detection_data.logical_detection", work.notes()));
    });
    work.guarded("virtual_detection_area", [&] {
        const auto area = message_in(root, "virtual_detection_area");
        if (area) add_virtual_detection_area(work.outlines, *area, work.sensor, "virtual_detection_area");
    });
    work.for_each(root, "sensor_view", "", [&](const MessageView& view, const std::string& path, std::size_t) {
        if (!is_shown_elsewhere(shown, view)) add_views(work, view, path + '.');
    });
    work.finish();
}

}  // namespace ositrace::picture
