// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/sensor_work.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::picture {

namespace {

/// Where the source itself says that the host is: an estimate, for want of the truth.
std::optional<HostPose> own_estimate(const SensorPainter::Shown& shown)
{
    const auto& root = *shown.source.root;
    const auto location = shown.source.is(MessageType::sensor_data) ? message_in(root, "host_vehicle_location")
                                                                     : message_in(message_in(root, "host_vehicle_data"), "location");
    return location ? host_at(*location) : std::nullopt;
}

bool is_near(const Point& a, const Point& b) noexcept
{
    constexpr float near = 0.001F;
    return std::abs(a[0] - b[0]) < near && std::abs(a[1] - b[1]) < near && std::abs(a[2] - b[2]) < near;
}

}  // namespace

Placement vehicle_of(const SensorPainter::Shown& shown)
{
    const auto& origin = shown.picture.origin;
    const Placement global(Vector{origin[0], origin[1], origin[2]});
    auto& notes = shown.source.notes;
    std::optional<HostPose> host;
    if (const auto* const known = shown.moment.host_of(shown.source.place))
        host = *known;
    else
        host = own_estimate(shown);
    if (!host) {
        notes.say(PictureNote::Kind::information, "nobody says where the host is: what its sensors see is shown about the origin");
        return global;
    }
    if (!host->to_rear_axle)
        notes.say(PictureNote::Kind::information, "the host has no bbcenter_to_rear: its sensors are placed from the centre of its box");
    return vehicle_frame(global, *host);
}

SensorPainter::Work::Work(const Shown& source, const Placement& vehicle_frame)
    : shown(source), root(*source.source.root), vehicle(vehicle_frame), sensor{source.source.place, "virtual sensor", 0, vehicle_frame},
      outlines(source.source.place, "", vehicle_frame, source.source.notes)
{
    add_axes({source.source.place, "rear axle", 0, vehicle});
    sensor = sensor_in(root, "virtual sensor", 0);
}

SensorFrame SensorPainter::Work::sensor_in(const std::optional<MessageView>& mounted, std::string kind, std::uint64_t otherwise) const
{
    SensorFrame frame{shown.source.place, std::move(kind), otherwise, vehicle};
    if (!mounted) return frame;
    frame.id = id_in(*mounted, "sensor_id").value_or(otherwise);
    const auto mounting = message_in(*mounted, "mounting_position");
    const auto pose = mounting ? pose_of(*mounting) : std::nullopt;
    if (pose)
        frame.placement = vehicle.mounted(*pose);
    else
        notes().make_do("sensor", mounting ? "with a mounting position that is no place" : "without a mounting position", "shown at the rear axle");
    return frame;
}

void SensorPainter::Work::add_axes(const SensorFrame& frame) const
{
    const auto at = frame.placement.point({});
    if (!at) return;
    const auto name = frame.kind == "rear axle" ? frame.kind : frame.name();
    auto& axes = shown.picture.axes;
    if (std::ranges::any_of(axes, [&](const Axes& other) { return other.name == name && is_near(other.centre, *at); })) return;
    axes.push_back({frame.source, name, *at, to_angles(frame.placement.turn(Orientation{}))});
}

}  // namespace ositrace::picture
