// SPDX-License-Identifier: MPL-2.0
#include "app/bench/dummy/flat_models.hpp"
#include "app/bench/dummy/flat_objects.hpp"
#include "lib/dummy/dummy_source_rules.hpp"

namespace ositrace::bench::OSITRACE_FLAT_LAYOUT {

namespace {

using namespace osi;
using namespace dummy;

void set_zero(std::unique_ptr<Orientation3dT>& to)
{
    auto& o = in(to);
    o.roll = o.pitch = o.yaw = 0.0;
}
class FlatObjectSource final : public SourceForm {
public:
    FlatObjectSource(const DummySourceOptions& options, FlatObjects objects)
        : count_(options.moving_objects), lidar_(options), objects_(objects)
    {
    }

    Format format() const noexcept override { return flat_format; }
    void generate(Nanoseconds now) override;
    void serialize(ByteBuffer& out) override
    {
        builder_.Clear();
        builder_.Finish(CreateSensorView(builder_, &out_), identifier_of(MessageType::sensor_view));
        copy_finished(builder_, out);
    }

private:
    static void set_constants(MovingObjectT& to, const SourceObject& from);
    void generate_lidar(LidarSensorViewT& to) const;

    std::uint32_t count_;
    SourceLidar lidar_;
    FlatObjects objects_;
    SensorViewT out_;
    flatbuffers::FlatBufferBuilder builder_;
};

void FlatObjectSource::generate(Nanoseconds now)
{
    if (objects_ == FlatObjects::fresh) out_ = SensorViewT();
    set(out_.timestamp, now);
    auto& truth = in(out_.global_ground_truth);
    set(truth.timestamp, now);
    const bool first = !out_.sensor_id;  // fields that do not depend on the time are kept
    if (first) {
        const auto version = Schema::built_in()->osi_version().value_or(OsiVersion{});
        in(out_.version).version_major = version.major;
        in(out_.version).version_minor = version.minor;
        in(out_.version).version_patch = version.patch;
        in(out_.sensor_id).value = source_sensor_id;
        in(out_.host_vehicle_id).value = source_host_id;
        in(truth.host_vehicle_id).value = source_host_id;
        truth.moving_object.resize(count_);
    }
    for (std::uint32_t i = 0; i != count_; ++i) {
        const auto from = source_object(i, now);
        auto& to = in(truth.moving_object[i]);
        if (first) set_constants(to, from);
        set(to.base->position, from.position);
        set(to.base->velocity, from.velocity);
        set(to.base->acceleration, from.acceleration);
    }
    if (lidar_.size() == 0) return;
    if (first) out_.lidar_sensor_view.emplace_back(std::make_unique<LidarSensorViewT>());
    generate_lidar(*out_.lidar_sensor_view.front());
}

void FlatObjectSource::set_constants(MovingObjectT& to, const SourceObject& from)
{
    in(to.id).value = from.id;
    auto& base = in(to.base);
    in(base.dimension).length = source_dimension.x;
    in(base.dimension).width = source_dimension.y;
    in(base.dimension).height = source_dimension.z;
    set_zero(base.orientation);
    set_zero(base.orientation_rate);
    to.type = static_cast<MovingObject_Type>(type_vehicle);
    set(in(to.vehicle_attributes).bbcenter_to_rear, source_to_rear);
    auto& classification = in(to.vehicle_classification);
    classification.type = static_cast<MovingObject_VehicleClassification_Type>(from.vehicle_type);
    auto& light = in(classification.light_state);
    light.indicator_state =
        static_cast<MovingObject_VehicleClassification_LightState_IndicatorState>(indicator_state_off);
    light.brake_light_state =
        static_cast<MovingObject_VehicleClassification_LightState_BrakeLightState>(brake_light_state_off);
}

void FlatObjectSource::generate_lidar(LidarSensorViewT& to) const
{
    auto& view = in(to.view_configuration);
    set(in(view.mounting_position).position, source_lidar_position);
    view.field_of_view_horizontal = lidar_.grid().field_of_view_horizontal;
    view.field_of_view_vertical = lidar_.grid().field_of_view_vertical;
    if (lidar_.grid().columns != 0) {
        view.number_of_rays_horizontal = lidar_.grid().columns;
        view.number_of_rays_vertical = lidar_.grid().rows;
    }
    to.reflection.resize(lidar_.size());
    for (std::uint32_t i = 0; i != lidar_.size(); ++i) {
        const auto from = lidar_[i];
        auto& reflection = in(to.reflection[i]);
        reflection.signal_strength = from.signal_strength;
        reflection.time_of_flight = from.time_of_flight;
        if (lidar_.with_doppler_shift()) reflection.doppler_shift = from.doppler_shift;
    }
}

}  // namespace

std::unique_ptr<SensorModel> flat_object_source(const DummySourceOptions& options, FlatObjects objects)
{
    return dummy::model_of(std::make_unique<FlatObjectSource>(options, objects), options.observer);
}

}  // namespace ositrace::bench::OSITRACE_FLAT_LAYOUT
