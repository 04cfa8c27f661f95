// SPDX-License-Identifier: MPL-2.0
#include "lib/traffic/swept_path.hpp"

#include <algorithm>
#include <cmath>

#include "lib/traffic/moment.hpp"

namespace ositrace::traffic {

namespace {

constexpr double contact = 1e-4;  // m: a smaller overlap is none
/// Between two samples it is looked at so often: it could touch in the middle only.
constexpr int looks = 4;

}  // namespace

std::optional<SweptPath::Piece> SweptPath::add(const PathSample& sample, bool continues)
{
    if (!continues) {
        begins_ = true;
        open_ = forgotten_ + samples_.size();
    }
    samples_.push_back(sample);
    const auto last = forgotten_ + samples_.size() - 1;
    const auto* const from = this->sample(open_);
    if (last == open_ || from == nullptr) return std::nullopt;
    const double time = seconds(sample.time - from->time);
    const bool has_moved = norm(sample.pose.centre - from->pose.centre) >= piece_length;
    if (time < (has_moved ? piece_time : longest_piece_time)) return std::nullopt;
    Piece piece{open_, last, from->time, sample.time, begins_, Convex(from->pose, sample.pose)};
    open_ = last;
    begins_ = false;
    return piece;
}

void SweptPath::forget_before(Nanoseconds time)
{
    while (samples_.size() > 1 && samples_[1].time < time && forgotten_ < open_) {
        samples_.pop_front();
        ++forgotten_;
    }
}

const PathSample* SweptPath::sample(std::size_t number) const noexcept
{
    return number < forgotten_ || number - forgotten_ >= samples_.size() ? nullptr : &samples_[number - forgotten_];
}

std::optional<PathSample> SweptPath::at(Nanoseconds time) const
{
    const auto after = std::ranges::lower_bound(samples_, time, {}, &PathSample::time);
    if (after == samples_.end() || (after == samples_.begin() && after->time != time)) return std::nullopt;
    if (after->time == time) return *after;
    const auto& before = *std::prev(after);
    const double part = seconds(time - before.time) / seconds(after->time - before.time);
    return PathSample{time, after->frame, between(before.pose, after->pose, part),
                      before.velocity + part * (after->velocity - before.velocity)};
}

SweptPath::Area SweptPath::area_of(const Piece& piece) const
{
    Area area;
    for (auto number = piece.first; number < piece.last; ++number)
        if (const auto *const one = sample(number), *const next = sample(number + 1); one != nullptr && next != nullptr)
            area.emplace_back(one->pose, next->pose);
    return area;
}

bool SweptPath::touches(Nanoseconds time, const Area& area) const
{
    const auto sample = at(time);
    if (!sample) return false;
    const Convex now(sample->pose);
    return std::ranges::any_of(area, [&](const Convex& part) { return overlap_depth(now, part) > contact; });
}

Nanoseconds SweptPath::edge(Nanoseconds touching, Nanoseconds apart, const Area& area) const
{
    constexpr Nanoseconds exact{1000};
    while (std::chrono::abs(apart - touching) > exact) {
        const auto middle = between(touching, apart, 0.5);
        (touches(middle, area) ? touching : apart) = middle;
    }
    return touching;
}

std::optional<Nanoseconds> SweptPath::first_contact(const Piece& piece, const Area& area) const
{
    auto apart = piece.from;
    for (auto number = piece.first; number <= piece.last; ++number) {
        const auto *const one = sample(number), *const next = sample(std::min(number + 1, piece.last));
        if (one == nullptr || next == nullptr) continue;
        for (int look = 0; look != looks; ++look) {
            const auto time = between(one->time, next->time, static_cast<double>(look) / looks);
            if (touches(time, area)) return time == piece.from ? time : edge(time, apart, area);
            apart = time;
        }
    }
    return std::nullopt;
}

std::optional<Nanoseconds> SweptPath::last_contact(const Piece& piece, const Area& area) const
{
    auto apart = piece.to;
    for (auto number = piece.last + 1; number-- > piece.first;) {
        const auto *const one = sample(number), *const before = sample(std::max(number, piece.first + 1) - 1);
        if (one == nullptr || before == nullptr) continue;
        for (int look = 0; look != looks; ++look) {
            const auto time = between(one->time, before->time, static_cast<double>(look) / looks);
            if (touches(time, area)) return time == piece.to ? time : edge(time, apart, area);
            apart = time;
        }
    }
    return std::nullopt;
}

std::optional<Nanoseconds> SweptPath::last_contact_before(Nanoseconds time, const Area& area) const
{
    if (touches(time, area)) return std::nullopt;
    auto apart = time;
    const auto end = std::ranges::lower_bound(samples_, time, {}, &PathSample::time);
    for (auto at = end; at != samples_.begin();) {
        const auto& one = *--at;
        const auto& before = at == samples_.begin() ? one : *std::prev(at);
        for (int look = 0; look != looks; ++look) {
            const auto when = between(one.time, before.time, static_cast<double>(look) / looks);
            if (touches(when, area)) return edge(when, apart, area);
            apart = when;
        }
    }
    return std::nullopt;
}

PieceGrid::Cells PieceGrid::cells_of(const Convex& shape) noexcept
{
    constexpr double most = 1e9;
    const auto cell = [=](double at) {
        return static_cast<std::int64_t>(std::floor(std::clamp(at / cell_size, -most, most)));
    };
    Cells cells{cell(shape.least().x), cell(shape.most().x), cell(shape.least().y), cell(shape.most().y)};
    const auto limit = [](std::int64_t& from, std::int64_t& to) {
        if (const auto count = to - from; count >= most_cells) {
            const auto middle = from + count / 2;
            from = middle - most_cells / 2;
            to = middle + most_cells / 2;
        }
    };
    limit(cells.x0, cells.x1);
    limit(cells.y0, cells.y1);
    return cells;
}

void PieceGrid::add(std::size_t slot, const SweptPath::Piece& piece)
{
    const auto cells = cells_of(piece.swept);
    for (auto x = cells.x0; x <= cells.x1; ++x)
        for (auto y = cells.y0; y <= cells.y1; ++y) cells_[key_of(x, y)].push_back({slot, piece});
}

void PieceGrid::forget_before(Nanoseconds time)
{
    for (auto& [key, entries] : cells_)
        std::erase_if(entries, [&](const Entry& entry) { return entry.piece.to < time; });
    std::erase_if(cells_, [](const auto& cell) { return cell.second.empty(); });
}

}  // namespace ositrace::traffic
