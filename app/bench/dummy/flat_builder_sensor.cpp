// SPDX-License-Identifier: MPL-2.0
#include <optional>
#include <type_traits>
#include <vector>

#include <flatbuffers/reflection.h>

#include "app/bench/dummy/flat_common.hpp"
#include "app/bench/dummy/flat_leaves.hpp"
#include "app/bench/dummy/flat_models.hpp"

namespace ositrace::bench::OSITRACE_FLAT_LAYOUT {

namespace {

using namespace osi;
using flatbuffers::Offset;

/// The carried input is copied with flatbuffers' reflection: nobody writes the builder calls for all of OSI by hand.
class FlatBuilderSensor final : public dummy::SensorForm {
public:
    FlatBuilderSensor(const DummySensorOptions& options, FlatInput input, FlatBuilder memory)
        : range_(options.nominal_range),
          carry_(options.carry_input),
          input_(input),
          memory_(memory),
          schema_(*reflection::GetSchema(binary_schema().data())),
          sensor_view_(
              *schema_.objects()->Get(schema_.root_table()->fields()->LookupByKey("sensor_view")->type()->index()))
    {
    }

    Format open(const Channel& sensor_view) override
    {
        check_flat_input(sensor_view);
        return flat_format;
    }
    void deserialize(Bytes sensor_view) override
    {
        in_ = &sensor_view_of(sensor_view, input_);
        received_ = reinterpret_cast<const std::uint8_t*>(sensor_view.data());
    }
    void calculate(Nanoseconds now) override;
    void serialize(ByteBuffer& out) override
    {
        builder_.Finish(root_, identifier_of(MessageType::sensor_data));
        copy_finished(builder_, out);
    }

private:
    using Objects = Offset<flatbuffers::Vector<Offset<DetectedMovingObject>>>;
    Objects detect_objects();
    Offset<DetectedMovingObject> detected(const MovingObject& object, const dummy::SensorFrame::Seen& seen,
                                          std::uint64_t tracking_id);
    Offset<DetectedItemHeader> header(const MovingObject& object, double existence_probability,
                                      std::uint64_t tracking_id);
    Offset<FeatureData> detect_points();
    Offset<MountingPosition> mounting();

    double range_;
    bool carry_;
    FlatInput input_;
    FlatBuilder memory_;
    const reflection::Schema& schema_;
    const reflection::Object& sensor_view_;
    const SensorView* in_ = nullptr;
    const std::uint8_t* received_ = nullptr;
    flatbuffers::FlatBufferBuilder builder_;
    Offset<SensorData> root_;
};

/// Empty if there is none.
auto copy(flatbuffers::FlatBufferBuilder& builder, const Identifier* from)
{
    using Leaf = decltype(identifier(builder, 0));
    return from == nullptr ? std::optional<Leaf>() : identifier(builder, id_of(from));
}

Offset<MovingObject_VehicleClassification_LightState> copy(flatbuffers::FlatBufferBuilder& builder,
                                                           const MovingObject_VehicleClassification_LightState* from)
{
    if (from == nullptr) return 0;
    MovingObject_VehicleClassification_LightStateBuilder to(builder);
    if_set(from->indicator_state(), [&](auto state) { to.add_indicator_state(state); });
    if_set(from->front_fog_light(), [&](auto state) { to.add_front_fog_light(state); });
    if_set(from->rear_fog_light(), [&](auto state) { to.add_rear_fog_light(state); });
    if_set(from->head_light(), [&](auto state) { to.add_head_light(state); });
    if_set(from->high_beam(), [&](auto state) { to.add_high_beam(state); });
    if_set(from->reversing_light(), [&](auto state) { to.add_reversing_light(state); });
    if_set(from->tail_light(), [&](auto state) { to.add_tail_light(state); });
    if_set(from->brake_light_state(), [&](auto state) { to.add_brake_light_state(state); });
    if_set(from->license_plate_illumination_rear(), [&](auto state) { to.add_license_plate_illumination_rear(state); });
    if_set(from->emergency_vehicle_illumination(), [&](auto state) { to.add_emergency_vehicle_illumination(state); });
    if_set(from->service_vehicle_illumination(), [&](auto state) { to.add_service_vehicle_illumination(state); });
    return to.Finish();
}

Offset<MovingObject_VehicleClassification> copy(flatbuffers::FlatBufferBuilder& builder,
                                                const MovingObject_VehicleClassification* from)
{
    if (from == nullptr) return 0;
    const auto light = copy(builder, from->light_state());
    const auto trailer = copy(builder, from->trailer_id());
    return CreateMovingObject_VehicleClassification(builder, from->type(), light, from->has_trailer(), leaf(trailer),
                                                    from->role());
}

void FlatBuilderSensor::calculate(Nanoseconds now)
{
    begin(builder_, memory_);
    const auto objects = detect_objects();
    const auto features = detect_points();
    Offset<flatbuffers::Vector<Offset<SensorView>>> carried;
    if (carry_) {
        const auto copy = flatbuffers::CopyTable(builder_, schema_, sensor_view_, *flatbuffers::GetAnyRoot(received_));
        carried = one(builder_, Offset<SensorView>(copy.o));
    }
    const auto time = timestamp(builder_, now);
    const auto version = Schema::built_in()->osi_version().value_or(OsiVersion{});
    const auto interface_version = CreateInterfaceVersion(builder_, version.major, version.minor, version.patch);
    const auto sensor_id = copy(builder_, in_->sensor_id());
    const auto mounted = mounting();
    SensorDataBuilder data(builder_);
    data.add_version(interface_version);
    data.add_timestamp(leaf(time));
    data.add_sensor_id(leaf(sensor_id));
    data.add_mounting_position(mounted);
    data.add_sensor_view(carried);
    data.add_last_measurement_time(leaf(time));
    data.add_moving_object(objects);
    data.add_feature_data(features);
    root_ = data.Finish();
}

Offset<MountingPosition> FlatBuilderSensor::mounting()
{
    if (in_->mounting_position() == nullptr) return 0;
    const auto pose = mounting_of(*in_);
    const auto position = vector3d(builder_, pose.position);
    const auto orientation = orientation3d(builder_, pose.orientation);
    return CreateMountingPosition(builder_, leaf(position), leaf(orientation));
}

FlatBuilderSensor::Objects FlatBuilderSensor::detect_objects()
{
    std::vector<Offset<DetectedMovingObject>> objects;
    for_each_detected(*in_, range_, [&](const MovingObject& object, const dummy::SensorFrame::Seen& seen) {
        objects.push_back(detected(object, seen, objects.size()));
    });
    return objects.empty() ? Objects() : builder_.CreateVector(objects);
}

Offset<DetectedItemHeader> FlatBuilderSensor::header(const MovingObject& object, double existence_probability,
                                                     std::uint64_t tracking_id)
{
    const auto tracking = identifier(builder_, tracking_id);
    const auto ground_truth = one(builder_, identifier(builder_, id_of(object.id())));
    std::remove_const_t<decltype(ground_truth)> sensor;
    if (in_->sensor_id() != nullptr) sensor = one(builder_, identifier(builder_, id_of(in_->sensor_id())));
    DetectedItemHeaderBuilder to(builder_);
    to.add_tracking_id(leaf(tracking));
    to.add_ground_truth_id(ground_truth);
    to.add_existence_probability(existence_probability);
    to.add_measurement_state(DetectedItemHeader_MeasurementState_MEASUREMENT_STATE_MEASURED);
    to.add_sensor_id(sensor);
    return to.Finish();
}

Offset<DetectedMovingObject> FlatBuilderSensor::detected(const MovingObject& object,
                                                         const dummy::SensorFrame::Seen& seen,
                                                         std::uint64_t tracking_id)
{
    const auto item = header(object, seen.existence_probability, tracking_id);
    const auto* const size = object.base() == nullptr ? nullptr : object.base()->dimension();
    std::optional<decltype(dimension3d(builder_, {}))> dimension;
    if (size != nullptr)
        dimension = dimension3d(builder_, {value(size->length()), value(size->width()), value(size->height())});
    const auto position = vector3d(builder_, seen.pose.position);
    const auto orientation = orientation3d(builder_, seen.pose.orientation);
    const auto base = CreateBaseMoving(builder_, leaf(dimension), leaf(position), leaf(orientation));
    const auto classification = copy(builder_, object.vehicle_classification());
    std::optional<decltype(orientation3d(builder_, {}))> head, upper_body;
    if (seen.body_pose) {
        head = orientation3d(builder_, *seen.body_pose);
        upper_body = orientation3d(builder_, *seen.body_pose);
    }
    const auto candidate =
        one(builder_, CreateDetectedMovingObject_CandidateMovingObject(builder_, 1.0, object.type(), classification,
                                                                       leaf(head), leaf(upper_body)));
    DetectedMovingObjectBuilder to(builder_);
    to.add_header(item);
    to.add_base(base);
    to.add_candidate(candidate);
    return to.Finish();
}

Offset<FeatureData> FlatBuilderSensor::detect_points()
{
    const auto* const lidars = in_->lidar_sensor_view();
    if (lidars == nullptr || lidars->size() == 0) return 0;
    std::vector<Offset<LidarDetectionData>> sensors;
    std::vector<Offset<LidarDetection>> detections;
    for (const auto* const lidar : *lidars) {
        detections.clear();
        for_each_detection(*lidar, [&](const dummy::Spherical& detection) {
            const auto position = spherical3d(builder_, detection);
            LidarDetectionBuilder to(builder_);
            to.add_position(leaf(position));
            detections.push_back(to.Finish());
        });
        sensors.push_back(CreateLidarDetectionData(builder_, 0, builder_.CreateVector(detections)));
    }
    const auto vector = builder_.CreateVector(sensors);
    FeatureDataBuilder to(builder_);
    to.add_lidar_sensor(vector);
    return to.Finish();
}

}  // namespace

std::unique_ptr<SensorModel> flat_builder_sensor(const DummySensorOptions& options, FlatInput input,
                                                 FlatBuilder builder)
{
    return dummy::model_of(std::make_unique<FlatBuilderSensor>(options, input, builder), options.observer);
}

}  // namespace ositrace::bench::OSITRACE_FLAT_LAYOUT
