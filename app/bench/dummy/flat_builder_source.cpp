// SPDX-License-Identifier: MPL-2.0
#include <vector>

#include "app/bench/dummy/flat_common.hpp"
#include "lib/model/dummy_source_rules.hpp"

namespace ositrace::bench {

namespace {

using namespace osi3_flat;
using namespace dummy;
using flatbuffers::Offset;
using osi3_flat::Timestamp;  // dummy has one, too

/// Generating is serializing: what serialize() has to do is finish and hand over.
class FlatBuilderSource final : public SourceForm {
public:
    explicit FlatBuilderSource(const DummySourceOptions& options) : objects_(options.moving_objects), lidar_(options) {}

    Format format() const noexcept override { return flat_format; }
    void generate(Nanoseconds now) override;
    void serialize(ByteBuffer& out) override
    {
        builder_.Finish(root_, identifier_of(MessageType::sensor_view));
        copy_finished(builder_, out);
    }

private:
    Offset<GroundTruth> ground_truth(Nanoseconds now, Offset<Timestamp> timestamp);
    Offset<MovingObject> object(const SourceObject& from);
    Offset<LidarSensorView> lidar();
    Offset<Vector3d> vector(const Vector& v) { return CreateVector3d(builder_, v.x, v.y, v.z); }

    std::uint32_t objects_;
    SourceLidar lidar_;
    flatbuffers::FlatBufferBuilder builder_;
    Offset<SensorView> root_;
};

void FlatBuilderSource::generate(Nanoseconds now)
{
    builder_.Clear();
    Offset<flatbuffers::Vector<Offset<LidarSensorView>>> lidars;
    if (lidar_.size() != 0) {
        const auto view = lidar();
        lidars = builder_.CreateVector(&view, 1);
    }
    const auto stamp = timestamp_of(now);
    const auto timestamp = CreateTimestamp(builder_, stamp.seconds, stamp.nanos);
    const auto truth = ground_truth(now, timestamp);
    const auto version = Schema::built_in()->osi_version().value_or(OsiVersion{});
    const auto interface_version = CreateInterfaceVersion(builder_, version.major, version.minor, version.patch);
    const auto sensor_id = CreateIdentifier(builder_, source_sensor_id);
    const auto host_id = CreateIdentifier(builder_, source_host_id);
    SensorViewBuilder view(builder_);
    view.add_version(interface_version);
    view.add_timestamp(timestamp);
    view.add_sensor_id(sensor_id);
    view.add_global_ground_truth(truth);
    view.add_host_vehicle_id(host_id);
    view.add_lidar_sensor_view(lidars);
    root_ = view.Finish();
}

Offset<GroundTruth> FlatBuilderSource::ground_truth(Nanoseconds now, Offset<Timestamp> timestamp)
{
    std::vector<Offset<MovingObject>> objects;
    for (std::uint32_t i = 0; i != objects_; ++i) objects.push_back(object(source_object(i, now)));
    const auto vector = builder_.CreateVector(objects);
    const auto host_id = CreateIdentifier(builder_, source_host_id);
    GroundTruthBuilder truth(builder_);
    truth.add_timestamp(timestamp);
    truth.add_host_vehicle_id(host_id);
    truth.add_moving_object(vector);
    return truth.Finish();
}

Offset<MovingObject> FlatBuilderSource::object(const SourceObject& from)
{
    const auto id = CreateIdentifier(builder_, from.id);
    const auto dimension = CreateDimension3d(builder_, source_dimension.x, source_dimension.y, source_dimension.z);
    const auto position = vector(from.position);
    const auto orientation = CreateOrientation3d(builder_, 0.0, 0.0, 0.0);
    const auto velocity = vector(from.velocity);
    const auto acceleration = vector(from.acceleration);
    const auto rate = CreateOrientation3d(builder_, 0.0, 0.0, 0.0);
    const auto base = CreateBaseMoving(builder_, dimension, position, orientation, velocity, acceleration, rate);
    const auto to_rear = vector(source_to_rear);
    MovingObject_VehicleAttributesBuilder attributes(builder_);
    attributes.add_bbcenter_to_rear(to_rear);
    const auto vehicle_attributes = attributes.Finish();
    MovingObject_VehicleClassification_LightStateBuilder lights(builder_);
    lights.add_indicator_state(static_cast<MovingObject_VehicleClassification_LightState_IndicatorState>(indicator_state_off));
    lights.add_brake_light_state(static_cast<MovingObject_VehicleClassification_LightState_BrakeLightState>(brake_light_state_off));
    const auto light_state = lights.Finish();
    const auto classification = CreateMovingObject_VehicleClassification(
        builder_, static_cast<MovingObject_VehicleClassification_Type>(from.vehicle_type), light_state);
    MovingObjectBuilder to(builder_);
    to.add_id(id);
    to.add_base(base);
    to.add_type(static_cast<MovingObject_Type>(type_vehicle));
    to.add_vehicle_attributes(vehicle_attributes);
    to.add_vehicle_classification(classification);
    return to.Finish();
}

Offset<LidarSensorView> FlatBuilderSource::lidar()
{
    std::vector<Offset<LidarSensorView_Reflection>> reflections;
    reflections.reserve(lidar_.size());
    for (std::uint32_t i = 0; i != lidar_.size(); ++i) {
        const auto from = lidar_[i];
        LidarSensorView_ReflectionBuilder to(builder_);
        to.add_signal_strength(from.signal_strength);
        to.add_time_of_flight(from.time_of_flight);
        if (lidar_.with_doppler_shift()) to.add_doppler_shift(from.doppler_shift);
        reflections.push_back(to.Finish());
    }
    const auto vector_of_reflections = builder_.CreateVector(reflections);
    const auto mounting = CreateMountingPosition(builder_, vector(source_lidar_position));
    LidarSensorViewConfigurationBuilder configuration(builder_);
    configuration.add_mounting_position(mounting);
    configuration.add_field_of_view_horizontal(lidar_.grid().field_of_view_horizontal);
    configuration.add_field_of_view_vertical(lidar_.grid().field_of_view_vertical);
    if (lidar_.grid().columns != 0) {
        configuration.add_number_of_rays_horizontal(lidar_.grid().columns);
        configuration.add_number_of_rays_vertical(lidar_.grid().rows);
    }
    return CreateLidarSensorView(builder_, configuration.Finish(), vector_of_reflections);
}

}  // namespace

std::unique_ptr<SensorModel> flat_builder_source(const DummySourceOptions& options)
{
    return dummy::model_of(std::make_unique<FlatBuilderSource>(options), options.observer);
}

}  // namespace ositrace::bench
