// SPDX-License-Identifier: MPL-2.0
// Common to the models on flatc's code: reading fields that may be unset, and returning a finished buffer. This file
// and all sources that include it are compiled once for every layout: OSITRACE_FLAT_LAYOUT is its name,
// OSITRACE_FLAT_OSI the namespace of flatc's code for it, OSITRACE_FLAT_OURS our layout with the same fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>

#include <sensor_data_generated.h>

#include "app/bench/dummy/opponents.hpp"
#include "lib/dummy/dummy_form.hpp"
#include "lib/dummy/dummy_sensor_rules.hpp"

namespace ositrace::bench::OSITRACE_FLAT_LAYOUT {

namespace osi = OSITRACE_FLAT_OSI;

inline constexpr Format flat_format{Encoding::flatbuffers, Layout::OSITRACE_FLAT_OURS};

inline const char* identifier_of(MessageType type)
{
    return row_of(type).file_identifier[static_cast<std::size_t>(flat_format.layout)].data();
}

inline void check_flat_input(const Channel& sensor_view)
{
    if (sensor_view.format != flat_format)
        throw Error(Cause::unsupported, "this form of the dummy sensor takes FlatBuffers of its own layout only");
}

template <class Message>
bool verified(Bytes bytes, MessageType type)
{
    constexpr std::uint32_t deepest = 64,
                            most_tables = 1u << 31;  // the default of a million tables refuses a full lidar frame
    flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), deepest,
                                   most_tables);
    return verifier.VerifyBuffer<Message>(identifier_of(type));
}

/// The root, verified on request.
inline const osi::SensorView& sensor_view_of(Bytes bytes, FlatInput input)
{
    if (input == FlatInput::verified && !verified<osi::SensorView>(bytes, MessageType::sensor_view))
        throw Error(Cause::malformed, "flatbuffers' Verifier refuses the SensorView");
    return *flatbuffers::GetRoot<osi::SensorView>(bytes.data());
}

inline void begin(flatbuffers::FlatBufferBuilder& builder, FlatBuilder memory)
{
    if (memory == FlatBuilder::fresh)
        builder = flatbuffers::FlatBufferBuilder();
    else
        builder.Clear();
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
template <class T>
T value(T plain)
{
    return plain;
}

/// Calls add(value) if the value is set or may be set.
template <class T, class Add>
void if_set(const flatbuffers::Optional<T>& optional, Add&& add)
{
    if (optional) add(*optional);
}
template <class T, class Add>
void if_set(T plain, Add&& add)
{
    add(plain);
}

inline dummy::Vector vector_of(const osi::Vector3d* v)
{
    return v == nullptr ? dummy::Vector{} : dummy::Vector{value(v->x()), value(v->y()), value(v->z())};
}
inline dummy::Orientation orientation_of(const osi::Orientation3d* o)
{
    return o == nullptr ? dummy::Orientation{}
                        : dummy::Orientation{value(o->roll()), value(o->pitch()), value(o->yaw())};
}
inline std::uint64_t id_of(const osi::Identifier* id) { return id == nullptr ? 0 : value(id->value()); }

inline dummy::Pose pose_of(const osi::MovingObject& object)
{
    const auto* const base = object.base();
    return base == nullptr ? dummy::Pose{}
                           : dummy::Pose{vector_of(base->position()), orientation_of(base->orientation())};
}
inline dummy::Pose mounting_of(const osi::SensorView& view)
{
    const auto* const mounting = view.mounting_position();
    return mounting == nullptr ? dummy::Pose{}
                               : dummy::Pose{vector_of(mounting->position()), orientation_of(mounting->orientation())};
}
inline RayGrid grid_of(const osi::LidarSensorView& lidar)
{
    const auto* const view = lidar.view_configuration();
    if (view == nullptr) return {0, 0, 0, 0};
    return {value(view->number_of_rays_horizontal()), value(view->number_of_rays_vertical()),
            value(view->field_of_view_horizontal()), value(view->field_of_view_vertical())};
}

/// Calls detected(object, seen) for the objects that the sensor sees.
template <class Detected>
void for_each_detected(const osi::SensorView& view, double nominal_range, Detected&& detected)
{
    const auto* const ground_truth = view.global_ground_truth();
    if (ground_truth == nullptr || ground_truth->moving_object() == nullptr) return;
    const auto* const host_id =
        ground_truth->host_vehicle_id() != nullptr ? ground_truth->host_vehicle_id() : view.host_vehicle_id();
    if (host_id == nullptr) return;
    const osi::MovingObject* host = nullptr;
    for (const auto* const object : *ground_truth->moving_object())
        if (id_of(object->id()) == id_of(host_id)) host = object;
    if (host == nullptr) return;
    const auto* const attributes = host->vehicle_attributes();
    const dummy::SensorFrame frame(nominal_range, pose_of(*host),
                                   attributes == nullptr ? dummy::Vector{} : vector_of(attributes->bbcenter_to_rear()),
                                   mounting_of(view));
    for (const auto* const object : *ground_truth->moving_object()) {
        if (id_of(object->id()) == id_of(host_id)) continue;
        if (const auto seen = frame.see(pose_of(*object), static_cast<std::int32_t>(value(object->type()))))
            detected(*object, *seen);
    }
}

/// Calls detected(detection) for every 18th reflection.
template <class Detected>
void for_each_detection(const osi::LidarSensorView& lidar, Detected&& detected)
{
    const auto* const reflections = lidar.reflection();
    const auto grid = grid_of(lidar);
    for (flatbuffers::uoffset_t i = 0; reflections != nullptr && i < reflections->size();
         i += dummy::reflections_per_detection)
        detected(dummy::detection_of(grid, i, value(reflections->Get(i)->time_of_flight())));
}

}  // namespace ositrace::bench::OSITRACE_FLAT_LAYOUT
