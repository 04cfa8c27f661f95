// SPDX-License-Identifier: MPL-2.0
#include "lib/web_sink/last_frames.hpp"

#include <algorithm>

#include <ositrace/edit/static.hpp>
#include <ositrace/error.hpp>

#include "lib/trace/ground_truths.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace::web_sink {

namespace {

/// Many usual steps without a message: the last one does not say what is now.
bool is_past_at(Nanoseconds time, Nanoseconds last, Nanoseconds usual)
{
    constexpr std::int64_t few_steps = 5;
    return usual.count() > 0 && time > last && distance(last, time) / few_steps > usual;
}

}  // namespace

std::vector<PictureSource> sources_of(std::span<const ShownChannel> shown)
{
    std::vector<PictureSource> sources;
    for (const auto& each : shown)
        sources.push_back({.frame = each.frame ? &*each.frame : nullptr,
                           .channel = each.channel.get(),
                           .statics = each.statics ? &*each.statics : nullptr,
                           .statics_number = each.statics ? each.statics->index : 0,
                           .is_past = each.is_past});
    return sources;
}

void LastFrames::add_channels(const TraceInfo& info)
{
    for (auto i = channels_.size(); i < info.channels.size(); ++i) {
        expander_.add_channel(info.channels[i]);
        channels_.push_back({.channel = std::make_shared<const Channel>(info.channels[i])});
    }
}

/// A message may have some parts of the map: those that changed. One that cannot be edited stays as it is.
void LastFrames::add(const Frame& frame, Nanoseconds time)
{
    auto& channel = channels_.at(frame.channel);
    channel.frame = frame;
    channel.has_map = can_have_map(*channel.channel) && !map_fields(frame.bytes, *channel.channel).empty();
    if (channel.has_map) {
        try {
            channel.frame = expander_.expand(frame);
        } catch (const Error&) {
            // The picture says what is wrong with it.
        }
        channel.map = channel.frame;
    }
    if (channel.times == 0 || time < channel.last) {
        channel.times = 0;
        channel.first = time;
        channel.step = {};
    } else {
        channel.step = distance(channel.last, time);
    }
    ++channel.times;
    channel.last = time;
}

std::vector<ShownChannel> LastFrames::shown(Nanoseconds time) const
{
    std::vector<ShownChannel> all;
    for (const auto& each : channels_) {
        auto& shown = all.emplace_back();
        shown.channel = each.channel;
        if (!each.frame) continue;
        shown.frame = each.frame;
        if (!each.has_map) shown.statics = each.map;
        // The mean as well: of messages that come in bursts, most steps are short.
        if (each.times > 1) {
            const auto mean = distance(each.first, each.last) / static_cast<std::int64_t>(each.times - 1);
            shown.is_past = is_past_at(time, each.last, std::max(mean, each.step));
        }
    }
    return all;
}

}  // namespace ositrace::web_sink
