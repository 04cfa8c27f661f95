// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/first_truth.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>

#include "lib/trace/ground_truths.hpp"
#include "lib/trace/view_fields.hpp"

namespace ositrace {

namespace {

std::string text_in(const MessageView& message, std::string_view field)
{
    const auto value = message[field];
    const auto* const found = std::get_if<std::string_view>(&value);
    return found == nullptr ? std::string() : std::string(*found);
}

std::vector<TruthPlace> places_of_objects(const MessageView& ground_truth)
{
    std::vector<TruthPlace> all;
    for_each_child(ground_truth, "moving_object", [&](const MessageView& object) {
        const auto position = child_in(child_in(object, "base"), "position");
        if (position) all.push_back(truth_place(position));
    });
    return all;
}

FirstTruth read_truth(const MessageView& ground_truth)
{
    // One by one: after an Error in such a nested list, GCC 12 destroys what was made before twice.
    FirstTruth first;
    first.frame.reference = text_in(ground_truth, "map_reference");
    first.frame.projection = text_in(ground_truth, "proj_string");
    first.objects = places_of_objects(ground_truth);
    if (const auto offset = child_in(ground_truth, "proj_frame_offset")) {
        const auto position = child_in(offset, "position");
        first.frame.offset =
            MapOffset{real_in(position, "x"), real_in(position, "y"), real_in(position, "z"), real_in(offset, "yaw")};
    }
    return first;
}

}  // namespace

TruthPlace truth_place(const std::optional<MessageView>& vector)
{
    return {real_in(vector, "x"), real_in(vector, "y"), vector ? as_real((*vector)["z"]) : std::nullopt};
}

std::optional<FirstTruth> first_truth_in(const Frame& frame, const Channel& channel)
try {
    std::optional<FirstTruth> first;
    if (!can_have_map(channel)) return first;
    for_each_ground_truth({frame.bytes, *channel.root, channel.format}, [&](const MessageView& truth) {
        if (!first) first = read_truth(truth);
    });
    return first;
} catch (const Error&) {
    return std::nullopt;
}

FirstTruth first_truth_of(const Trace& trace)
{
    const auto& channels = trace.info().channels;
    for (std::uint32_t i = 0; i < channels.size(); ++i) {
        if (!can_have_map(channels[i])) continue;
        try {
            if (auto first = first_truth_in(trace.frame(i, trace.first_frame(i)), channels[i]))
                return *std::move(first);
        } catch (const Error&) {
            // A channel without a message, or one that cannot be read, says nothing about the map.
        }
    }
    return {};
}

}  // namespace ositrace
