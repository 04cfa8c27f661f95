// SPDX-License-Identifier: MPL-2.0
#include <vector>

#include "app/bench/dummy/flat_common.hpp"
#include "app/bench/dummy/flat_leaves.hpp"
#include "app/bench/dummy/flat_models.hpp"
#include "lib/dummy/dummy_source_rules.hpp"

namespace ositrace::bench::OSITRACE_FLAT_LAYOUT {

namespace {

using namespace osi;
using namespace dummy;
using flatbuffers::Offset;

/// Generating already serializes: serialize() only finishes the buffer and returns it.
class FlatBuilderSource final : public SourceForm {
public:
    FlatBuilderSource(const DummySourceOptions& options, FlatBuilder memory)
        : objects_(options.moving_objects), lidar_(options), memory_(memory)
    {
    }

    Format format() const noexcept override { return flat_format; }
    void generate(Nanoseconds now) override;
    void serialize(ByteBuffer& out) override
    {
        builder_.Finish(root_, identifier_of(MessageType::sensor_view));
        copy_finished(builder_, out);
    }

private:
    Offset<GroundTruth> ground_truth(Nanoseconds now);
    Offset<MovingObject> object(const SourceObject& from);
    Offset<LidarSensorView> lidar();

    std::uint32_t objects_;
    SourceLidar lidar_;
    FlatBuilder memory_;
    flatbuffers::FlatBufferBuilder builder_;
    Offset<SensorView> root_;
};

void FlatBuilderSource::generate(Nanoseconds now)
{
    begin(builder_, memory_);
    Offset<flatbuffers::Vector<Offset<LidarSensorView>>> lidars;
    if (lidar_.size() != 0) {
        const auto view = lidar();
        lidars = builder_.CreateVector(&view, 1);
    }
    const auto time = timestamp(builder_, now);
    const auto truth = ground_truth(now);
    const auto version = Schema::built_in()->osi_version().value_or(OsiVersion{});
    const auto interface_version = CreateInterfaceVersion(builder_, version.major, version.minor, version.patch);
    const auto sensor_id = identifier(builder_, source_sensor_id);
    const auto host_id = identifier(builder_, source_host_id);
    SensorViewBuilder view(builder_);
    view.add_version(interface_version);
    view.add_timestamp(leaf(time));
    view.add_sensor_id(leaf(sensor_id));
    view.add_global_ground_truth(truth);
    view.add_host_vehicle_id(leaf(host_id));
    view.add_lidar_sensor_view(lidars);
    root_ = view.Finish();
}

Offset<GroundTruth> FlatBuilderSource::ground_truth(Nanoseconds now)
{
    std::vector<Offset<MovingObject>> objects;
    for (std::uint32_t i = 0; i != objects_; ++i) objects.push_back(object(source_object(i, now)));
    const auto vector = builder_.CreateVector(objects);
    const auto host_id = identifier(builder_, source_host_id);
    const auto time = timestamp(builder_, now);
    GroundTruthBuilder truth(builder_);
    truth.add_timestamp(leaf(time));
    truth.add_host_vehicle_id(leaf(host_id));
    truth.add_moving_object(vector);
    return truth.Finish();
}

Offset<MovingObject> FlatBuilderSource::object(const SourceObject& from)
{
    const auto id = identifier(builder_, from.id);
    const auto dimension = dimension3d(builder_, source_dimension);
    const auto position = vector3d(builder_, from.position);
    const auto orientation = orientation3d(builder_, {});
    const auto velocity = vector3d(builder_, from.velocity);
    const auto acceleration = vector3d(builder_, from.acceleration);
    const auto rate = orientation3d(builder_, {});
    const auto base = CreateBaseMoving(builder_, leaf(dimension), leaf(position), leaf(orientation), leaf(velocity),
                                       leaf(acceleration), leaf(rate));
    const auto to_rear = vector3d(builder_, source_to_rear);
    MovingObject_VehicleAttributesBuilder attributes(builder_);
    attributes.add_bbcenter_to_rear(leaf(to_rear));
    const auto vehicle_attributes = attributes.Finish();
    MovingObject_VehicleClassification_LightStateBuilder lights(builder_);
    lights.add_indicator_state(
        static_cast<MovingObject_VehicleClassification_LightState_IndicatorState>(indicator_state_off));
    lights.add_brake_light_state(
        static_cast<MovingObject_VehicleClassification_LightState_BrakeLightState>(brake_light_state_off));
    const auto light_state = lights.Finish();
    const auto classification = CreateMovingObject_VehicleClassification(
        builder_, static_cast<MovingObject_VehicleClassification_Type>(from.vehicle_type), light_state);
    MovingObjectBuilder to(builder_);
    to.add_id(leaf(id));
    to.add_base(base);
    to.add_type(static_cast<MovingObject_Type>(type_vehicle));
    to.add_vehicle_attributes(vehicle_attributes);
    to.add_vehicle_classification(classification);
    return to.Finish();
}

Offset<LidarSensorView> FlatBuilderSource::lidar()
{
    const auto vector_of_reflections = reflections(builder_, lidar_);
    const auto position = vector3d(builder_, source_lidar_position);
    const auto mounting = CreateMountingPosition(builder_, leaf(position));
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

std::unique_ptr<SensorModel> flat_builder_source(const DummySourceOptions& options, FlatBuilder builder)
{
    return dummy::model_of(std::make_unique<FlatBuilderSource>(options, builder), options.observer);
}

}  // namespace ositrace::bench::OSITRACE_FLAT_LAYOUT
