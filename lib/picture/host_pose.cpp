// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/host_pose.hpp"

#include <cmath>

namespace ositrace::picture {

namespace {

constexpr double longest_vehicle = 1000;  // m

std::vector<std::uint64_t> lanes_of(const MessageView& moving_object)
{
    constexpr std::size_t most = 100;
    std::vector<std::uint64_t> lanes;
    const auto classification = message_in(moving_object, "moving_object_classification");
    const auto& from =
        classification ? *classification : moving_object;  // before OSI 3.5 the ids were in the object itself
    const auto* const row = repeated_messages(from.table(), "assigned_lane_id");
    if (row == nullptr) return lanes;
    from.for_each_element(*row, [&](const Value& value) {
        lanes.push_back(static_cast<std::uint64_t>(integer_in(std::get<MessageView>(value), "value").value_or(0)));
        return lanes.size() < most;
    });
    return lanes;
}

std::optional<Vector> rear_axle_of(const MessageView& moving_object)
{
    const auto attributes = message_in(moving_object, "vehicle_attributes");
    const auto rear = attributes ? vector_in(*attributes, "bbcenter_to_rear") : std::nullopt;
    return rear && rear->length() <= longest_vehicle ? rear : std::nullopt;
}

}  // namespace

std::optional<Vector> HostPose::velocity_at(Vector point) const noexcept
{
    if (!velocity || !std::isfinite(velocity->length()) || !std::isfinite(yaw_rate)) return std::nullopt;
    const auto lever = point - centre.position;
    return *velocity + Vector{-yaw_rate * lever.y, yaw_rate * lever.x, 0};
}

std::optional<HostPose> host_at(const MessageView& location)
{
    const auto position = vector_in(location, "position");
    const auto orientation = orientation_in(location, "orientation");
    if (!position || !is_place(*position) || !is_turn(orientation)) return std::nullopt;
    return HostPose{{*position, orientation},
                    std::nullopt,
                    {},
                    vector_in(location, "velocity"),
                    orientation_in(location, "orientation_rate").yaw};
}

std::optional<HostPose> host_in_ground_truth(const MessageView& ground_truth, std::uint64_t host)
{
    std::optional<HostPose> found;
    const auto* const row = repeated_messages(ground_truth.table(), "moving_object");
    if (row == nullptr) return found;
    ground_truth.for_each_element(*row, [&](const Value& value) {
        const auto& object = std::get<MessageView>(value);
        if (id_in(object, "id") != host) return true;
        const auto base = message_in(object, "base");
        found = base ? host_at(*base) : std::nullopt;
        if (!found) return false;
        found->to_rear_axle = rear_axle_of(object);
        found->lanes = lanes_of(object);
        return false;
    });
    return found;
}

Placement vehicle_frame(const Placement& global, const HostPose& host) noexcept
{
    return global.mounted(host.centre).mounted({host.to_rear_axle.value_or(Vector{}), {}});
}

}  // namespace ositrace::picture
