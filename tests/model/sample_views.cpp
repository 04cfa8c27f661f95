// SPDX-License-Identifier: MPL-2.0
#include "tests/model/sample_views.hpp"

#include <array>
#include <limits>
#include <random>

#include <ositrace/scene.hpp>

#include <osi3/osi_sensorview.pb.h>

namespace ositrace::test {

namespace {

class OddNumbers {
public:
    explicit OddNumbers(std::uint32_t seed) : engine_(seed) {}
    [[nodiscard]] bool maybe(int percent) { return static_cast<int>(engine_() % 100) < percent; }
    [[nodiscard]] std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
    [[nodiscard]] double real()
    {
        constexpr auto infinity = std::numeric_limits<double>::infinity();
        constexpr std::array odd{0.0,    -0.0,  infinity, -infinity, std::numeric_limits<double>::quiet_NaN(),
                                 5e-324, 1e308, -1e300,   1e22};
        if (maybe(3)) return odd[below(odd.size())];
        return (static_cast<double>(engine_()) / 4294967296.0 - 0.5) * 300;
    }
    [[nodiscard]] double angle() { return real() / 40; }

private:
    std::mt19937 engine_;
};

void set(OddNumbers& odd, osi3::Vector3d& v)
{
    if (odd.maybe(95)) v.set_x(odd.real());
    if (odd.maybe(95)) v.set_y(odd.real() / 10);
    if (odd.maybe(95)) v.set_z(odd.real() / 100);
}

void set(OddNumbers& odd, osi3::Orientation3d& o)
{
    if (odd.maybe(90)) o.set_roll(odd.angle());
    if (odd.maybe(90)) o.set_pitch(odd.angle());
    if (odd.maybe(90)) o.set_yaw(odd.angle());
}

void set(OddNumbers& odd, osi3::MovingObject& object)
{
    if (odd.maybe(95)) object.mutable_id()->set_value(odd.maybe(5) ? ~std::uint64_t{0} : odd.below(40));
    if (odd.maybe(3)) object.mutable_id();
    if (odd.maybe(95)) {
        auto& base = *object.mutable_base();
        if (odd.maybe(95)) set(odd, *base.mutable_position());
        if (odd.maybe(80)) set(odd, *base.mutable_orientation());
        if (odd.maybe(80)) base.mutable_dimension()->set_length(odd.real());
        if (odd.maybe(80)) set(odd, *base.mutable_velocity());
        if (odd.maybe(5)) base.add_base_polygon()->set_x(odd.real());
    }
    if (odd.maybe(80)) object.set_type(static_cast<osi3::MovingObject_Type>(odd.below(5)));
    if (odd.maybe(30)) set(odd, *object.mutable_vehicle_attributes()->mutable_bbcenter_to_rear());
    if (odd.maybe(20)) object.set_model_reference(std::string(1 + odd.below(30), 'm'));
    if (odd.maybe(70)) {
        auto& classification = *object.mutable_vehicle_classification();
        if (odd.maybe(80))
            classification.set_type(static_cast<osi3::MovingObject_VehicleClassification_Type>(odd.below(17)));
        if (odd.maybe(50)) classification.set_has_trailer(odd.maybe(50));
        if (odd.maybe(20)) classification.mutable_trailer_id()->set_value(odd.below(1000));
        if (odd.maybe(50))
            classification.mutable_light_state()->set_head_light(
                static_cast<osi3::MovingObject_VehicleClassification_LightState_GenericLightState>(odd.below(4)));
    }
}

void set(OddNumbers& odd, osi3::LidarSensorView& lidar)
{
    if (odd.maybe(50)) {
        auto& view = *lidar.mutable_view_configuration();
        view.set_number_of_rays_horizontal(odd.below(10));
        view.set_number_of_rays_vertical(odd.below(3));
        view.set_field_of_view_horizontal(odd.angle());
        view.set_field_of_view_vertical(odd.angle());
    }
    const bool alike = odd.maybe(50);
    for (auto count = odd.below(200); count != 0; --count) {
        auto& reflection = *lidar.add_reflection();
        if (alike || odd.maybe(80)) reflection.set_signal_strength(odd.real());
        if (alike || odd.maybe(80)) reflection.set_time_of_flight(odd.real());
        if (!alike && odd.maybe(30)) reflection.mutable_object_id()->set_value(odd.below(1000));
        if (!alike && odd.maybe(30)) reflection.mutable_normal_to_surface()->set_x(odd.real());
    }
}

}  // namespace

Message encoded(const osi3::SensorView& view)
{
    Message bytes(view.ByteSizeLong());
    view.SerializeToArray(bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
}

Message odd_view(std::uint32_t seed)
{
    OddNumbers odd(seed);
    osi3::SensorView view;
    if (odd.maybe(80)) view.mutable_timestamp()->set_seconds(odd.below(100));
    if (odd.maybe(80)) view.mutable_sensor_id()->set_value(odd.below(5));
    if (odd.maybe(10)) view.mutable_sensor_id();
    if (odd.maybe(60)) set(odd, *view.mutable_mounting_position()->mutable_position());
    if (odd.maybe(60)) set(odd, *view.mutable_mounting_position()->mutable_orientation());
    if (odd.maybe(60)) view.mutable_host_vehicle_id()->set_value(odd.below(40));
    if (odd.maybe(95)) {
        auto& truth = *view.mutable_global_ground_truth();
        if (odd.maybe(60)) truth.mutable_host_vehicle_id()->set_value(odd.below(40));
        for (auto count = odd.below(80); count != 0; --count) set(odd, *truth.add_moving_object());
    }
    for (auto count = odd.below(3); count != 0; --count) set(odd, *view.add_lidar_sensor_view());
    return encoded(view);
}

std::vector<Message> scene_views(std::uint32_t objects, std::uint32_t reflections, int fields, std::uint64_t frames)
{
    const Scene scene(
        {.frames = frames, .moving_objects = objects, .reflections = reflections, .reflection_fields = fields});
    std::vector<Message> views;
    ByteBuffer bytes;
    for (std::uint64_t i = 0; i < frames; ++i) {
        scene.frame(i, bytes);
        views.emplace_back(bytes.bytes().begin(), bytes.bytes().end());
    }
    return views;
}

std::vector<Message> source_views(std::uint32_t objects, std::uint32_t reflections, bool ray_scene,
                                  std::uint64_t frames)
{
    const auto source = dummy_source({.moving_objects = objects, .reflections = reflections, .ray_scene = ray_scene});
    source->initialize({}, {});
    std::vector<Message> views;
    for (std::uint64_t i = 0; i < frames; ++i) views.push_back(step(*source, std::chrono::milliseconds(100 * (i + 1))));
    return views;
}

}  // namespace ositrace::test
