// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>

#include "lib/picture/detected_things.hpp"
#include "lib/picture/field_of_view.hpp"
#include "lib/picture/lanes.hpp"
#include "lib/picture/sensor_work.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace::picture {

namespace {

using Detections = DetectionPainter::Kind;

constexpr Detections lidar_detections{Category::lidar_detection, "detection", "position", "detections", "intensity"};
constexpr Detections radar_detections{Category::radar_detection, "detection", "position", "detections", "rcs"};
constexpr Detections camera_points{Category::camera_detection, "point", "point", "points", "existence_probability"};
constexpr Detections logical_detections{Category::logical_detection, "logical_detection", "position", "detections",
                                        "intensity"};

/// Does another source show this SensorView: of the same sensor and time.
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
    layer("moving_object", [&](LayerBuilder& to) { add_detected_moving_objects(to, root); });
    layer("traffic_sign", [&](LayerBuilder& to) { add_detected_traffic_signs(to, root); });
    layer("traffic_light", [&](LayerBuilder& to) {
        add_detected_traffic_lights(
            to, root, readable_timestamp(shown.source.source->frame->bytes, *shown.source.source->channel));
    });
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
