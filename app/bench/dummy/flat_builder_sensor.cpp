// SPDX-License-Identifier: MPL-2.0
#include <vector>

#include <flatbuffers/reflection.h>

#include <ositrace/schema_text.hpp>

#include "app/bench/dummy/flat_common.hpp"

namespace ositrace::bench {

namespace {

using namespace osi3_flat;
using flatbuffers::Offset;

/// What is carried is copied by way of flatbuffers' reflection: nobody writes the builder calls for all of OSI by hand.
class FlatBuilderSensor final : public dummy::SensorForm {
public:
    FlatBuilderSensor(const DummySensorOptions& options, FlatInput input)
        : range_(options.nominal_range),
          carry_(options.carry_input),
          input_(input),
          bfbs_(flatbuffers_binary_schema(*Schema::built_in(), {.type = MessageType::sensor_view})),
          sensor_view_(*schema().objects()->LookupByKey("osi3_flat.SensorView"))
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
    [[nodiscard]] const reflection::Schema& schema() const { return *reflection::GetSchema(bfbs_.data()); }
    using Objects = Offset<flatbuffers::Vector<Offset<DetectedMovingObject>>>;
    Objects detect_objects();
    Offset<DetectedMovingObject> detected(const MovingObject& object, const dummy::SensorFrame::Seen& seen, std::uint64_t tracking_id);
    Offset<DetectedItemHeader> header(const MovingObject& object, double existence_probability, std::uint64_t tracking_id);
    Offset<FeatureData> detect_points();
    Offset<MountingPosition> mounting();
    Offset<Vector3d> vector(const dummy::Vector& v) { return CreateVector3d(builder_, v.x, v.y, v.z); }
    Offset<Orientation3d> orientation(const dummy::Orientation& o) { return CreateOrientation3d(builder_, o.roll, o.pitch, o.yaw); }

    double range_;
    bool carry_;
    FlatInput input_;
    std::vector<std::byte> bfbs_;
    const reflection::Object& sensor_view_;
    const SensorView* in_ = nullptr;
    const std::uint8_t* received_ = nullptr;
    flatbuffers::FlatBufferBuilder builder_;
    Offset<SensorData> root_;
};

template <class T>
Offset<flatbuffers::Vector<Offset<T>>> one(flatbuffers::FlatBufferBuilder& builder, Offset<T> element)
{
    return builder.CreateVector(&element, 1);
}

Offset<MovingObject_VehicleClassification_LightState> copy(flatbuffers::FlatBufferBuilder& builder,
                                                           const MovingObject_VehicleClassification_LightState* from)
{
    if (from == nullptr) return 0;
    return CreateMovingObject_VehicleClassification_LightState(
        builder, from->indicator_state(), from->front_fog_light(), from->rear_fog_light(), from->head_light(), from->high_beam(),
        from->reversing_light(), from->brake_light_state(), from->license_plate_illumination_rear(), from->emergency_vehicle_illumination(),
        from->service_vehicle_illumination(), from->tail_light());
}

Offset<MovingObject_VehicleClassification> copy(flatbuffers::FlatBufferBuilder& builder, const MovingObject_VehicleClassification* from)
{
    if (from == nullptr) return 0;
    const auto light = copy(builder, from->light_state());
    const auto trailer = from->trailer_id() == nullptr ? Offset<Identifier>() : CreateIdentifier(builder, from->trailer_id()->value());
    return CreateMovingObject_VehicleClassification(builder, from->type(), light, from->has_trailer(), trailer, from->role());
}

void FlatBuilderSensor::calculate(Nanoseconds now)
{
    builder_.Clear();
    const auto objects = detect_objects();
    const auto features = detect_points();
    Offset<flatbuffers::Vector<Offset<SensorView>>> carried;
    if (carry_) {
        const auto copy = flatbuffers::CopyTable(builder_, schema(), sensor_view_, *flatbuffers::GetAnyRoot(received_));
        carried = one(builder_, Offset<SensorView>(copy.o));
    }
    const auto stamp = dummy::timestamp_of(now);
    const auto timestamp = CreateTimestamp(builder_, stamp.seconds, stamp.nanos);
    const auto version = Schema::built_in()->osi_version().value_or(OsiVersion{});
    const auto interface_version = CreateInterfaceVersion(builder_, version.major, version.minor, version.patch);
    const auto sensor_id = in_->sensor_id() == nullptr ? Offset<Identifier>() : CreateIdentifier(builder_, id_of(in_->sensor_id()));
    const auto mounted = mounting();
    SensorDataBuilder data(builder_);
    data.add_version(interface_version);
    data.add_timestamp(timestamp);
    data.add_sensor_id(sensor_id);
    data.add_mounting_position(mounted);
    data.add_sensor_view(carried);
    data.add_last_measurement_time(timestamp);
    data.add_moving_object(objects);
    data.add_feature_data(features);
    root_ = data.Finish();
}

Offset<MountingPosition> FlatBuilderSensor::mounting()
{
    if (in_->mounting_position() == nullptr) return 0;
    const auto pose = mounting_of(*in_);
    const auto position = vector(pose.position);
    const auto turned = orientation(pose.orientation);
    return CreateMountingPosition(builder_, position, turned);
}

FlatBuilderSensor::Objects FlatBuilderSensor::detect_objects()
{
    std::vector<Offset<DetectedMovingObject>> objects;
    for_each_detected(*in_, range_, [&](const MovingObject& object, const dummy::SensorFrame::Seen& seen) {
        objects.push_back(detected(object, seen, objects.size()));
    });
    return objects.empty() ? Objects() : builder_.CreateVector(objects);
}

Offset<DetectedItemHeader> FlatBuilderSensor::header(const MovingObject& object, double existence_probability, std::uint64_t tracking_id)
{
    const auto tracking = CreateIdentifier(builder_, tracking_id);
    const auto ground_truth = one(builder_, CreateIdentifier(builder_, id_of(object.id())));
    Offset<flatbuffers::Vector<Offset<Identifier>>> sensor;
    if (in_->sensor_id() != nullptr) sensor = one(builder_, CreateIdentifier(builder_, id_of(in_->sensor_id())));
    DetectedItemHeaderBuilder to(builder_);
    to.add_tracking_id(tracking);
    to.add_ground_truth_id(ground_truth);
    to.add_existence_probability(existence_probability);
    to.add_measurement_state(DetectedItemHeader_MeasurementState_MEASUREMENT_STATE_MEASURED);
    to.add_sensor_id(sensor);
    return to.Finish();
}

Offset<DetectedMovingObject> FlatBuilderSensor::detected(const MovingObject& object, const dummy::SensorFrame::Seen& seen,
                                                         std::uint64_t tracking_id)
{
    const auto item = header(object, seen.existence_probability, tracking_id);
    const auto* const size = object.base() == nullptr ? nullptr : object.base()->dimension();
    Offset<Dimension3d> dimension;
    if (size != nullptr) dimension = CreateDimension3d(builder_, value(size->length()), value(size->width()), value(size->height()));
    const auto position = vector(seen.pose.position);
    const auto turned = orientation(seen.pose.orientation);
    const auto base = CreateBaseMoving(builder_, dimension, position, turned);
    const auto classification = copy(builder_, object.vehicle_classification());
    const auto candidate = one(builder_, CreateDetectedMovingObject_CandidateMovingObject(builder_, 1.0, object.type(), classification));
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
            const auto position = CreateSpherical3d(builder_, detection.distance, detection.azimuth, detection.elevation);
            LidarDetectionBuilder to(builder_);
            to.add_position(position);
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

std::unique_ptr<SensorModel> flat_builder_sensor(const DummySensorOptions& options, FlatInput input)
{
    return dummy::model_of(std::make_unique<FlatBuilderSensor>(options, input), options.observer);
}

}  // namespace ositrace::bench
