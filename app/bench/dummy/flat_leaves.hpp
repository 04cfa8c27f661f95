// SPDX-License-Identifier: MPL-2.0
// The small messages, which are tables or, in one layout, structs. A model creates one and stores its leaf() in the
// parent table. Lines of the other kind do not count as lines of a model: lines_of_code.cmake looks for the #ifdef.
#pragma once

#include <optional>
#include <vector>

#include "app/bench/dummy/flat_common.hpp"
#include "lib/dummy/dummy_source_rules.hpp"

namespace ositrace::bench::OSITRACE_FLAT_LAYOUT {

#ifdef OSITRACE_FLAT_STRUCTS

inline osi::Vector3d vector3d(flatbuffers::FlatBufferBuilder&, const dummy::Vector& v) { return {v.x, v.y, v.z}; }
inline osi::Orientation3d orientation3d(flatbuffers::FlatBufferBuilder&, const dummy::Orientation& o)
{
    return {o.roll, o.pitch, o.yaw};
}
inline osi::Dimension3d dimension3d(flatbuffers::FlatBufferBuilder&, const dummy::Vector& d) { return {d.x, d.y, d.z}; }
inline osi::Spherical3d spherical3d(flatbuffers::FlatBufferBuilder&, const dummy::Spherical& s)
{
    return {s.distance, s.azimuth, s.elevation};
}
inline osi::Identifier identifier(flatbuffers::FlatBufferBuilder&, std::uint64_t id) { return osi::Identifier(id); }
inline osi::Timestamp timestamp(flatbuffers::FlatBufferBuilder&, Nanoseconds time)
{
    const auto stamp = dummy::timestamp_of(time);
    return {stamp.seconds, stamp.nanos};
}

template <class Struct>
const Struct* leaf(const Struct& from)
{
    return &from;
}
template <class T>
flatbuffers::Offset<T> leaf(flatbuffers::Offset<T> table)
{
    return table;
}

inline auto one(flatbuffers::FlatBufferBuilder& builder, const osi::Identifier& element)
{
    return builder.CreateVectorOfStructs(&element, 1);
}

inline auto reflections(flatbuffers::FlatBufferBuilder& builder, const dummy::SourceLidar& lidar)
{
    osi::LidarSensorView_Reflection* to = nullptr;
    const auto vector = builder.CreateUninitializedVectorOfStructs(lidar.size(), &to);
    for (std::uint32_t i = 0; i != lidar.size(); ++i) {
        const auto from = lidar[i];
        to[i] = {from.signal_strength, from.time_of_flight, lidar.with_doppler_shift() ? from.doppler_shift : 0};
    }
    return vector;
}

#else

inline auto vector3d(flatbuffers::FlatBufferBuilder& b, const dummy::Vector& v)
{
    return osi::CreateVector3d(b, v.x, v.y, v.z);
}
inline auto orientation3d(flatbuffers::FlatBufferBuilder& b, const dummy::Orientation& o)
{
    return osi::CreateOrientation3d(b, o.roll, o.pitch, o.yaw);
}
inline auto dimension3d(flatbuffers::FlatBufferBuilder& b, const dummy::Vector& d)
{
    return osi::CreateDimension3d(b, d.x, d.y, d.z);
}
inline auto spherical3d(flatbuffers::FlatBufferBuilder& b, const dummy::Spherical& s)
{
    return osi::CreateSpherical3d(b, s.distance, s.azimuth, s.elevation);
}
inline auto identifier(flatbuffers::FlatBufferBuilder& b, std::uint64_t id) { return osi::CreateIdentifier(b, id); }
inline auto timestamp(flatbuffers::FlatBufferBuilder& b, Nanoseconds time)
{
    const auto stamp = dummy::timestamp_of(time);
    return osi::CreateTimestamp(b, stamp.seconds, stamp.nanos);
}

template <class T>
flatbuffers::Offset<T> leaf(flatbuffers::Offset<T> from)
{
    return from;
}

inline auto reflections(flatbuffers::FlatBufferBuilder& builder, const dummy::SourceLidar& lidar)
{
    std::vector<flatbuffers::Offset<osi::LidarSensorView_Reflection>> reflections;
    reflections.reserve(lidar.size());
    for (std::uint32_t i = 0; i != lidar.size(); ++i) {
        const auto from = lidar[i];
        osi::LidarSensorView_ReflectionBuilder to(builder);
        to.add_signal_strength(from.signal_strength);
        to.add_time_of_flight(from.time_of_flight);
        if (lidar.with_doppler_shift()) to.add_doppler_shift(from.doppler_shift);
        reflections.push_back(to.Finish());
    }
    return builder.CreateVector(reflections);
}

#endif

/// Empty if there is no leaf.
template <class Leaf>
auto leaf(const std::optional<Leaf>& from)
{
    return from ? leaf(*from) : decltype(leaf(*from))();
}

template <class T>
flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<T>>> one(flatbuffers::FlatBufferBuilder& builder,
                                                                     flatbuffers::Offset<T> element)
{
    return builder.CreateVector(&element, 1);
}

}  // namespace ositrace::bench::OSITRACE_FLAT_LAYOUT
