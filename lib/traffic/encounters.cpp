// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/encounters.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <tuple>
#include <utility>

#include <ositrace/footprint.hpp>

namespace ositrace::traffic {

namespace {

/// Pieces of one conflict follow each other within this time; a piece is shorter.
constexpr Nanoseconds slack = std::chrono::milliseconds(1100);
constexpr double least_depth = 1e-3;  // m
/// The footprint at the entry only touches the area; so much larger, it overlaps.
constexpr double margin = 0.02;  // m
/// A greater way within one frame is no motion.
constexpr double longest_jump = 50;  // m

double wrapped_turn(double angle) noexcept { return std::remainder(angle, 2 * std::numbers::pi); }

Footprint footprint_at(const PathSample& sample) noexcept
{
    return {.centre = {sample.pose.centre.x, sample.pose.centre.y},
            .length = sample.pose.length,
            .width = sample.pose.width,
            .yaw = sample.pose.yaw,
            .velocity = {sample.velocity.x, sample.velocity.y},
            .acceleration = {}};
}

Nanoseconds time_between(const SweptPath::Piece& a, const SweptPath::Piece& b) noexcept
{
    return std::max(a.from, b.from) - std::min(a.to, b.to);
}

}  // namespace

EncounterFinder::EncounterFinder(const EncounterOptions& options)
    : options_(options), window_(static_cast<Nanoseconds::rep>(options.longest * 1e9))
{
}

void EncounterFinder::step(const TrafficMoment& moment, std::vector<Encounter>& ended)
{
    const auto kept = moment.time - 2 * window_ - slack;
    std::vector<std::pair<std::size_t, SweptPath::Piece>> pieces;
    for (const auto& actor : moment.actors) {
        if (paths_.size() <= actor.slot) paths_.resize(actor.slot + 1);
        auto& path = paths_[actor.slot];
        path.id = actor.mover.id;
        const bool continues = actor.continues && norm(actor.mover.pose.centre - actor.before->centre) < longest_jump;
        const PathSample sample{moment.time, moment.frame, actor.mover.pose, actor.motion.velocity.value_or(Vec2())};
        if (const auto piece = path.add(sample, continues)) pieces.emplace_back(actor.slot, *piece);
        path.forget_before(kept);
    }
    for (const auto& [slot, piece] : pieces) {
        meet(slot, piece, moment.time);
        grid_.add(slot, piece);
    }
    for (auto& [pair, conflicts] : conflicts_)
        for (auto& conflict : conflicts)
            if (!conflict.follows && !conflict.merges) measure(conflict, pair, moment.time);
    if (moment.time - swept_ < window_ / 4) return;
    swept_ = moment.time;
    grid_.forget_before(moment.time - 2 * window_);
    for (auto at = conflicts_.begin(); at != conflicts_.end();) {
        std::erase_if(at->second, [&](const Conflict& conflict) {
            const auto until = std::max(conflict.stays[0].known_until, conflict.stays[1].known_until);
            if (until + 2 * window_ + slack >= moment.time) return false;
            close(conflict, at->first, ended);
            return true;
        });
        at = at->second.empty() ? conflicts_.erase(at) : std::next(at);
    }
}

void EncounterFinder::finish(std::vector<Encounter>& ended)
{
    for (const auto& [pair, conflicts] : conflicts_)
        for (const auto& conflict : conflicts) close(conflict, pair, ended);
    conflicts_.clear();
}

void EncounterFinder::meet(std::size_t slot, const SweptPath::Piece& piece, Nanoseconds now)
{
    std::vector<const PieceGrid::Entry*> near;
    grid_.for_each_near(piece.swept, [&](const PieceGrid::Entry& entry) {
        if (entry.slot != slot && time_between(entry.piece, piece) <= 2 * window_) near.push_back(&entry);
    });
    const auto key = [](const PieceGrid::Entry* entry) { return std::pair(entry->slot, entry->piece.first); };
    std::ranges::sort(near, {}, key);
    const auto is_same = [&](const PieceGrid::Entry* a, const PieceGrid::Entry* b) { return key(a) == key(b); };
    near.erase(std::unique(near.begin(), near.end(), is_same), near.end());  // clang 14 lacks the subrange of ranges
    for (const auto* const entry : near) {
        const double depth = overlap_depth(piece.swept, entry->piece.swept);
        if (!(depth >= least_depth)) continue;
        const bool first = slot < entry->slot;
        add({Pair(std::minmax(slot, entry->slot)), first ? &piece : &entry->piece, first ? &entry->piece : &piece,
             depth},
            now);
    }
}

double EncounterFinder::angle_between(const Cell& cell) const
{
    const auto* const a = paths_[cell.pair.first].sample(cell.a->last);
    const auto* const b = paths_[cell.pair.second].sample(cell.b->last);
    return a == nullptr || b == nullptr ? 0 : wrapped_turn(b->pose.yaw - a->pose.yaw);
}

double EncounterFinder::narrower(Pair pair) const
{
    const auto width = [&](std::size_t slot) {
        const auto& samples = paths_[slot].samples();
        return samples.empty() ? 0 : samples.back().pose.width;
    };
    return std::min(width(pair.first), width(pair.second));
}

EncounterFinder::Conflict& EncounterFinder::conflict_of(const Cell& cell, Nanoseconds now)
{
    auto& conflicts = conflicts_[cell.pair];
    const auto belongs = [&](const Conflict& conflict) {
        for (std::size_t role = 0; role != 2; ++role) {
            const auto& stay = conflict.stays[role];
            const auto& piece = cell.piece(role);
            if (piece.from > stay.known_until + slack || piece.to < stay.known_from - slack) return false;
        }
        return true;
    };
    if (const auto found = std::ranges::find_if(conflicts, belongs); found != conflicts.end()) return *found;
    auto& conflict = conflicts.emplace_back();
    const bool parallel = std::abs(angle_between(cell)) < options_.parallel * std::numbers::pi / 180;
    // One path, if it is already common where the view begins: the first piece of one, or the longest time apart.
    conflict.follows =
        parallel && (cell.a->is_begin || cell.b->is_begin || time_between(*cell.a, *cell.b) > window_ - 2 * slack);
    for (std::size_t role = 0; role != 2; ++role) conflict.stays[role].id = paths_[cell.slot(role)].id;
    if (conflict.follows) return conflict;
    for (const auto& sample : paths_[cell.pair.first].samples())
        if (sample.time < now) measure(conflict, cell.pair, sample.time);
    return conflict;
}

/// Is one there so much later than the other that it is no encounter?
bool EncounterFinder::is_late(const Cell& cell) const { return time_between(*cell.a, *cell.b) > window_; }

void EncounterFinder::refine(Conflict& conflict, const Cell& cell, std::size_t role) const
{
    auto &stay = conflict.stays[role], &other = conflict.stays[1 - role];
    const auto &piece = cell.piece(role), &its_piece = cell.piece(1 - role);
    const auto &path = paths_[cell.slot(role)], &its_path = paths_[cell.slot(1 - role)];
    if (piece.to <= stay.leaves && piece.from >= stay.enters) return;
    const auto area = its_path.area_of(its_piece);
    if (piece.to > stay.leaves)
        if (const auto leaves = path.last_contact(piece, area)) stay.leaves = std::max(stay.leaves, *leaves);
    if (piece.from >= stay.enters) return;
    const auto enters = path.first_contact(piece, area);
    if (!enters || *enters >= stay.enters) return;
    const auto sample = path.at(*enters), its_sample = its_path.at(its_piece.from);
    if (!sample || !its_sample) return;
    stay.enters = *enters;
    stay.entry = sample->pose;
    stay.frame = sample->frame;
    stay.is_begin = piece.is_begin && *enters == piece.from;
    stay.angle = wrapped_turn(sample->pose.yaw - its_sample->pose.yaw);
    auto place = stay.entry;
    place.length += margin;
    place.width += margin;
    other.left_entry = its_path.last_contact_before(*enters, {Convex(place)});
}

void EncounterFinder::add(const Cell& cell, Nanoseconds now)
{
    auto& conflict = conflict_of(cell, now);
    for (std::size_t role = 0; role != 2; ++role) {
        auto& stay = conflict.stays[role];
        stay.known_from = std::min(stay.known_from, cell.piece(role).from);
        stay.known_until = std::max(stay.known_until, cell.piece(role).to);
    }
    if (conflict.follows || conflict.merges) return;
    conflict.deepest = std::max(conflict.deepest, cell.depth);
    if (!is_late(cell))
        for (std::size_t role = 0; role != 2; ++role) refine(conflict, cell, role);
    conflict.merges = std::abs(angle_between(cell)) < options_.parallel * std::numbers::pi / 180 &&
                      cell.depth >= narrower(cell.pair) / 2;
}

void EncounterFinder::measure(Conflict& conflict, Pair pair, Nanoseconds time) const
{
    const auto a = paths_[pair.first].at(time), b = paths_[pair.second].at(time);
    if (!a || !b) return;
    const auto one = footprint_at(*a), other = footprint_at(*b);
    const std::size_t after = time > std::max(conflict.stays[0].enters, conflict.stays[1].enters) ? 1 : 0;
    conflict.gap.at(after).take(shortest_way(one, other).length, time);
    conflict.ttc.at(after).take(time_to_contact(one, other), time);
}

void EncounterFinder::close(const Conflict& conflict, Pair pair, std::vector<Encounter>& ended) const
{
    if (conflict.follows) return;
    const bool in_order = std::tuple(conflict.stays[0].enters, conflict.stays[0].id) <=
                          std::tuple(conflict.stays[1].enters, conflict.stays[1].id);
    const auto &first = conflict.stays[in_order ? 0 : 1], &second = conflict.stays[in_order ? 1 : 0];
    // It came from where nobody has seen it, or both only brushed past each other's way.
    if (second.enters == Nanoseconds::max() || second.is_begin) return;
    const double parallel = std::sin(options_.parallel * std::numbers::pi / 180);
    if (!conflict.merges && std::abs(std::sin(second.angle)) < parallel && conflict.deepest < narrower(pair) / 2)
        return;
    const auto leaves = conflict.merges ? first.left_entry : std::optional(first.leaves);
    Encounter encounter{.first = first.id,
                        .second = second.id,
                        .merges = conflict.merges,
                        .frame = second.frame,
                        .first_enters = first.enters,
                        .first_leaves = leaves.value_or(first.leaves),
                        .second_enters = second.enters,
                        .second_leaves = second.leaves,
                        .pet = {},
                        .place = second.entry.centre,
                        .angle = second.angle,
                        .least_gap = {},
                        .least_gap_time = {},
                        .least_ttc = {},
                        .least_ttc_time = {}};
    if (leaves && *leaves <= second.enters) {
        encounter.pet = seconds(second.enters - *leaves);
        if (*encounter.pet > options_.longest) return;
    }
    auto gap = conflict.gap[0], ttc = conflict.ttc[0];
    if (!conflict.merges) {
        gap.take(conflict.gap[1].value, conflict.gap[1].time);
        ttc.take(conflict.ttc[1].value, conflict.ttc[1].time);
    }
    encounter.least_gap = gap.value;
    encounter.least_gap_time = gap.time;
    encounter.least_ttc = ttc.value;
    encounter.least_ttc_time = ttc.time;
    ended.push_back(encounter);
}

}  // namespace ositrace::traffic
