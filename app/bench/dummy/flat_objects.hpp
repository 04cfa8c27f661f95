// SPDX-License-Identifier: MPL-2.0
// Sets fields of the objects of flatc's object API.
#pragma once

#include <memory>

#include "app/bench/dummy/flat_common.hpp"

namespace ositrace::bench::OSITRACE_FLAT_LAYOUT {

/// The child, created if it does not exist.
template <class T>
T& in(std::unique_ptr<T>& child)
{
    if (!child) child = std::make_unique<T>();
    return *child;
}

inline void set(std::unique_ptr<osi::Vector3dT>& to, const dummy::Vector& from)
{
    auto& v = in(to);
    v.x = from.x;
    v.y = from.y;
    v.z = from.z;
}
inline void set(std::unique_ptr<osi::Orientation3dT>& to, const dummy::Orientation& from)
{
    auto& o = in(to);
    o.roll = from.roll;
    o.pitch = from.pitch;
    o.yaw = from.yaw;
}
inline void set(std::unique_ptr<osi::TimestampT>& to, Nanoseconds time)
{
    const auto stamp = dummy::timestamp_of(time);
    in(to).seconds = stamp.seconds;
    in(to).nanos = stamp.nanos;
}

}  // namespace ositrace::bench::OSITRACE_FLAT_LAYOUT
