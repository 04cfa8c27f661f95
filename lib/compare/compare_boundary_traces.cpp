// SPDX-License-Identifier: MPL-2.0
#include <ositrace/compare_boundary_traces.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <ositrace/error.hpp>

#include "lib/compare/common_clock.hpp"

namespace ositrace {

using compare::channel_of;
using compare::CommonClock;
using compare::compare_pairs;
using compare::SideReader;

namespace {

/// Adds the comparisons of messages up.
class BoundarySums {
public:
    BoundarySums(BoundaryTraceComparison& result, std::size_t max_samples)
        : result_(result), samples_left_(max_samples), histories_left_(max_samples)
    {
    }

    void add(const MessagePair& messages, Nanoseconds time, const BoundaryComparison& compared)
    {
        const auto at = static_cast<std::uint32_t>(result_.moments.size());
        auto& moment = result_.moments.emplace_back();
        moment.messages = messages;
        moment.time = time;
        moment.boundaries = static_cast<std::uint32_t>(compared.boundaries.size());
        moment.mean_absolute = static_cast<float>(compared.mean_absolute);
        for (std::size_t side = 0; side != 2; ++side) result_.counts.at(side) += compared.counts.at(side);
        result_.matched += compared.matched;
        result_.unmatched += compared.unmatched;
        for (const auto& boundary : compared.boundaries) {
            const bool is_alone = !(boundary.matched > 0);
            if (is_alone) {
                ++moment.alone;
            } else {
                result_.sum_absolute += boundary.mean_absolute * boundary.matched;
                const auto size = static_cast<float>(std::abs(boundary.largest));
                if (!(size <= moment.largest)) moment.largest = size;
            }
            if (auto* const history = history_of(boundary)) add(*history, at, boundary);
        }
        result_.alone += moment.alone;
        for (const auto& note : compared.notes) add_note(note);
    }

    void add_broken(const MessagePair& messages, Nanoseconds time, const std::string& problem)
    {
        auto& moment = result_.moments.emplace_back();
        moment.messages = messages;
        moment.time = time;
        moment.broken = true;
        if (result_.broken++ == 0) result_.problem = problem;
    }

private:
    void add(BoundaryHistory& history, std::uint32_t at, const ComparedBoundary& boundary)
    {
        const bool is_alone = !(boundary.matched > 0);
        const bool has_first_error = !is_alone && history.matched == 0;
        if (history.messages++ == 0) history.moment = at;
        history.unmatched += boundary.unmatched;
        if (is_alone) {
            ++history.alone;
        } else {
            history.matched += boundary.matched;
            history.sum += boundary.mean * boundary.matched;
            history.sum_absolute += boundary.mean_absolute * boundary.matched;
            if (has_first_error || std::abs(boundary.largest) > std::abs(history.largest)) {
                history.largest = boundary.largest;
                history.largest_ahead = boundary.largest_ahead;
                history.moment = at;
            }
        }
        if (samples_left_ == 0) {
            result_.samples_are_complete = false;
            return;
        }
        --samples_left_;
        constexpr float none = std::numeric_limits<float>::quiet_NaN();
        history.samples.push_back({.moment = at,
                                   .mean = static_cast<float>(boundary.mean),
                                   .mean_absolute = static_cast<float>(boundary.mean_absolute),
                                   .largest = is_alone ? none : static_cast<float>(boundary.largest),
                                   .largest_ahead = is_alone ? none : static_cast<float>(boundary.largest_ahead),
                                   .matched = static_cast<float>(boundary.matched),
                                   .unmatched = static_cast<float>(boundary.unmatched)});
    }

    /// nullptr: there are too many.
    BoundaryHistory* history_of(const ComparedBoundary& boundary)
    {
        auto& places = boundary.has_id ? with_id_ : without_id_;
        if (const auto found = places.find(boundary.id); found != places.end())
            return &result_.boundaries[found->second];
        if (histories_left_ == 0) {
            result_.samples_are_complete = false;
            return nullptr;
        }
        --histories_left_;
        places.emplace(boundary.id, result_.boundaries.size());
        auto& history = result_.boundaries.emplace_back();
        history.id = boundary.id;
        history.has_id = boundary.has_id;
        return &history;
    }

    void add_note(const std::string& note)
    {
        constexpr std::size_t most_notes = 100;
        auto& notes = result_.notes;
        if (notes.size() < most_notes && std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    }

    BoundaryTraceComparison& result_;
    std::size_t samples_left_, histories_left_;
    std::unordered_map<std::uint64_t, std::size_t> with_id_, without_id_;  ///< places in the boundaries of the result
};

}  // namespace

const BoundaryHistory* BoundaryTraceComparison::worst() const noexcept
{
    const BoundaryHistory* worst = nullptr;
    for (const auto& each : boundaries)
        if (each.matched > 0 && (worst == nullptr || std::abs(each.largest) > std::abs(worst->largest))) worst = &each;
    return worst;
}

BoundaryTraceComparison compare_boundary_traces(const ComparedChannel& a, const ComparedChannel& b,
                                                const BoundaryTraceOptions& options,
                                                const std::function<void(const BoundaryTraceComparison&)>& on_progress,
                                                std::stop_token stop)
{
    const std::array channels{channel_of(a), channel_of(b)};
    check_lane_boundaries(channels, {a.set, b.set});
    BoundaryTraceComparison result;
    BoundarySums sums(result, options.max_samples);
    const auto compare_two = [&](const ComparedMessage& message_a, const ComparedMessage& message_b) {
        return compare_boundaries(channels, {a.set, b.set}, message_a, message_b, options.boundaries);
    };
    compare_pairs(a, b, options.tolerance, result, sums, compare_two, on_progress, stop);
    return result;
}

bool have_lane_boundaries(const ComparedChannel& a, const ComparedChannel& b, std::stop_token stop)
{
    constexpr std::size_t looked_at = 50;
    const std::array channels{channel_of(a), channel_of(b)};
    if (!has_lane_boundaries(*channels[0], a.set) || !has_lane_boundaries(*channels[1], b.set)) return false;
    const CommonClock clock(a, b, {}, stop);
    const auto every = std::max<std::size_t>(1, clock.pairs.size() / looked_at);
    SideReader read_a(a), read_b(b);
    for (std::size_t i = 0; i < clock.pairs.size() && !stop.stop_requested(); i += every) {
        try {
            const auto message_a = read_a.read(clock.pairs[i].a, stop), message_b = read_b.read(clock.pairs[i].b, stop);
            const auto found = compare_boundaries(channels, {a.set, b.set}, message_a, message_b);
            if (found.counts[0] != 0 && !found.boundaries.empty()) return true;
        } catch (const Error&) {  // another message may be readable
        }
    }
    return false;
}

}  // namespace ositrace
