// SPDX-License-Identifier: MPL-2.0
// Encounters: two objects whose swept footprints cross or merge. The definitions are those of docs/events.md.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/traffic/moment.hpp"
#include "lib/traffic/swept_path.hpp"

namespace ositrace::traffic {

struct EncounterOptions {
    double longest = 10;   ///< s: a greater post-encroachment time is no encounter
    double parallel = 15;  ///< degrees: below, two paths merge instead of crossing
};

struct Encounter {
    std::uint64_t first = 0, second = 0;  ///< ids, by their entry
    bool merges = false;                  ///< else they cross
    std::uint64_t frame = 0;              ///< the first one at or after the second enters
    Nanoseconds first_enters{}, first_leaves{}, second_enters{}, second_leaves{};
    std::optional<double> pet;        ///< s; empty if the second enters before the first has left
    Vec2 place;                       ///< of the second as it enters
    double angle = 0;                 ///< rad, heading of the second as it enters less that of the first there
    std::optional<double> least_gap;  ///< m
    Nanoseconds least_gap_time{};
    std::optional<double> least_ttc;  ///< s, until the footprints touch
    Nanoseconds least_ttc_time{};
};

/// Finds the encounters of a trace. Memory: what all objects do in twice the longest time between two of them.
class EncounterFinder {
public:
    explicit EncounterFinder(const EncounterOptions& options);
    /// Appends the encounters that have ended. Moments come in the order of time.
    void step(const TrafficMoment& moment, std::vector<Encounter>& ended);
    void finish(std::vector<Encounter>& ended);

private:
    using Pair = std::pair<std::size_t, std::size_t>;  ///< slots, ascending

    /// What one of two objects does in the area that both sweep.
    struct Stay {
        std::uint64_t id = 0;
        Nanoseconds enters = Nanoseconds::max(), leaves = Nanoseconds::min();
        Nanoseconds known_from = Nanoseconds::max(), known_until = Nanoseconds::min();  ///< of the pieces that overlap
        std::optional<Nanoseconds> left_entry;  ///< it leaves the place at which the other one enters
        Pose entry;
        double angle = 0;  ///< of its heading as it enters, less that of the other there
        std::uint64_t frame = 0;
        bool is_begin = false;  ///< it is there when it is first seen
    };
    struct Least {
        std::optional<double> value;
        Nanoseconds time{};
        void take(std::optional<double> other, Nanoseconds at) noexcept
        {
            if (other && (!value || *other < *value)) {
                value = other;
                time = at;
            }
        }
    };
    struct Conflict {
        std::array<Stay, 2> stays;
        bool follows = false;  ///< they were on one path when they were first seen
        bool merges = false;
        double deepest = 0;
        std::array<Least, 2> gap, ttc;  ///< until both have entered, and after that
    };
    struct Cell {
        Pair pair;
        const SweptPath::Piece *a = nullptr, *b = nullptr;
        double depth = 0;
        [[nodiscard]] const SweptPath::Piece& piece(std::size_t role) const noexcept { return role == 0 ? *a : *b; }
        [[nodiscard]] std::size_t slot(std::size_t role) const noexcept { return role == 0 ? pair.first : pair.second; }
    };

    void meet(std::size_t slot, const SweptPath::Piece& piece, Nanoseconds now);
    Conflict& conflict_of(const Cell& cell, Nanoseconds now);
    void add(const Cell& cell, Nanoseconds now);
    [[nodiscard]] bool is_late(const Cell& cell) const;
    void refine(Conflict& conflict, const Cell& cell, std::size_t role) const;
    void measure(Conflict& conflict, Pair pair, Nanoseconds time) const;
    [[nodiscard]] double angle_between(const Cell& cell) const;
    [[nodiscard]] double narrower(Pair pair) const;
    void close(const Conflict& conflict, Pair pair, std::vector<Encounter>& ended) const;

    EncounterOptions options_;
    Nanoseconds window_{};
    std::vector<SweptPath> paths_;  ///< by slot
    std::map<Pair, std::vector<Conflict>> conflicts_;
    PieceGrid grid_;
    Nanoseconds swept_{};  ///< when the grid was cleaned
};

}  // namespace ositrace::traffic
