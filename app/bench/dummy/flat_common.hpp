// SPDX-License-Identifier: MPL-2.0
// What the forms on flatc's code share: reading that copes with what is not set, and handing a finished buffer over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_type.hpp>

#include <sensor_data_generated.h>

#include "app/bench/dummy/opponents.hpp"
#include "lib/model/dummy_form.hpp"
#include "lib/model/dummy_sensor_rules.hpp"

namespace ositrace::bench {

inline constexpr Format flat_format{Encoding::flatbuffers, Layout::numbered};

inline const char* identifier_of(MessageType type) { return row_of(type).file_identifier[0].data(); }

inline void check_flat_input(const Channel& sensor_view)
{
    if (sensor_view.format != flat_format)
        throw Error(Cause::unsupported, "this form of the dummy sensor takes FlatBuffers (layout numbered) only");
}

/// The root, verified where that is asked for.
inline const osi3_flat::SensorView& sensor_view_of(Bytes bytes, FlatInput input)
{
    const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    if (input == FlatInput::verified) {
        constexpr std::uint32_t deepest = 64, most_tables = 1u << 31;  // the default of a million tables refuses a full lidar frame
        flatbuffers::Verifier verifier(data, bytes.size(), deepest, most_tables);
        if (!verifier.VerifyBuffer<osi3_flat::SensorView>(identifier_of(MessageType::sensor_view)))
            throw Error(Cause::malformed, "flatbuffers' Verifier refuses the SensorView");
    }
    return *flatbuffers::GetRoot<osi3_flat::SensorView>(data);
}

inline void copy_finished(const flatbuffers::FlatBufferBuilder& builder, ByteBuffer& out)
{
    out.clear(builder.GetSize());
    out.append({reinterpret_cast<const std::byte*>(builder.GetBufferPointer()), builder.GetSize()});
}

template <class T>
T value(const flatbuffers::Optional<T>& optional)
{
    return optional ? *optional : T{};
}

inline dummy::Vector vector_of(const osi3_flat::Vector3d* v)
{
    return v == nullptr ? dummy::Vector{} : dummy::Vector{value(v->x()), value(v->y()), value(v->z())};
}
inline dummy::Orientation orientation_of(const osi3_flat::Orientation3d* o)
{
    return o == nullptr ? dummy::Orientation{} : dummy::Orientation{value(o->roll()), value(o->pitch()), value(o->yaw())};
}
inline std::uint64_t id_of(const osi3_flat::Identifier* id) { return id == nullptr ? 0 : value(id->value()); }

inline dummy::Pose pose_of(const osi3_flat::MovingObject& object)
{
    const auto* const base = object.base();
    return base == nullptr ? dummy::Pose{} : dummy::Pose{vector_of(base->position()), orientation_of(base->orientation())};
}
inline dummy::Pose mounting_of(const osi3_flat::SensorView& view)
{
    const auto* const mounting = view.mounting_position();
    return mounting == nullptr ? dummy::Pose{} : dummy::Pose{vector_of(mounting->position()), orientation_of(mounting->orientation())};
}
inline RayGrid grid_of(const osi3_flat::LidarSensorView& lidar)
{
    const auto* const view = lidar.view_configuration();
    if (view == nullptr) return {0, 0, 0, 0};
    return {value(view->number_of_rays_horizontal()), value(view->number_of_rays_vertical()), value(view->field_of_view_horizontal()),
            value(view->field_of_view_vertical())};
}

/// Calls detected(object, seen) for the objects that the sensor sees.
template <class Detected>
void for_each_detected(const osi3_flat::SensorView& view, double nominal_range, Detected&& detected)
{
    const auto* const ground_truth = view.global_ground_truth();
    if (ground_truth == nullptr || ground_truth->moving_object() == nullptr) return;
    const auto* const host_id = ground_truth->host_vehicle_id() != nullptr ? ground_truth->host_vehicle_id() : view.host_vehicle_id();
    if (host_id == nullptr) return;
    const osi3_flat::MovingObject* host = nullptr;
    for (const auto* const object : *ground_truth->moving_object())
        if (id_of(object->id()) == id_of(host_id)) host = object;
    if (host == nullptr) return;
    const auto* const attributes = host->vehicle_attributes();
    const dummy::SensorFrame frame(nominal_range, pose_of(*host),
                                   attributes == nullptr ? dummy::Vector{} : vector_of(attributes->bbcenter_to_rear()), mounting_of(view));
    for (const auto* const object : *ground_truth->moving_object()) {
        if (id_of(object->id()) == id_of(host_id)) continue;
        if (const auto seen = frame.see(pose_of(*object))) detected(*object, *seen);
    }
}

/// Calls detected(detection) for every 18th reflection.
template <class Detected>
void for_each_detection(const osi3_flat::LidarSensorView& lidar, Detected&& detected)
{
    const auto* const reflections = lidar.reflection();
    const auto grid = grid_of(lidar);
    for (flatbuffers::uoffset_t i = 0; reflections != nullptr && i < reflections->size(); i += dummy::reflections_per_detection)
        detected(dummy::detection_of(grid, i, value(reflections->Get(i)->time_of_flight())));
}

}  // namespace ositrace::bench
