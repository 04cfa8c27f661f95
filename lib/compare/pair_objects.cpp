// SPDX-License-Identifier: MPL-2.0
#include "lib/compare/pair_objects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <span>
#include <string_view>
#include <unordered_map>

namespace ositrace::compare {

namespace {

/// A hundred thousand objects at one place have more combinations than can be visited.
constexpr std::size_t most_candidates = std::size_t{2} << 20;

struct Candidate {
    double distance = 0;  ///< squared
    std::size_t a = 0, b = 0;
    friend std::partial_ordering operator<=>(const Candidate&, const Candidate&) = default;
};

double squared_distance(const ComparedObject& a, const ComparedObject& b) noexcept
{
    const auto x = b.position[0] - a.position[0], y = b.position[1] - a.position[1];
    return x * x + y * y;
}

bool is_near(const ComparedObject& a, const ComparedObject& b, double gate) noexcept
{
    return a.kind == b.kind && squared_distance(a, b) <= gate * gate;
}

/// Empty: no id of the other side is that of this object.
std::span<const std::uint64_t> truth_ids(const ComparedObject& object, ObjectSet set) noexcept
{
    if (!object.name.empty()) return {};
    if (set == ObjectSet::detections) return object.truth_ids;
    return object.has_id ? std::span(&object.id, 1) : std::span<const std::uint64_t>();
}

class Pairing {
public:
    Pairing(const Side& a, const Side& b)
        : a_(a), b_(b), a_is_claimed_(a.objects.size()), b_is_claimed_(b.objects.size())
    {
        matches_.of_a.resize(a.objects.size());
        matches_.b_is_paired.resize(b.objects.size());
    }

    void by_id()
    {
        std::array<std::unordered_map<std::uint64_t, std::vector<std::size_t>>, object_kind_count> by_kind;
        const auto places_of = [&](const ComparedObject& object) -> auto& {
            return by_kind.at(static_cast<std::size_t>(object.kind));
        };
        for (std::size_t i = 0; i != a_.objects.size(); ++i)
            for (const auto id : truth_ids(a_.objects[i], a_.set)) places_of(a_.objects[i])[id].push_back(i);
        for (std::size_t j = 0; j != b_.objects.size(); ++j) {
            const auto& places = places_of(b_.objects[j]);
            for (const auto id : truth_ids(b_.objects[j], b_.set)) {
                const auto found = places.find(id);
                if (found == places.end()) continue;
                b_is_claimed_[j] = true;
                for (const auto i : found->second) {
                    a_is_claimed_[i] = a_is_claimed_[i] || a_.set == ObjectSet::detections;
                    if (!add(i, j)) break;
                }
            }
        }
        take_closest(true);
    }

    /// An object with a name is paired by it, or by distance.
    void by_name()
    {
        std::array<std::unordered_map<std::string_view, std::vector<std::size_t>>, object_kind_count> by_kind;
        for (std::size_t i = 0; i != a_.objects.size(); ++i)
            if (const auto& object = a_.objects[i]; !object.name.empty())
                by_kind.at(static_cast<std::size_t>(object.kind))[object.name].push_back(i);
        for (std::size_t j = 0; j != b_.objects.size(); ++j) {
            const auto& object = b_.objects[j];
            if (object.name.empty()) continue;
            const auto& places = by_kind.at(static_cast<std::size_t>(object.kind));
            const auto found = places.find(object.name);
            if (found == places.end()) continue;
            for (const auto i : found->second)
                if (!add(i, j)) break;
        }
        take_closest(true);
    }

    void by_distance(double gate)
    {
        if (!(gate > 0)) return;
        const auto cell_of = [gate](const ComparedObject& object) {
            return Cell{static_cast<std::int64_t>(std::floor(object.position[0] / gate)),
                        static_cast<std::int64_t>(std::floor(object.position[1] / gate))};
        };
        std::vector<Placed> placed;
        for (std::size_t i = 0; i != a_.objects.size(); ++i)
            if (!matches_.of_a[i] && !a_is_claimed_[i]) placed.push_back({cell_of(a_.objects[i]), i});
        std::ranges::sort(placed);
        for (std::size_t j = 0; j != b_.objects.size(); ++j) {
            if (matches_.b_is_paired[j] || b_is_claimed_[j]) continue;
            const auto cell = cell_of(b_.objects[j]);
            for (auto x = cell.x - 1; x <= cell.x + 1; ++x) {  // a column of three cells is one range
                const auto first = std::ranges::lower_bound(placed, Cell{x, cell.y - 1}, {}, &Placed::cell);
                for (auto at = first; at != placed.end() && at->cell <= Cell{x, cell.y + 1}; ++at)
                    if (is_near(a_.objects[at->place], b_.objects[j], gate) && !add(at->place, j)) break;
            }
        }
        take_closest(false);
    }

    [[nodiscard]] Matches take() { return std::move(matches_); }

private:
    struct Cell {
        std::int64_t x = 0, y = 0;
        friend auto operator<=>(const Cell&, const Cell&) = default;
    };
    struct Placed {
        Cell cell;
        std::size_t place = 0;
        friend auto operator<=>(const Placed&, const Placed&) = default;
    };

    bool add(std::size_t a, std::size_t b)
    {
        if (candidates_.size() == most_candidates) {
            matches_.too_many = true;
            return false;
        }
        candidates_.push_back({squared_distance(a_.objects[a], b_.objects[b]), a, b});
        return true;
    }

    void take_closest(bool by_id)
    {
        std::ranges::sort(candidates_, [](const Candidate& x, const Candidate& y) { return x < y; });
        for (const auto& [distance, a, b] : candidates_) {
            if (matches_.of_a[a] || matches_.b_is_paired[b]) continue;
            matches_.of_a[a] = Match{b, by_id};
            matches_.b_is_paired[b] = true;
        }
        candidates_.clear();
    }

    Side a_, b_;
    // Their ground-truth id names an object of the other side.
    std::vector<bool> a_is_claimed_, b_is_claimed_;
    std::vector<Candidate> candidates_;
    Matches matches_;
};

}  // namespace

Matches pair_objects(const Side& a, const Side& b, double gate)
{
    Pairing pairing(a, b);
    pairing.by_name();
    pairing.by_id();
    pairing.by_distance(gate);
    return pairing.take();
}

}  // namespace ositrace::compare
