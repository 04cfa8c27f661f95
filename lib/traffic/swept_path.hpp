// SPDX-License-Identifier: MPL-2.0
// What an object sweeps over the ground, piece by piece.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include <ositrace/frame.hpp>

#include "lib/traffic/plane.hpp"

namespace ositrace::traffic {

struct PathSample {
    Nanoseconds time{};
    std::uint64_t frame = 0;
    Pose pose;
    Vec2 velocity;
};

/// The path of one object in a window of time; between two samples it moves on a straight line at constant speed.
class SweptPath {
public:
    /// A piece ends after this time when the object has moved this far, and after the longest time.
    static constexpr double piece_length = 0.5;                           // m
    static constexpr double piece_time = 0.25, longest_piece_time = 0.5;  // s

    struct Piece {
        std::size_t first = 0, last = 0;  ///< numbers of samples, counted from the first one of the object
        Nanoseconds from{}, to{};
        bool is_begin = false;  ///< the object was not seen before it
        Convex swept{Pose{}};   ///< from the first to the last sample
    };
    /// What a piece covers, from sample to sample.
    using Area = std::vector<Convex>;

    std::uint64_t id = 0;

    /// Returns the piece that the sample completes. `continues`: it was seen in the moment before.
    [[nodiscard]] std::optional<Piece> add(const PathSample& sample, bool continues);
    void forget_before(Nanoseconds time);
    /// Empty outside of what is remembered.
    [[nodiscard]] std::optional<PathSample> at(Nanoseconds time) const;
    [[nodiscard]] const PathSample* sample(std::size_t number) const noexcept;
    [[nodiscard]] const std::deque<PathSample>& samples() const noexcept { return samples_; }

    [[nodiscard]] Area area_of(const Piece& piece) const;
    /// When it first, or last, overlaps the area while it sweeps the piece; empty if it does not.
    [[nodiscard]] std::optional<Nanoseconds> first_contact(const Piece& piece, const Area& area) const;
    [[nodiscard]] std::optional<Nanoseconds> last_contact(const Piece& piece, const Area& area) const;
    /// When it last overlaps the area before `time`; empty if it does so at `time`, or never.
    [[nodiscard]] std::optional<Nanoseconds> last_contact_before(Nanoseconds time, const Area& area) const;

private:
    [[nodiscard]] bool touches(Nanoseconds time, const Area& area) const;
    /// Between a time at which it touches and one at which it does not.
    [[nodiscard]] Nanoseconds edge(Nanoseconds touching, Nanoseconds apart, const Area& area) const;

    std::deque<PathSample> samples_;
    std::size_t forgotten_ = 0;
    std::size_t open_ = 0;  ///< number of the first sample of the piece that is not complete
    bool begins_ = true;
};

/// The pieces of all paths in a window of time, by place.
class PieceGrid {
public:
    struct Entry {
        std::size_t slot = 0;
        SweptPath::Piece piece;
    };
    void add(std::size_t slot, const SweptPath::Piece& piece);
    /// Each at least once.
    template <class Visit>
    void for_each_near(const Convex& shape, const Visit& visit) const;
    void forget_before(Nanoseconds time);

private:
    static constexpr double cell_size = 10;  // m
    /// A larger shape is in the cells around its middle only; so a hostile size costs no memory.
    static constexpr std::int64_t most_cells = 10;
    struct Cells {
        std::int64_t x0 = 0, x1 = 0, y0 = 0, y1 = 0;
    };
    [[nodiscard]] static Cells cells_of(const Convex& shape) noexcept;
    [[nodiscard]] static std::uint64_t key_of(std::int64_t x, std::int64_t y) noexcept
    {
        return static_cast<std::uint64_t>(x) << 32 ^ (static_cast<std::uint64_t>(y) & 0xffffffffU);
    }
    std::unordered_map<std::uint64_t, std::vector<Entry>> cells_;
};

template <class Visit>
void PieceGrid::for_each_near(const Convex& shape, const Visit& visit) const
{
    const auto cells = cells_of(shape);
    for (auto x = cells.x0; x <= cells.x1; ++x)
        for (auto y = cells.y0; y <= cells.y1; ++y)
            if (const auto found = cells_.find(key_of(x, y)); found != cells_.end())
                for (const auto& entry : found->second) visit(entry);
}

}  // namespace ositrace::traffic
