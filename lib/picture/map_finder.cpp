// SPDX-License-Identifier: MPL-2.0
#include <ositrace/map_finder.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include "lib/trace/ground_truths.hpp"

namespace ositrace {

namespace {

/// How much of a map a frame has. Many traces have objects beside the road, but no road.
enum class Share : std::uint8_t { unreadable, none, objects, road };

Share share_in(const Frame& frame, const Channel& channel)
try {
    auto share = Share::none;
    if (channel.root == nullptr) return share;
    for_each_ground_truth(
        MessageView(frame.bytes, *channel.root, channel.format), [&](const MessageView& ground_truth) {
            ground_truth.for_each_field([&](const FieldRow& row) {
                if (is_map_field(row.name))
                    share = std::max(share, row.name == "stationary_object" ? Share::objects : Share::road);
                return share != Share::road;
            });
        });
    return share;
} catch (const Error&) {
    return Share::unreadable;
}

bool can_have_map(const Channel& channel) noexcept
{
    return channel.root != nullptr &&
           (channel.type == MessageType::ground_truth || channel.type == MessageType::sensor_view ||
            channel.type == MessageType::sensor_data);
}

/// What is known about a frame.
struct Looked {
    Share share = Share::unreadable;
    std::uint64_t bytes = 0;
};

}  // namespace

struct MapFinder::Implementation {
    struct ChannelState {
        std::map<std::uint64_t, Looked> known;  ///< frames that were read
        std::optional<Found> last;              ///< the last frame found with a map: probably also the next result
    };
    std::shared_ptr<const Trace> trace;
    std::map<std::uint32_t, ChannelState> channels;

    [[nodiscard]] Looked look(std::uint32_t channel, std::uint64_t number, const std::stop_token& stop);
    [[nodiscard]] std::optional<std::uint64_t> search(std::uint32_t channel, std::uint64_t number, Share wanted,
                                                      const std::stop_token& stop);
};

Looked MapFinder::Implementation::look(std::uint32_t channel, std::uint64_t number, const std::stop_token& stop)
{
    auto& known = channels[channel].known;
    if (const auto found = known.find(number); found != known.end()) return found->second;
    Looked looked;
    if (stop.stop_requested()) return looked;
    try {
        const auto frame = trace->frame(channel, number);
        looked = {share_in(frame, trace->info().channels[channel]), frame.bytes.size()};
    } catch (const Error&) {
        // A frame that cannot be read has no map.
    }
    known.emplace(number, looked);
    return looked;
}

std::optional<std::uint64_t> MapFinder::Implementation::search(std::uint32_t channel, std::uint64_t number,
                                                               Share wanted, const std::stop_token& stop)
{
    const auto try_down = [&](std::uint64_t from, std::uint64_t end,
                              std::uint64_t bytes) -> std::optional<std::uint64_t> {
        for (auto i = from; i > end && !stop.stop_requested(); --i) {
            const auto looked = look(channel, i - 1, stop);
            if (looked.share >= wanted) return i - 1;
            if (looked.bytes >= bytes) return std::nullopt;
            bytes -= looked.bytes;
        }
        return std::nullopt;
    };
    if (const auto found = try_down(number, number - std::min(number, frames_before), bytes_before)) return found;
    return try_down(std::min(number, first_frames), 0, UINT64_MAX);
}

MapFinder::MapFinder(std::shared_ptr<const Trace> trace) : implementation_(std::make_unique<Implementation>())
{
    implementation_->trace = std::move(trace);
}
MapFinder::MapFinder(MapFinder&&) noexcept = default;
MapFinder& MapFinder::operator=(MapFinder&&) noexcept = default;
MapFinder::~MapFinder() = default;

std::optional<MapFinder::Found> MapFinder::find(std::uint32_t channel, std::uint64_t number, const Frame& frame,
                                                std::stop_token stop)
{
    auto& state = *implementation_;
    const auto& channels = state.trace->info().channels;
    if (channel >= channels.size() || !can_have_map(channels[channel])) return std::nullopt;
    auto& of_channel = state.channels[channel];
    const auto known = of_channel.known.find(number);
    const auto own = known != of_channel.known.end() ? known->second.share : share_in(frame, channels[channel]);
    of_channel.known.emplace(number, Looked{own, frame.bytes.size()});
    if (own == Share::road) return std::nullopt;
    auto place = state.search(channel, number, Share::road, stop);
    if (!place && own < Share::objects) place = state.search(channel, number, Share::objects, stop);
    if (!place || stop.stop_requested()) return std::nullopt;
    if (of_channel.last && of_channel.last->number == *place) return of_channel.last;
    try {
        of_channel.last = Found{state.trace->frame(channel, *place), *place};
    } catch (const Error&) {
        return std::nullopt;
    }
    return of_channel.last;
}

}  // namespace ositrace
