// SPDX-License-Identifier: MPL-2.0
#include "app/bench/dummy/flat_models.hpp"
#include "app/bench/dummy/flat_objects.hpp"

namespace ositrace::bench::OSITRACE_FLAT_LAYOUT {

namespace {

using namespace osi;

/// Unpacks into the existing objects.
template <class T, class Table>
void copy(std::unique_ptr<T>& to, const Table* from)
{
    if (from == nullptr)
        to.reset();
    else
        from->UnPackTo(&in(to));
}

/// Element `i`, created if it does not exist.
template <class T>
T& element(std::vector<std::unique_ptr<T>>& elements, std::size_t i)
{
    if (i == elements.size()) elements.emplace_back();
    return in(elements[i]);
}

class FlatObjectSensor final : public dummy::SensorForm {
public:
    FlatObjectSensor(const DummySensorOptions& options, FlatInput input, FlatObjects objects)
        : range_(options.nominal_range), carry_(options.carry_input), input_(input), objects_(objects)
    {
    }

    Format open(const Channel& sensor_view) override
    {
        check_flat_input(sensor_view);
        return flat_format;
    }
    void deserialize(Bytes sensor_view) override { in_ = &sensor_view_of(sensor_view, input_); }
    void calculate(Nanoseconds now) override;
    void serialize(ByteBuffer& out) override
    {
        builder_.Clear();
        builder_.Finish(CreateSensorData(builder_, &out_), identifier_of(MessageType::sensor_data));
        copy_finished(builder_, out);
    }

private:
    void detect_objects();
    void set_detected(DetectedMovingObjectT& to, const MovingObject& object, const dummy::SensorFrame::Seen& seen,
                      std::uint64_t tracking_id);
    void detect_points();
    void carry();

    double range_;
    bool carry_;
    FlatInput input_;
    FlatObjects objects_;
    const SensorView* in_ = nullptr;
    SensorDataT out_;
    flatbuffers::FlatBufferBuilder builder_;
};

void FlatObjectSensor::calculate(Nanoseconds now)
{
    if (objects_ == FlatObjects::fresh) out_ = SensorDataT();
    const auto version = Schema::built_in()->osi_version().value_or(OsiVersion{});
    in(out_.version).version_major = version.major;
    in(out_.version).version_minor = version.minor;
    in(out_.version).version_patch = version.patch;
    set(out_.timestamp, now);
    set(out_.last_measurement_time, now);
    if (in_->sensor_id() == nullptr)
        out_.sensor_id.reset();
    else
        in(out_.sensor_id).value = id_of(in_->sensor_id());
    if (in_->mounting_position() == nullptr) {
        out_.mounting_position.reset();
    } else {
        const auto pose = mounting_of(*in_);
        set(in(out_.mounting_position).position, pose.position);
        set(in(out_.mounting_position).orientation, pose.orientation);
    }
    detect_objects();
    detect_points();
    if (carry_) carry();
}

void FlatObjectSensor::carry()
{
    // Unpacking does not change fields that are unset in the table: a kept object would contain values of an earlier
    // frame.
    out_.sensor_view.clear();
    out_.sensor_view.emplace_back(in_->UnPack());
}

void FlatObjectSensor::detect_objects()
{
    std::size_t count = 0;
    for_each_detected(*in_, range_, [&](const MovingObject& object, const dummy::SensorFrame::Seen& seen) {
        set_detected(element(out_.moving_object, count), object, seen, count);
        ++count;
    });
    out_.moving_object.resize(count);
}

void FlatObjectSensor::set_detected(DetectedMovingObjectT& to, const MovingObject& object,
                                    const dummy::SensorFrame::Seen& seen, std::uint64_t tracking_id)
{
    auto& header = in(to.header);
    in(header.tracking_id).value = tracking_id;
    element(header.ground_truth_id, 0).value = id_of(object.id());
    header.existence_probability = seen.existence_probability;
    header.measurement_state = DetectedItemHeader_MeasurementState_MEASUREMENT_STATE_MEASURED;
    if (in_->sensor_id() == nullptr)
        header.sensor_id.clear();
    else
        element(header.sensor_id, 0).value = id_of(in_->sensor_id());
    auto& base = in(to.base);
    const auto* const size = object.base() == nullptr ? nullptr : object.base()->dimension();
    if (size == nullptr) {
        base.dimension.reset();
    } else {
        in(base.dimension).length = value(size->length());
        in(base.dimension).width = value(size->width());
        in(base.dimension).height = value(size->height());
    }
    set(base.position, seen.pose.position);
    set(base.orientation, seen.pose.orientation);
    auto& candidate = element(to.candidate, 0);
    candidate.probability = 1.0;
    candidate.type = object.type();
    candidate.vehicle_classification.reset();
    copy(candidate.vehicle_classification, object.vehicle_classification());
    for (auto* const pose : {&candidate.head_pose, &candidate.upper_body_pose}) {
        if (seen.body_pose)
            set(*pose, *seen.body_pose);
        else
            pose->reset();
    }
}

void FlatObjectSensor::detect_points()
{
    const auto* const lidars = in_->lidar_sensor_view();
    if (lidars == nullptr || lidars->size() == 0) return out_.feature_data.reset();
    auto& sensors = in(out_.feature_data).lidar_sensor;
    for (flatbuffers::uoffset_t i = 0; i != lidars->size(); ++i) {
        auto& detections = element(sensors, i).detection;
        std::size_t count = 0;
        for_each_detection(*lidars->Get(i), [&](const dummy::Spherical& detection) {
            auto& position = in(element(detections, count++).position);
            position.distance = detection.distance;
            position.azimuth = detection.azimuth;
            position.elevation = detection.elevation;
        });
        detections.resize(count);
    }
    sensors.resize(lidars->size());
}

}  // namespace

std::unique_ptr<SensorModel> flat_object_sensor(const DummySensorOptions& options, FlatInput input, FlatObjects objects)
{
    return dummy::model_of(std::make_unique<FlatObjectSensor>(options, input, objects), options.observer);
}

}  // namespace ositrace::bench::OSITRACE_FLAT_LAYOUT
