// SPDX-License-Identifier: MPL-2.0
#include "lib/play/static_carrier.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ositrace {

struct StaticCarrier::ChannelState {
    std::optional<std::uint64_t>
        static_data_before;  ///< the next frame lacks the static data of the frames before this place; empty: of none
    /// What was found for a frame.
    struct Found {
        std::uint64_t place = 0;
        Bytes bytes;  ///< of the completed frame; empty: it lacks nothing
        std::shared_ptr<const void> owner;
    };
    std::array<std::optional<Found>, 2> found;  ///< a round may begin with a held frame and the next one
    std::size_t oldest = 0;

    [[nodiscard]] const Found* find(std::uint64_t place) const noexcept
    {
        for (const auto& each : found)
            if (each && each->place == place) return &*each;
        return nullptr;
    }
    const Found& add(Found what)
    {
        auto& to = found[std::exchange(oldest, 1 - oldest)];
        to = std::move(what);
        return *to;
    }
};

StaticCarrier::StaticCarrier(const Trace& trace, OnCarry on_carry)
    : trace_(trace), on_carry_(std::move(on_carry)), channels_(trace.info().channels.size())
{
    begin_at_first_frame();
}

StaticCarrier::~StaticCarrier() = default;

void StaticCarrier::begin_at(Nanoseconds time)
{
    start_ = time;
    sent_once_.clear();
    for (std::uint32_t i = 0; i < channels_.size(); ++i) {
        const auto before = time == Nanoseconds::min() ? std::nullopt : trace_.frame_at(i, time - Nanoseconds(1));
        channels_[i].static_data_before = before ? std::optional(*before + 1) : before_first_frame(i);
        if (before && trace_.frame_count(i) == 1) sent_once_.push_back(i);
    }
}

/// Nothing is before it but the map beside the trace.
std::optional<std::uint64_t> StaticCarrier::before_first_frame(std::uint32_t channel) const
{
    return trace_.map_beside(channel) ? std::optional<std::uint64_t>(0) : std::nullopt;
}

void StaticCarrier::begin_at_first_frame()
{
    for (std::uint32_t i = 0; i < channels_.size(); ++i) channels_[i].static_data_before = before_first_frame(i);
    sent_once_.clear();
}

std::vector<Frame> StaticCarrier::sent_once()
{
    std::vector<Frame> frames;
    for (const auto channel : std::exchange(sent_once_, {})) {
        const auto& frame = frames.emplace_back(trace_.frame(channel, 0));
        if (on_carry_ && reported_start_ != start_) on_carry_({channel, frame.index, {}});
    }
    if (!frames.empty()) reported_start_ = start_;
    return frames;
}

void StaticCarrier::complete(Frame& frame, const std::stop_token& stop)
{
    auto& channel = channels_.at(frame.channel);
    if (!channel.static_data_before) return;
    carry_into(frame, channel, *channel.static_data_before, stop);
    channel.static_data_before.reset();
}

void StaticCarrier::complete(Frame& frame, std::uint64_t place, const std::stop_token& stop)
{
    if (place != 0 || before_first_frame(frame.channel)) carry_into(frame, channels_.at(frame.channel), place, stop);
}

void StaticCarrier::carry_into(Frame& frame, ChannelState& channel, std::uint64_t place, const std::stop_token& stop)
{
    const auto* found = channel.find(place);
    if (found == nullptr) {
        const auto is_stopped = [&] { return stop.stop_requested(); };
        const auto whole = with_static_data(trace_, frame, place, is_stopped, on_carry_);
        if (is_stopped()) return;
        found = &channel.add({place, whole ? whole->bytes : Bytes{}, whole ? whole->owner : nullptr});
    }
    if (found->bytes.empty()) return;
    frame.bytes = found->bytes;
    frame.owner = found->owner;
    frame.payload_offset.reset();
}

}  // namespace ositrace
