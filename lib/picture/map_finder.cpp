// SPDX-License-Identifier: MPL-2.0
#include <ositrace/map_finder.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include "lib/trace/ground_truths.hpp"

namespace ositrace {

namespace {

/// What is known about a frame.
struct Looked {
    MapShare share = MapShare::unreadable;
    std::uint64_t bytes = 0;
};

MapFinder::Found found_beside(MapBeside map) { return {std::move(map.frame), 0, std::move(map.name), map.replaces}; }

}  // namespace

struct MapFinder::Implementation {
    struct ChannelState {
        std::map<std::uint64_t, Looked> known;  ///< frames that were read
        std::optional<Found> last;              ///< the last frame found with a map: probably also the next result
    };
    std::shared_ptr<const Trace> trace;
    std::map<std::uint32_t, ChannelState> channels;

    [[nodiscard]] Looked look(std::uint32_t channel, std::uint64_t number, const std::stop_token& stop);
    [[nodiscard]] std::optional<std::uint64_t> search(std::uint32_t channel, std::uint64_t number, MapShare wanted,
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
        looked = {map_share(frame.bytes, trace->info().channels[channel]), frame.bytes.size()};
    } catch (const Error&) {
        // A frame that cannot be read has no map.
    }
    known.emplace(number, looked);
    return looked;
}

std::optional<std::uint64_t> MapFinder::Implementation::search(std::uint32_t channel, std::uint64_t number,
                                                               MapShare wanted, const std::stop_token& stop)
{
    if (const auto kept = trace->kept_map(channel, number, wanted == MapShare::road)) return kept;
    const auto begin = trace->first_frame(channel);
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
    if (const auto found = try_down(number, std::max(begin, number - std::min(number, frames_before)), bytes_before))
        return found;
    return try_down(std::min(number, begin + first_frames), begin, UINT64_MAX);
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
    if (auto beside = state.trace->map_beside(channel); beside && beside->replaces)
        return found_beside(std::move(*beside));
    auto& of_channel = state.channels[channel];
    of_channel.known.erase(of_channel.known.begin(),
                           of_channel.known.lower_bound(state.trace->first_frame(channel)));  // they were dropped
    const auto known = of_channel.known.find(number);
    const auto own = known != of_channel.known.end() ? known->second.share : map_share(frame.bytes, channels[channel]);
    of_channel.known.emplace(number, Looked{own, frame.bytes.size()});
    if (own == MapShare::road) return std::nullopt;
    auto place = state.search(channel, number, MapShare::road, stop);
    if (!place && !stop.stop_requested())
        if (auto beside = state.trace->map_beside(channel)) return found_beside(std::move(*beside));
    if (!place && own < MapShare::objects) place = state.search(channel, number, MapShare::objects, stop);
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
