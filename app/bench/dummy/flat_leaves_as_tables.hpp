// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include "app/bench/dummy/flat_common.hpp"
#include "lib/dummy/dummy_source_rules.hpp"

namespace ositrace::bench::OSITRACE_FLAT_LAYOUT {

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

}  // namespace ositrace::bench::OSITRACE_FLAT_LAYOUT
