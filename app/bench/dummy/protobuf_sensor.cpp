// SPDX-License-Identifier: MPL-2.0
#include <ositrace/error.hpp>

#include <osi3/osi_sensordata.pb.h>
#include <osi3/osi_sensorview.pb.h>

#include "app/bench/dummy/protobuf_messages.hpp"
#include "lib/dummy/dummy_form.hpp"
#include "lib/dummy/dummy_sensor_rules.hpp"

namespace ositrace::bench {

namespace {

using namespace dummy;

Vector vector_of(const osi3::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
Orientation orientation_of(const osi3::Orientation3d& o) { return {o.roll(), o.pitch(), o.yaw()}; }

class ProtobufSensor final : public SensorForm {
public:
    ProtobufSensor(const DummySensorOptions& options, ProtobufMemory memory)
        : range_(options.nominal_range), carry_(options.carry_input), in_(memory), out_(memory)
    {
    }

    Format open(const Channel& sensor_view) override
    {
        if (sensor_view.format.encoding != Encoding::protobuf)
            throw Error(Cause::unsupported, "this form of the dummy sensor takes Protobuf only");
        return {};
    }
    void deserialize(Bytes sensor_view) override
    {
        if (!in_.next().ParseFromArray(sensor_view.data(), static_cast<int>(sensor_view.size())))
            throw Error(Cause::malformed, "libprotobuf cannot parse the SensorView");
    }
    void calculate(Nanoseconds now) override;
    void serialize(ByteBuffer& out) override { serialize_message(*out_, out); }

private:
    void detect_objects();
    void detect_points();
    void add(const osi3::MovingObject& object, const SensorFrame::Seen& seen);
    [[nodiscard]] Pose mounting();

    double range_;
    bool carry_;
    StepMessage<osi3::SensorView> in_;
    StepMessage<osi3::SensorData> out_;
};

Pose pose_of(const osi3::MovingObject& object)
{
    return {vector_of(object.base().position()), orientation_of(object.base().orientation())};
}

Pose ProtobufSensor::mounting()
{
    return {vector_of(in_->mounting_position().position()), orientation_of(in_->mounting_position().orientation())};
}

void ProtobufSensor::calculate(Nanoseconds now)
{
    auto& out = out_.next();
    const auto version = Schema::built_in()->osi_version();
    if (version) {
        out.mutable_version()->set_version_major(version->major);
        out.mutable_version()->set_version_minor(version->minor);
        out.mutable_version()->set_version_patch(version->patch);
    }
    set(*out.mutable_timestamp(), now);
    set(*out.mutable_last_measurement_time(), now);
    if (in_->has_sensor_id()) out.mutable_sensor_id()->set_value(in_->sensor_id().value());
    if (in_->has_mounting_position()) {
        set(*out.mutable_mounting_position()->mutable_position(), mounting().position);
        set(*out.mutable_mounting_position()->mutable_orientation(), mounting().orientation);
    }
    if (carry_) out.add_sensor_view()->CopyFrom(*in_);
    detect_objects();
    detect_points();
}

void ProtobufSensor::detect_objects()
{
    const auto& ground_truth = in_->global_ground_truth();
    if (!ground_truth.has_host_vehicle_id() && !in_->has_host_vehicle_id()) return;
    const auto host_id =
        (ground_truth.has_host_vehicle_id() ? ground_truth.host_vehicle_id() : in_->host_vehicle_id()).value();
    const osi3::MovingObject* host = nullptr;
    for (const auto& object : ground_truth.moving_object())
        if (object.id().value() == host_id) host = &object;
    if (host == nullptr) return;
    const SensorFrame frame(range_, pose_of(*host), vector_of(host->vehicle_attributes().bbcenter_to_rear()),
                            mounting());
    for (const auto& object : ground_truth.moving_object()) {
        if (object.id().value() == host_id) continue;
        if (const auto seen = frame.see(pose_of(object), object.type())) add(object, *seen);
    }
}

void ProtobufSensor::add(const osi3::MovingObject& object, const SensorFrame::Seen& seen)
{
    const auto tracking_id = static_cast<std::uint64_t>(out_->moving_object_size());
    auto& to = *out_->add_moving_object();
    auto& header = *to.mutable_header();
    header.mutable_tracking_id()->set_value(tracking_id);
    header.add_ground_truth_id()->set_value(object.id().value());
    header.set_existence_probability(seen.existence_probability);
    header.set_measurement_state(osi3::DetectedItemHeader_MeasurementState_MEASUREMENT_STATE_MEASURED);
    if (in_->has_sensor_id()) header.add_sensor_id()->set_value(in_->sensor_id().value());
    auto& base = *to.mutable_base();
    if (object.base().has_dimension()) {
        base.mutable_dimension()->set_length(object.base().dimension().length());
        base.mutable_dimension()->set_width(object.base().dimension().width());
        base.mutable_dimension()->set_height(object.base().dimension().height());
    }
    set(*base.mutable_position(), seen.pose.position);
    set(*base.mutable_orientation(), seen.pose.orientation);
    auto& candidate = *to.add_candidate();
    candidate.set_probability(1);
    if (object.has_type()) candidate.set_type(object.type());
    if (object.has_vehicle_classification())
        candidate.mutable_vehicle_classification()->CopyFrom(object.vehicle_classification());
    if (!seen.body_pose) return;
    set(*candidate.mutable_head_pose(), *seen.body_pose);
    set(*candidate.mutable_upper_body_pose(), *seen.body_pose);
}

void ProtobufSensor::detect_points()
{
    for (const auto& lidar : in_->lidar_sensor_view()) {
        auto& sensor = *out_->mutable_feature_data()->add_lidar_sensor();
        const auto& view = lidar.view_configuration();
        const RayGrid grid{view.number_of_rays_horizontal(), view.number_of_rays_vertical(),
                           view.field_of_view_horizontal(), view.field_of_view_vertical()};
        const auto count = static_cast<std::uint64_t>(lidar.reflection_size());
        for (std::uint64_t i = 0; i < count; i += reflections_per_detection) {
            const auto detection = detection_of(grid, i, lidar.reflection(static_cast<int>(i)).time_of_flight());
            auto& position = *sensor.add_detection()->mutable_position();
            position.set_distance(detection.distance);
            position.set_azimuth(detection.azimuth);
            position.set_elevation(detection.elevation);
        }
    }
}

}  // namespace

std::unique_ptr<SensorModel> protobuf_sensor(const DummySensorOptions& options, ProtobufMemory memory)
{
    return dummy::model_of(std::make_unique<ProtobufSensor>(options, memory), options.observer);
}

}  // namespace ositrace::bench
