// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/record_search.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "formats/mcap/plausible_record.hpp"

namespace ositrace {

using mcap::record_prefix_bytes;

namespace {

/// How far the record behind a candidate may be.
constexpr std::uint64_t max_lookahead_bytes = std::uint64_t{64} << 20;
/// Candidates looked at before they are let go.
constexpr std::size_t search_step_bytes = std::size_t{64} << 10;

bool goes_on_at(std::size_t place, WindowedInput& input, const McapChannels& channels, const std::stop_token& stop)
{
    const auto front = input.buffered().subspan(place);
    const auto knows_channel = [&](std::uint16_t id) { return channels.could_find(id); };
    const auto likeness =
        mcap::plausible_record(front.first(std::min(front.size(), mcap::plausible_record_bytes)), knows_channel);
    if (likeness != mcap::Likeness::weak) return likeness == mcap::Likeness::strong;
    const auto end = place + record_prefix_bytes + mcap::prefix_at(front).length;
    if (end > max_lookahead_bytes) return false;
    const auto behind =
        input.ensure(static_cast<std::size_t>(end) + record_prefix_bytes, stop, WindowedInput::window_bytes);
    return behind.size() >= end && mcap::plausible_prefix(behind.subspan(static_cast<std::size_t>(end)));
}

}  // namespace

bool find_record(WindowedInput& input, std::size_t from, const McapChannels& channels, const std::stop_token& stop)
{
    for (auto place = from;;) {
        const auto bytes = input.ensure(place + mcap::plausible_record_bytes, stop, WindowedInput::window_bytes);
        if (stop.stop_requested()) return false;
        if (bytes.size() < place + record_prefix_bytes) {
            input.consume(bytes.size());
            return false;
        }
        const bool found = goes_on_at(place, input, channels, stop);
        if (found || ++place == search_step_bytes) input.consume(std::exchange(place, 0));
        if (found) return true;
    }
}

}  // namespace ositrace
