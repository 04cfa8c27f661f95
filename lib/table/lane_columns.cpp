// SPDX-License-Identifier: MPL-2.0
#include "lib/table/lane_columns.hpp"

#include <array>
#include <bit>
#include <functional>
#include <string_view>
#include <utility>

#include <ositrace/edit/static.hpp>

#include "lib/trace/ground_truths.hpp"

namespace ositrace::table {

namespace {

constexpr std::array<std::string_view, 3> lane_fields{"reference_line", "logical_lane_boundary", "logical_lane"};

/// Of the bytes of the lanes; 0: there are none. Empty in FlatBuffers, where they are not in one place.
std::optional<std::size_t> hash_of_lanes(const MessageView& ground_truth)
{
    std::size_t hash = 0;
    bool is_known = true;
    for (const auto name : lane_fields) {
        const auto* const field = ground_truth.table().find(name);
        if (field == nullptr) continue;
        ground_truth.for_each_element(*field, [&](const Value& value) {
            const auto bytes = std::get<MessageView>(value).wire_bytes();
            is_known = bytes.has_value();
            if (is_known) hash = hash * 31 + std::hash<std::string_view>()(text_of(*bytes)) + 1;
            return is_known;
        });
    }
    return is_known ? std::optional(hash) : std::nullopt;
}

/// Of the first ground truth in a message.
void visit_first(const MessageView& message, const std::function<void(const MessageView&)>& visit)
{
    bool is_first = true;
    for_each_ground_truth(message, [&](const MessageView& truth) {
        if (std::exchange(is_first, false)) visit(truth);
    });
}

}  // namespace

void LaneColumns::follow(const MessageView& frame)
{
    if (lanes_.replace) return;
    visit_first(frame, [&](const MessageView& truth) {
        const auto hash = hash_of_lanes(truth);
        if (hash == 0 || hash == known_) return;
        auto lanes = std::make_shared<const LaneFrame>(truth);
        if (lanes->empty()) return;
        lanes_.lanes = std::move(lanes);
        known_ = hash.value_or(0);
    });
}

std::optional<LanePlace> LaneColumns::place_of(Store& store, std::size_t row) const
{
    const auto value = [&](std::size_t column) {
        return column == none ? std::nullopt : Store::value(store.column(column), row);
    };
    const auto real = [&](std::size_t column) {
        const auto bits = value(column);
        return bits ? std::optional(std::bit_cast<double>(*bits)) : std::nullopt;
    };
    const auto x = real(sources_.x), y = real(sources_.y), z = real(sources_.z);
    if (const auto lane = value(sources_.lane)) {
        const auto s = real(sources_.s), t = real(sources_.t);
        // A writer may omit one that is 0.
        if (s || t)
            return lanes_.lanes ? lanes_.lanes->assigned(*lane, s.value_or(0), t.value_or(0))
                                : LanePlace{s.value_or(0), t.value_or(0), std::nullopt, lane};
        if (lanes_.lanes && (x || y))
            if (const auto place = lanes_.lanes->place_on(*lane, x.value_or(0), y.value_or(0), z.value_or(0)))
                return place;
    }
    if (!lanes_.lanes || (!x && !y)) return std::nullopt;
    return lanes_.lanes->place(x.value_or(0), y.value_or(0), z.value_or(0));
}

void LaneColumns::add(const MessageView& frame, Store& store, const LevelData& rows, std::size_t first)
{
    follow(frame);
    places_.resize(first);
    for (auto row = first; row != rows.count; ++row) places_.push_back(place_of(store, row));
}

}  // namespace ositrace::table

namespace ositrace {

TableLanes table_lanes(const Trace& trace, std::uint32_t channel, std::uint64_t first,
                       const std::function<std::shared_ptr<const TraceMap>()>& find_map,
                       const std::function<bool()>& is_stopped)
{
    const auto& info = trace.info().channels.at(channel);
    if (const auto beside = trace.map_beside(channel); beside && beside->replaces) return {find_map()->lanes, true};
    std::shared_ptr<const LaneFrame> own;
    if (can_have_map(info) && first < trace.frame_count(channel)) {
        auto frame = trace.frame(channel, first);
        frame.channel = channel;
        if (auto whole = with_static_data(trace, frame, first, is_stopped)) frame = *std::move(whole);
        table::visit_first({frame.bytes, *info.root, info.format}, [&](const MessageView& truth) {
            auto lanes = std::make_shared<const LaneFrame>(truth);
            if (!lanes->empty()) own = std::move(lanes);
        });
    }
    if (own) return {std::move(own)};
    const auto map = find_map();
    return {map ? map->lanes : nullptr};
}

}  // namespace ositrace
