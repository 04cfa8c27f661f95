// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/ground_truths.hpp"

#include <exception>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include "lib/trace/payload_header.hpp"

namespace ositrace {

namespace {

constexpr std::array<std::string_view, 8> map_fields{"stationary_object", "traffic_sign",  "road_marking",
                                                     "lane_boundary",     "lane",          "logical_lane_boundary",
                                                     "logical_lane",      "reference_line"};

bool is_named(const MessageTable* table, std::string_view name) { return table && table->full_name.ends_with(name); }

}  // namespace

void for_each_ground_truth(const MessageView& message, const std::function<void(const MessageView&)>& visit)
{
    if (is_named(&message.table(), ".GroundTruth")) return visit(message);
    for (const auto& row : message.table().fields) {
        if (is_named(row.child, ".GroundTruth") && !row.repeated) {
            if (const auto inner = message.message(row.number)) visit(*inner);
        } else if (is_named(row.child, ".SensorView") && row.repeated) {
            message.for_each_element(row, [&](const Value& view) {
                for_each_ground_truth(std::get<MessageView>(view), visit);
                return true;
            });
        }
    }
}

std::optional<OsiVersion> osi_version_of(const MessageView& ground_truth)
{
    constexpr std::uint32_t version_field = 1;
    const auto version = ground_truth.message(version_field);
    return version ? std::optional(version_in(*version)) : std::nullopt;
}

std::optional<OsiVersion> claimed_osi_version(Bytes payload, const Channel& channel) noexcept
try {
    if (payload.empty() || channel.root == nullptr) return std::nullopt;
    auto version = osi_version_of(payload, channel);
    if (version) return version;
    for_each_ground_truth(MessageView(payload, *channel.root, channel.format), [&](const MessageView& ground_truth) {
        if (!version) version = osi_version_of(ground_truth);
    });
    return version;
} catch (const std::exception&) {
    return std::nullopt;
}

bool is_map_field(std::string_view name) noexcept { return std::ranges::find(map_fields, name) != map_fields.end(); }

bool has_static_data(const MessageView& ground_truth)
{
    bool found = false;
    ground_truth.for_each_field([&](const FieldRow& row) {
        found = is_map_field(row.name);
        return !found;
    });
    return found;
}

bool can_have_map(const Channel& channel) noexcept
{
    return channel.root != nullptr &&
           (channel.type == MessageType::ground_truth || channel.type == MessageType::sensor_view ||
            channel.type == MessageType::sensor_data);
}

MapShare map_share(Bytes payload, const Channel& channel)
try {
    auto share = MapShare::none;
    if (channel.root == nullptr) return share;
    for_each_ground_truth(MessageView(payload, *channel.root, channel.format), [&](const MessageView& ground_truth) {
        ground_truth.for_each_field([&](const FieldRow& row) {
            if (is_map_field(row.name))
                share = std::max(share, row.name == "stationary_object" ? MapShare::objects : MapShare::road);
            return share != MapShare::road;
        });
    });
    return share;
} catch (const Error&) {
    return MapShare::unreadable;
}

}  // namespace ositrace
