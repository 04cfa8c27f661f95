// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/sensor_work.hpp"

#include <algorithm>
#include <cmath>

namespace ositrace::picture {

namespace {

constexpr std::size_t smallest_element = 2;  // bytes

Placement global_of(const Picture& picture) noexcept
{
    return Placement(Vector{picture.origin[0], picture.origin[1], picture.origin[2]});
}

bool is_near(const Point& a, const Point& b) noexcept
{
    constexpr float near = 0.001F;
    return std::abs(a[0] - b[0]) < near && std::abs(a[1] - b[1]) < near && std::abs(a[2] - b[2]) < near;
}

}  // namespace

SensorPainter::Work::Work(const Shown& source)
    : shown(source),
      root(*source.source.root),
      host(source.moment.host_of(source.source)),
      vehicle(host ? vehicle_frame(global_of(source.picture), *host) : global_of(source.picture)),
      sensor{source.source.place, "virtual sensor", 0, vehicle},
      outlines(source.source.place, "", vehicle, source.source.notes),
      elements_left(source.source.source->frame->bytes.size() / smallest_element),
      parts_before(source.picture.layers.size() + source.picture.clouds.size())
{
    if (host) add_axes({source.source.place, "rear axle", 0, vehicle});
    const bool measures = source.source.is(MessageType::sensor_data);
    if (measures || message_in(root, "mounting_position")) sensor = sensor_in(root, "virtual sensor", 0);
    if (host || measures) add_axes(sensor);
}

void SensorPainter::Work::add_cloud(std::shared_ptr<const Cloud> cloud)
{
    if (cloud == nullptr) return;
    const auto elements = cloud->points.size() + cloud->left_out;
    if (elements > elements_left) {
        elements_left = 0;
        return notes().leave_out("cloud", "and all after it, because sensors share their elements,");
    }
    elements_left -= elements;
    if (!cloud->points.empty()) shown.picture.clouds.push_back(std::move(cloud));
}

void SensorPainter::Work::finish()
{
    auto& picture = shown.picture;
    if (const auto made = outlines.take(); !made->things.empty()) picture.layers.push_back(made);
    if (picture.layers.size() + picture.clouds.size() == parts_before) return;
    if (!host)
        notes().say(PictureNote::Kind::information,
                    "the place of the host is unknown: what its sensors see is shown around the origin");
    else if (!host->to_rear_axle)
        notes().say(PictureNote::Kind::information,
                    "the host has no bbcenter_to_rear: its sensors are placed from the centre of its box");
}

SensorFrame SensorPainter::Work::sensor_in(const std::optional<MessageView>& mounted, std::string kind,
                                           std::uint64_t otherwise) const
{
    SensorFrame frame{shown.source.place, std::move(kind), otherwise, vehicle};
    if (!mounted) return frame;
    frame.id = id_in(*mounted, "sensor_id").value_or(otherwise);
    const auto mounting = message_in(*mounted, "mounting_position");
    const auto pose = mounting ? pose_of(*mounting) : std::nullopt;
    if (pose)
        frame.placement = vehicle.mounted(*pose);
    else
        notes().make_do("sensor", mounting ? "with a mounting position that is invalid" : "without a mounting position",
                        "shown at the rear axle");
    return frame;
}

void SensorPainter::Work::add_axes(const SensorFrame& frame) const
{
    const auto at = frame.placement.point({});
    if (!at) return;
    const auto name = frame.kind == "rear axle" ? frame.kind : frame.name();
    auto& axes = shown.picture.axes;
    if (std::ranges::any_of(axes, [&](const Axes& other) { return other.name == name && is_near(other.centre, *at); }))
        return;
    axes.push_back({frame.source, name, *at, to_angles(frame.placement.turn(Orientation{}))});
}

}  // namespace ositrace::picture
