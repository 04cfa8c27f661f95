// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/moment_sources.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <ositrace/frame_error.hpp>

#include "lib/trace/payload_header.hpp"

namespace ositrace::picture {

namespace {

/// The origin is a corner of this grid, so that consecutive frames share it; near it, floats resolve 0.1 mm.
constexpr double origin_grid = 1000;  // m

std::optional<MessageView> root_of(const Frame& frame, const Channel& channel, Notes& notes)
{
    try {
        return MessageView(frame.bytes, *channel.root, channel.format);
    } catch (const Error& error) {
        notes.broken(within_frame(error, frame, {}));
        return std::nullopt;
    }
}

/// Why messages of a channel show nothing.
std::string why_not(const Channel& channel)
{
    if (!channel.unviewable.empty()) return channel.unviewable;
    if (channel.type_name.empty()) return "messages of no stated type have no place";
    return "messages of type '" + channel.type_name + "' are none of OSI's and have no place";
}

/// One GroundTruth of a source, at the end of a path of singular messages and one repeated one.
struct Found {
    std::string prefix;
    MessageView view;
    std::optional<std::uint64_t> host_id;
};

void find_in_sensor_view(const MessageView& sensor_view, const std::string& prefix, std::vector<Found>& found)
{
    if (const auto truth = message_in(sensor_view, "global_ground_truth"))
        found.push_back({prefix + "global_ground_truth.", *truth, id_in(sensor_view, "host_vehicle_id")});
}

std::vector<Found> ground_truths_in(const MessageView& root, std::optional<MessageType> type)
{
    constexpr std::size_t most_views = 8;
    std::vector<Found> found;
    if (type == MessageType::ground_truth) found.push_back({"", root, std::nullopt});
    if (type == MessageType::sensor_view) find_in_sensor_view(root, "", found);
    if (type != MessageType::sensor_data) return found;
    const auto* const row = repeated_messages(root.table(), "sensor_view");
    if (row == nullptr) return found;
    std::size_t place = 0;
    root.for_each_element(*row, [&](const Value& value) {
        find_in_sensor_view(std::get<MessageView>(value), "sensor_view[" + std::to_string(place) + "].", found);
        return ++place < most_views;
    });
    return found;
}

}  // namespace

MomentSources::MomentSources(std::span<const PictureSource> sources)
{
    for (std::size_t i = 0; i < sources.size(); ++i) open_source(static_cast<std::uint32_t>(i), sources[i]);
    for (const bool are_inputs : {false, true})
        for (auto& source : open)
            if (source.is(MessageType::sensor_data) == are_inputs) find_truths(source);
    find_origin();
}

void MomentSources::open_source(std::uint32_t place, const PictureSource& source)
{
    if (source.frame == nullptr || source.channel == nullptr) return;
    auto& opened = open.emplace_back();
    opened.place = place;
    opened.source = &source;
    const auto& channel = *source.channel;
    if (channel.root == nullptr || !channel.type) {
        opened.notes.say(PictureNote::Kind::left_out, why_not(channel));
        return;
    }
    opened.root = root_of(*source.frame, channel, opened.notes);
    if (source.statics != nullptr) opened.statics = root_of(*source.statics, channel, opened.notes);
    const auto own_time = osi_time_of(*source.frame, channel);
    if (own_time && (!time || *own_time > *time)) time = own_time;
}

void MomentSources::find_truths(OpenSource& source)
{
    if (!source.root) return;
    const auto type = source.source->channel->type;
    try {
        std::vector<Found> maps;
        if (source.statics) maps = ground_truths_in(*source.statics, type);
        for (auto& found : ground_truths_in(*source.root, type)) {
            GroundTruth truth{source.place, source.source, std::move(found.prefix), std::move(found.view), std::nullopt,
                              std::nullopt, std::nullopt};
            const auto map = std::ranges::find(maps, truth.prefix, &Found::prefix);
            if (map != maps.end()) truth.statics = map->view;
            truths.push_back(std::move(truth));
            find_host(truths.back(), found.host_id);
        }
    } catch (const Error& error) {
        source.notes.broken(within_frame(error, *source.source->frame, {}));
    }
}

void MomentSources::find_origin()
{
    std::optional<Vector> place;
    for (const auto& truth : truths)
        if (!place && truth.host) place = truth.host->centre.position;
    for (const auto& truth : truths) {
        if (place) break;
        try {
            place = some_place_in(truth);
        } catch (const Error&) {
            continue;  // showing it reports the error
        }
    }
    for (const auto& source : open) {
        if (place || !source.root) continue;
        try {
            const auto location = message_in(
                *source.root, source.is(MessageType::host_vehicle_data) ? "location" : "host_vehicle_location");
            if (const auto host = location ? host_at(*location) : std::nullopt) place = host->centre.position;
        } catch (const Error&) {
            continue;
        }
    }
    if (!place) return;
    const auto corner = [](double x) { return std::round(x / origin_grid) * origin_grid + 0.0; };
    origin = {corner(place->x), corner(place->y), corner(place->z)};
}

std::optional<HostPose> MomentSources::host_of(const OpenSource& source) const
{
    if (const auto* const known = true_host_of(source.place)) return *known;
    if (!source.root) return std::nullopt;
    const auto location = source.is(MessageType::sensor_data)
                              ? message_in(*source.root, "host_vehicle_location")
                              : message_in(message_in(*source.root, "host_vehicle_data"), "location");
    return location ? host_at(*location) : std::nullopt;
}

const HostPose* MomentSources::true_host_of(std::uint32_t source) const noexcept
{
    const HostPose* other = nullptr;
    for (const auto& truth : truths) {
        if (!truth.host) continue;
        if (truth.source == source) return &*truth.host;
        if (other == nullptr) other = &*truth.host;
    }
    return other;
}

}  // namespace ositrace::picture
