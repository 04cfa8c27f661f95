// SPDX-License-Identifier: MPL-2.0
#include "lib/dummy/wire_sensor_view.hpp"

#include <array>
#include <string>

#include <ositrace/error.hpp>

namespace ositrace::dummy {

namespace {

using namespace std::string_view_literals;

constexpr std::array object_leaves{
    "id.value"sv,
    "base.position.x"sv,
    "base.position.y"sv,
    "base.position.z"sv,
    "base.orientation.roll"sv,
    "base.orientation.pitch"sv,
    "base.orientation.yaw"sv,
    "base.dimension.length"sv,
    "base.dimension.width"sv,
    "base.dimension.height"sv,
    "base.dimension"sv,
    "type"sv,
    "vehicle_attributes.bbcenter_to_rear.x"sv,
    "vehicle_attributes.bbcenter_to_rear.y"sv,
    "vehicle_attributes.bbcenter_to_rear.z"sv,
    "vehicle_classification"sv,
};
constexpr std::array reflection_leaves{"time_of_flight"sv};

const FieldRow& field_of(const MessageTable& table, std::string_view name)
{
    if (const auto* const field = table.find(name)) return *field;
    throw Error(Cause::mismatch,
                "the schema of the channel has no field " + std::string(table.full_name) + "." + std::string(name));
}

std::optional<MessageView> message(const std::optional<MessageView>& parent, std::string_view name)
{
    if (!parent) return std::nullopt;
    const auto value = (*parent)[name];
    const auto* const found = std::get_if<MessageView>(&value);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

double real(const std::optional<MessageView>& parent, std::string_view name)
{
    return parent ? as_real((*parent)[name]).value_or(0) : 0;
}

std::optional<std::uint64_t> id_of(const MessageView& parent, std::string_view name)
{
    const auto id = message(parent, name);
    return id ? std::optional(static_cast<std::uint64_t>(as_integer((*id)["value"]).value_or(0))) : std::nullopt;
}

Vector vector_of(const std::optional<MessageView>& v) { return {real(v, "x"), real(v, "y"), real(v, "z")}; }

Pose pose_of(const MessageView& mounting)
{
    const auto turned = message(mounting, "orientation");
    return {vector_of(message(mounting, "position")),
            {real(turned, "roll"), real(turned, "pitch"), real(turned, "yaw")}};
}

RayGrid grid_of(const MessageView& lidar)
{
    const auto view = message(lidar, "view_configuration");
    const auto count = [&](std::string_view name) {
        return view ? static_cast<std::uint32_t>(as_integer((*view)[name]).value_or(0)) : 0;
    };
    return {count("number_of_rays_horizontal"), count("number_of_rays_vertical"),
            real(view, "field_of_view_horizontal"), real(view, "field_of_view_vertical")};
}

}  // namespace

WireSensorView::WireSensorView(const Channel& channel)
    : format_(channel.format),
      root_(channel.root),
      ground_truth_(&field_of(*root_, "global_ground_truth")),
      lidar_views_(&field_of(*root_, "lidar_sensor_view")),
      reflections_(&field_of(*lidar_views_->child, "reflection")),
      classification_(&field_of(*field_of(*ground_truth_->child, "moving_object").child, "vehicle_classification")),
      objects_(field_of(*ground_truth_->child, "moving_object"), object_leaves)
{
}

void WireSensorView::read(Bytes message_bytes)
{
    const MessageView root(message_bytes, *root_, format_);
    sensor_id_ = id_of(root, "sensor_id");
    host_id_ = id_of(root, "host_vehicle_id");
    const auto mounting = message(root, "mounting_position");
    mounting_ = mounting ? std::optional(pose_of(*mounting)) : std::nullopt;
    read_ground_truth(root);
    read_lidars(root);
}

void WireSensorView::read_ground_truth(const MessageView& root)
{
    const auto value = root.get(*ground_truth_);
    const auto* const ground_truth = std::get_if<MessageView>(&value);
    objects_.clear();
    if (ground_truth == nullptr) return;
    if (const auto host = id_of(*ground_truth, "host_vehicle_id")) host_id_ = host;
    objects_.read(*ground_truth);
    follow_columns();
}

/// Once for a message, not for every number of every object.
void WireSensorView::follow_columns()
{
    ids_ = objects_.integers(id_column);
    for (const std::size_t first : {position_column, orientation_column, dimension_column, to_rear_column})
        for (auto column = first; column != first + 3; ++column) reals_[column] = objects_.reals(column);
}

void WireSensorView::read_lidars(const MessageView& root)
{
    lidar_count_ = 0;
    root.for_each_element(*lidar_views_, [&](const Value& value) {
        const auto& view = std::get<MessageView>(value);
        if (lidar_count_ == lidars_.size()) lidars_.push_back({{}, ColumnReader(*reflections_, reflection_leaves)});
        auto& lidar = lidars_[lidar_count_++];
        lidar.grid = grid_of(view);
        lidar.reflections.read(view, reflections_per_detection);
        return true;
    });
}

Vector WireSensorView::vector(std::size_t column, std::size_t object) const
{
    return {reals_[column][object], reals_[column + 1][object], reals_[column + 2][object]};
}

Pose WireSensorView::pose(std::size_t object) const
{
    const auto angles = vector(orientation_column, object);
    return {vector(position_column, object), {angles.x, angles.y, angles.z}};
}

std::optional<Vector> WireSensorView::dimension(std::size_t object) const
{
    return objects_.has(has_dimension_column, object) ? std::optional(vector(dimension_column, object)) : std::nullopt;
}

std::optional<std::int32_t> WireSensorView::type(std::size_t object) const
{
    if (!objects_.has(type_column, object)) return std::nullopt;
    return static_cast<std::int32_t>(objects_.integers(type_column)[object]);
}

std::optional<MessageView> WireSensorView::vehicle_classification(std::size_t object) const
{
    if (!objects_.has(has_classification_column, object)) return std::nullopt;
    return std::get<MessageView>(objects_.element(object).get(*classification_));
}

}  // namespace ositrace::dummy
