// SPDX-License-Identifier: MPL-2.0
#include <osi3/osi_sensorview.pb.h>

#include "app/bench/dummy/protobuf_messages.hpp"
#include "lib/dummy/dummy_form.hpp"
#include "lib/dummy/dummy_source_rules.hpp"

namespace ositrace::bench {

namespace {

using namespace dummy;

class ProtobufSource final : public SourceForm {
public:
    ProtobufSource(const DummySourceOptions& options, ProtobufMemory memory)
        : objects_(options.moving_objects), lidar_(options), out_(memory)
    {
    }

    Format format() const noexcept override { return {}; }
    void generate(Nanoseconds now) override;
    void serialize(ByteBuffer& out) override { serialize_message(*out_, out); }

private:
    static void generate(const SourceObject& object, osi3::MovingObject& to);
    void generate_lidar(osi3::LidarSensorView& to) const;

    std::uint32_t objects_;
    SourceLidar lidar_;
    StepMessage<osi3::SensorView> out_;
};

void ProtobufSource::generate(Nanoseconds now)
{
    auto& out = out_.next();
    if (const auto version = Schema::built_in()->osi_version()) {
        out.mutable_version()->set_version_major(version->major);
        out.mutable_version()->set_version_minor(version->minor);
        out.mutable_version()->set_version_patch(version->patch);
    }
    set(*out.mutable_timestamp(), now);
    out.mutable_sensor_id()->set_value(source_sensor_id);
    out.mutable_host_vehicle_id()->set_value(source_host_id);
    auto& ground_truth = *out.mutable_global_ground_truth();
    set(*ground_truth.mutable_timestamp(), now);
    ground_truth.mutable_host_vehicle_id()->set_value(source_host_id);
    for (std::uint32_t i = 0; i != objects_; ++i) generate(source_object(i, now), *ground_truth.add_moving_object());
    if (lidar_.size() != 0) generate_lidar(*out.add_lidar_sensor_view());
}

void ProtobufSource::generate(const SourceObject& object, osi3::MovingObject& to)
{
    to.mutable_id()->set_value(object.id);
    auto& base = *to.mutable_base();
    base.mutable_dimension()->set_length(source_dimension.x);
    base.mutable_dimension()->set_width(source_dimension.y);
    base.mutable_dimension()->set_height(source_dimension.z);
    set(*base.mutable_position(), object.position);
    set(*base.mutable_orientation(), scene::Orientation{});
    set(*base.mutable_velocity(), object.velocity);
    set(*base.mutable_acceleration(), object.acceleration);
    set(*base.mutable_orientation_rate(), scene::Orientation{});
    to.set_type(static_cast<osi3::MovingObject_Type>(type_vehicle));
    set(*to.mutable_vehicle_attributes()->mutable_bbcenter_to_rear(), source_to_rear);
    auto& classification = *to.mutable_vehicle_classification();
    classification.set_type(static_cast<osi3::MovingObject_VehicleClassification_Type>(object.vehicle_type));
    auto& light = *classification.mutable_light_state();
    light.set_indicator_state(
        static_cast<osi3::MovingObject_VehicleClassification_LightState_IndicatorState>(indicator_state_off));
    light.set_brake_light_state(
        static_cast<osi3::MovingObject_VehicleClassification_LightState_BrakeLightState>(brake_light_state_off));
}

void ProtobufSource::generate_lidar(osi3::LidarSensorView& to) const
{
    auto& view = *to.mutable_view_configuration();
    set(*view.mutable_mounting_position()->mutable_position(), source_lidar_position);
    view.set_field_of_view_horizontal(lidar_.grid().field_of_view_horizontal);
    view.set_field_of_view_vertical(lidar_.grid().field_of_view_vertical);
    if (lidar_.grid().columns != 0) {
        view.set_number_of_rays_horizontal(lidar_.grid().columns);
        view.set_number_of_rays_vertical(lidar_.grid().rows);
    }
    for (std::uint32_t i = 0; i != lidar_.size(); ++i) {
        const auto from = lidar_[i];
        auto& reflection = *to.add_reflection();
        reflection.set_signal_strength(from.signal_strength);
        reflection.set_time_of_flight(from.time_of_flight);
        if (lidar_.with_doppler_shift()) reflection.set_doppler_shift(from.doppler_shift);
    }
}

}  // namespace

std::unique_ptr<SensorModel> protobuf_source(const DummySourceOptions& options, ProtobufMemory memory)
{
    return dummy::model_of(std::make_unique<ProtobufSource>(options, memory), options.observer);
}

}  // namespace ositrace::bench
