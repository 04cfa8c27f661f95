// SPDX-License-Identifier: MPL-2.0
#include <ositrace/compare_boundaries.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include <ositrace/count_text.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>

#include "lib/picture/fields.hpp"
#include "lib/picture/host_pose.hpp"
#include "lib/picture/moment_sources.hpp"
#include "lib/picture/placement.hpp"

namespace ositrace {

namespace {

using picture::Vector;

constexpr std::size_t most_points = 1'000'000;        // of a side
constexpr std::size_t most_places = 100'000;          // of B
constexpr std::uint64_t most_distances = 20'000'000;  // that are computed

/// A boundary in the frame that the two sides share: x ahead, y to the left; z is the height in global coordinates.
struct FlatBoundary {
    std::uint64_t id = 0;
    bool has_id = true;
    std::uint32_t place = 0;
    std::vector<Vector> points;
};

/// The inverse of a placement: global coordinates to those of a frame.
class LocalFrame {
public:
    explicit LocalFrame(const picture::Placement& placement)
        : origin_(placement.to_picture({})), axes_{placement.turn(Vector{1, 0, 0}), placement.turn(Vector{0, 1, 0})}
    {
        // Seen from above: the axes lie in the plane.
        const auto length = std::hypot(axes_[0].x, axes_[0].y);
        if (length > 0) axes_[0] = {axes_[0].x / length, axes_[0].y / length, 0};
        axes_[1] = {-axes_[0].y, axes_[0].x, 0};
    }
    [[nodiscard]] Vector to_local(Vector global) const noexcept
    {
        const auto x = global.x - origin_.x, y = global.y - origin_.y;
        return {x * axes_[0].x + y * axes_[0].y, x * axes_[1].x + y * axes_[1].y, global.z};
    }
    [[nodiscard]] std::array<double, 3> to_global(Vector local) const noexcept
    {
        return {origin_.x + local.x * axes_[0].x + local.y * axes_[1].x,
                origin_.y + local.x * axes_[0].y + local.y * axes_[1].y, local.z};
    }

private:
    Vector origin_;
    std::array<Vector, 2> axes_;
};

std::vector<FlatBoundary> boundaries_in(const MessageView& parent, const picture::Placement& placement,
                                        std::string_view id_field, std::size_t& left_out)
{
    std::vector<FlatBoundary> boundaries;
    const auto* const row = picture::repeated_messages(parent.table(), "lane_boundary");
    if (row == nullptr) return boundaries;
    std::size_t points = 0;
    std::uint32_t place = 0;
    parent.for_each_element(*row, [&](const Value& value) {
        const auto& message = std::get<MessageView>(value);
        auto& boundary = boundaries.emplace_back();
        boundary.place = place++;
        auto id = picture::id_in(message, "id");
        if (const auto header = id_field.empty() ? std::nullopt : picture::message_in(message, "header"))
            id = picture::id_in(*header, id_field);
        boundary.has_id = id.has_value();
        boundary.id = id.value_or(boundary.place);
        const auto* const line = picture::repeated_messages(message.table(), "boundary_line");
        if (line == nullptr) return true;
        message.for_each_element(*line, [&](const Value& element) {
            const auto position = picture::vector_in(std::get<MessageView>(element), "position");
            constexpr double not_set = std::numeric_limits<double>::quiet_NaN();
            const auto global = position ? placement.to_picture(*position) : Vector{not_set, not_set, not_set};
            if (picture::is_place(global))
                boundary.points.push_back(global);
            else
                ++left_out;
            return ++points < most_points;
        });
        return points < most_points;
    });
    return boundaries;
}

struct Piece {
    Vector from, to;
    std::uint32_t boundary = 0;
    bool is_first = false, is_last = false;  ///< of its boundary
};

/// The pieces of the boundaries of A, by cells of the plane that are as wide as the gate.
class PieceGrid {
public:
    PieceGrid(const std::vector<FlatBoundary>& boundaries, double gate, Vector least, Vector most) : cell_(gate)
    {
        for (const auto& boundary : boundaries) {
            for (std::size_t i = 0; i + 1 < boundary.points.size(); ++i) {
                const auto &from = boundary.points[i], &to = boundary.points[i + 1];
                if (std::max(from.x, to.x) < least.x - gate || std::min(from.x, to.x) > most.x + gate ||
                    std::max(from.y, to.y) < least.y - gate || std::min(from.y, to.y) > most.y + gate)
                    continue;
                pieces_.push_back({from, to, boundary.place, i == 0, i + 2 == boundary.points.size()});
                // A long piece is in many cells: of the part that is near B.
                for_cells(clamped(from, least, most, gate), clamped(to, least, most, gate), [&](std::int64_t key) {
                    cells_[key].push_back(static_cast<std::uint32_t>(pieces_.size() - 1));
                });
                if (entries_ > most_distances) return;
            }
        }
    }
    [[nodiscard]] bool is_full() const noexcept { return entries_ > most_distances; }

    struct Nearest {
        double distance = 0;  ///< without sign
        double lateral = 0;
        std::uint32_t boundary = 0;
    };
    std::optional<Nearest> nearest(Vector place, std::uint64_t& computed) const
    {
        std::optional<Nearest> found;
        const auto column = index(place.x), line = index(place.y);
        for (std::int64_t x = column - 1; x <= column + 1; ++x) {
            for (std::int64_t y = line - 1; y <= line + 1; ++y) {
                const auto cell = cells_.find(key(x, y));
                if (cell == cells_.end()) continue;
                for (const auto each : cell->second) {
                    ++computed;
                    const auto here = measured(place, pieces_[each]);
                    if (here && here->distance <= cell_ && (!found || here->distance < found->distance)) found = here;
                }
            }
        }
        return found;
    }

private:
    /// Empty: the place is past the end of the boundary, where a distance to the side has no meaning.
    static std::optional<Nearest> measured(Vector place, const Piece& piece)
    {
        constexpr double most_past = 0.5;  // m
        const auto x = piece.to.x - piece.from.x, y = piece.to.y - piece.from.y;
        const auto squared = x * x + y * y;
        const auto px = place.x - piece.from.x, py = place.y - piece.from.y;
        auto share = squared > 0 ? (px * x + py * y) / squared : 0;
        const bool is_past = (share < 0 && piece.is_first) || (share > 1 && piece.is_last);
        if (is_past && (share < 0 ? -share : share - 1) * std::sqrt(squared) > most_past) return std::nullopt;
        if (!is_past) share = std::clamp(share, 0.0, 1.0);
        const auto away_x = px - share * x, away_y = py - share * y;
        const auto distance = std::hypot(away_x, away_y);
        // To the left of the line as one looks ahead, whichever way its points run.
        const auto side = x * away_y - y * away_x;
        const bool runs_back = x < 0 || (x == 0 && y < 0);
        return Nearest{distance, (side < 0) == runs_back ? distance : -distance, piece.boundary};
    }
    static Vector clamped(Vector place, Vector least, Vector most, double gate)
    {
        return {std::clamp(place.x, least.x - gate, most.x + gate), std::clamp(place.y, least.y - gate, most.y + gate),
                0};
    }
    [[nodiscard]] std::int64_t index(double value) const
    {
        return static_cast<std::int64_t>(std::floor(value / cell_));
    }
    static std::int64_t key(std::int64_t x, std::int64_t y) { return x * 4'294'967'291 + y; }
    void for_cells(Vector a, Vector b, const auto& visit)
    {
        for (auto x = index(std::min(a.x, b.x)); x <= index(std::max(a.x, b.x)); ++x)
            for (auto y = index(std::min(a.y, b.y)); y <= index(std::max(a.y, b.y)); ++y) {
                if (++entries_ > most_distances) return;
                visit(key(x, y));
            }
    }

    double cell_;
    std::vector<Piece> pieces_;
    std::unordered_map<std::int64_t, std::vector<std::uint32_t>> cells_;
    std::uint64_t entries_ = 0;
};

/// The points of a boundary, and places between them that are at most a step apart; each with the length around it.
std::vector<std::pair<Vector, double>> places_along(const FlatBoundary& boundary, double step, std::size_t most)
{
    std::vector<std::pair<Vector, double>> places;
    for (std::size_t i = 0; i != boundary.points.size() && places.size() < most; ++i) {
        const auto& from = boundary.points[i];
        places.emplace_back(from, 0);
        if (i + 1 == boundary.points.size()) break;
        const auto& to = boundary.points[i + 1];
        const auto length = std::hypot(to.x - from.x, to.y - from.y);
        const auto parts = std::min(std::max(1.0, std::ceil(length / step)), static_cast<double>(most));
        for (double k = 1; k < parts && places.size() < most; ++k)
            places.emplace_back(from + (k / parts) * (to - from), 0);
    }
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
        const auto half =
            std::hypot(places[i + 1].first.x - places[i].first.x, places[i + 1].first.y - places[i].first.y) / 2;
        places[i].second += half;
        places[i + 1].second += half;
    }
    return places;
}

/// Returns the place of the largest error; without one, the middle.
std::size_t sum_up(BoundaryComparison& result, const FlatBoundary& boundary, std::span<const BoundaryPlace> places)
{
    std::size_t largest = places.size() / 2;
    ComparedBoundary sum;
    sum.id = boundary.id;
    sum.has_id = boundary.has_id;
    sum.place = boundary.place;
    sum.from = std::numeric_limits<double>::infinity();
    sum.to = -sum.from;
    for (std::size_t i = 0; i != places.size(); ++i) {
        const auto& each = places[i];
        sum.from = std::min(sum.from, each.ahead);
        sum.to = std::max(sum.to, each.ahead);
        if (std::isnan(each.lateral)) {
            sum.unmatched += each.length;
            continue;
        }
        sum.matched += each.length;
        sum.mean += each.length * each.lateral;
        sum.mean_absolute += each.length * std::abs(each.lateral);
        if (std::abs(each.lateral) > std::abs(sum.largest)) {
            largest = i;
            sum.largest = each.lateral;
            sum.largest_ahead = each.ahead;
        }
    }
    result.matched += sum.matched;
    result.unmatched += sum.unmatched;
    if (!(result.mean_absolute > 0)) result.mean_absolute = 0;
    result.mean_absolute += sum.mean_absolute;
    sum.mean = sum.matched > 0 ? sum.mean / sum.matched : std::numeric_limits<double>::quiet_NaN();
    sum.mean_absolute = sum.matched > 0 ? sum.mean_absolute / sum.matched : sum.mean;
    result.boundaries.push_back(sum);
    return largest;
}

BoundaryComparison measured(const std::array<std::vector<FlatBoundary>, 2>& sides, const LocalFrame& frame,
                            const BoundaryCompareOptions& options)
{
    constexpr double far = std::numeric_limits<double>::infinity();
    BoundaryComparison result;
    result.counts = {sides[0].size(), sides[1].size()};
    Vector least{far, far, 0}, most{-far, -far, 0};
    for (const auto& boundary : sides[1])
        for (const auto& point : boundary.points) {
            least = {std::min(least.x, point.x), std::min(least.y, point.y), 0};
            most = {std::max(most.x, point.x), std::max(most.y, point.y), 0};
        }
    if (!(least.x <= most.x)) return result;
    const PieceGrid grid(sides[0], options.gate, least, most);
    std::uint64_t computed = 0;
    bool is_cut = grid.is_full();
    for (const auto& boundary : sides[1]) {
        const auto first = result.places.size();
        const auto along = places_along(boundary, options.step, most_places - first);
        for (const auto& [place, length] : along) {
            auto& to = result.places.emplace_back();
            to.ahead = place.x;
            to.aside = place.y;
            to.b = boundary.place;
            to.length = length;
            to.lateral = std::numeric_limits<double>::quiet_NaN();
            const auto nearest = computed > most_distances ? std::nullopt : grid.nearest(place, computed);
            if (!nearest) continue;
            to.lateral = nearest->lateral;
            to.a = nearest->boundary;
        }
        if (along.empty()) continue;
        const auto largest = sum_up(result, boundary, std::span(result.places).subspan(first));
        result.boundaries.back().largest_place = frame.to_global(along[largest].first);
    }
    is_cut = is_cut || computed > most_distances || result.places.size() >= most_places;
    if (is_cut) result.notes.emplace_back("the boundaries have too many points: not all are compared");
    result.mean_absolute =
        result.matched > 0 ? result.mean_absolute / result.matched : std::numeric_limits<double>::quiet_NaN();
    return result;
}

}  // namespace

bool has_lane_boundaries(const Channel& channel, ObjectSet set) noexcept
{
    if (channel.root == nullptr || !channel.type) return false;
    const auto type = *channel.type;
    if (type == MessageType::sensor_data) return true;
    return set == ObjectSet::ground_truth && (type == MessageType::ground_truth || type == MessageType::sensor_view);
}

void check_lane_boundaries(const std::array<std::shared_ptr<const Channel>, 2>& channels,
                           const std::array<ObjectSet, 2>& sets)
{
    for (std::size_t side = 0; side != 2; ++side)
        if (!has_lane_boundaries(*channels[side], sets[side]))
            throw Error(Cause::usage, "found messages of type '" + channels[side]->type_name + "' in '" +
                                          channels[side]->topic +
                                          "' (expected GroundTruth, SensorView or SensorData to compare boundaries)");
}

BoundaryComparison compare_boundaries(const std::array<std::shared_ptr<const Channel>, 2>& channels,
                                      const std::array<ObjectSet, 2>& sets, const ComparedMessage& a,
                                      const ComparedMessage& b, const BoundaryCompareOptions& options)
{
    check_lane_boundaries(channels, sets);
    const std::array<const ComparedMessage*, 2> messages{&a, &b};
    std::array<PictureSource, 2> sources;
    for (std::size_t side = 0; side != 2; ++side)
        sources[side] = {
            .frame = messages[side]->frame, .channel = channels[side].get(), .statics = messages[side]->statics};
    const picture::MomentSources moment(sources);
    const picture::Placement global(Vector{});
    std::optional<picture::Placement> reference;
    std::array<std::vector<FlatBoundary>, 2> sides;
    std::vector<std::string> notes;
    for (std::size_t i = 0; i != 2; ++i) {
        const auto side = 1 - i;  // B first: its sensor gives the directions
        const auto source = std::ranges::find(moment.open, side, &picture::OpenSource::place);
        if (source == moment.open.end() || !source->root) throw Error(Cause::malformed, "the message cannot be read");
        const auto name = side == 0 ? std::string("A") : std::string("B");
        std::size_t left_out = 0;
        try {
            const auto host = moment.host_of(*source);
            if (host && !reference) reference = picture::vehicle_frame(global, *host);
            if (sets[side] == ObjectSet::ground_truth) {
                const auto truth = std::ranges::find(moment.truths, side, &picture::GroundTruth::source);
                if (truth == moment.truths.end()) {
                    notes.push_back(name + " has no ground truth");
                    continue;
                }
                sides[side] = boundaries_in(truth->view, global, {}, left_out);
                if (sides[side].empty() && truth->statics)
                    sides[side] = boundaries_in(*truth->statics, global, {}, left_out);
            } else {
                if (!host)
                    throw Error(Cause::mismatch,
                                "the pose of the host is unknown: the detections cannot be transformed "
                                "to global coordinates (expected host_vehicle_id in a ground truth, or "
                                "host_vehicle_location)");
                const auto vehicle = picture::vehicle_frame(global, *host);
                const auto mounting = picture::message_in(*source->root, "mounting_position");
                const auto pose = mounting ? picture::pose_of(*mounting) : std::nullopt;
                if (!pose)
                    notes.push_back(name + ": the sensor has no valid mounting position, so the rear axle is used");
                const auto sensor = pose ? vehicle.mounted(*pose) : vehicle;
                reference = sensor;
                sides[side] = boundaries_in(*source->root, sensor, "tracking_id", left_out);
            }
        } catch (const Error& error) {
            throw is_damage(error) ? within_frame(error, *messages[side]->frame, {}) : error;
        }
        if (left_out != 0)
            notes.push_back(name + ": " + count_text(left_out, "point") + " without a valid place " +
                            is_or_are(left_out) + " left out");
    }
    if (!reference) {
        notes.emplace_back("the pose of the host is unknown: ahead is the x axis of the global coordinates");
        reference = global;
    }
    const LocalFrame frame(*reference);
    for (auto& side : sides)
        for (auto& boundary : side)
            for (auto& point : boundary.points) point = frame.to_local(point);
    auto result = measured(sides, frame, options);
    result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
    return result;
}

}  // namespace ositrace
