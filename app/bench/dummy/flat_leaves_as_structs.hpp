// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "app/bench/dummy/flat_common.hpp"
#include "lib/dummy/dummy_source_rules.hpp"

namespace ositrace::bench::OSITRACE_FLAT_LAYOUT {

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

}  // namespace ositrace::bench::OSITRACE_FLAT_LAYOUT
