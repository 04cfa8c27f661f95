// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include <ositrace/error.hpp>
#include <ositrace/footprint.hpp>
#include <ositrace/traffic_relations.hpp>

#include "lib/traffic/near_pairs.hpp"
#include "lib/traffic/subject.hpp"
#include "lib/traffic/tables.hpp"

namespace ositrace::traffic {

namespace {

using Kind = TrafficColumnKind;

constexpr std::array interaction_columns{
    TrafficColumn{"frame", Kind::integer, "", "number of the frame in the trace"},
    TrafficColumn{"time", Kind::real, "s", "time of the frame"},
    TrafficColumn{"time_ns", Kind::integer, "ns", "the same"},
    TrafficColumn{"id", Kind::id, "", "the object: the host; of all pairs the follower, else the first in the message"},
    TrafficColumn{"name", Kind::text, "", "its name in the scenario (source_reference)"},
    TrafficColumn{"other_id", Kind::id, "", "the other object"},
    TrafficColumn{"other_name", Kind::text, "", "its name in the scenario"},
    TrafficColumn{
        "relation", Kind::word, "",
        "where the other one is: leader and follower (the nearest on the same path), ahead, behind, alongside, "
        "left_ahead, left_alongside, left_behind, right_ahead, right_alongside, right_behind (next lane), "
        "oncoming; null elsewhere"},
    TrafficColumn{"related_by", Kind::word, "",
                  "how the relation was found: lane (assigned lanes, chained by lane_pairing), else corridor (straight "
                  "ahead, as wide as the object)"},
    TrafficColumn{"gap", Kind::real, "m", "shortest distance of the footprints; 0 if they overlap"},
    TrafficColumn{
        "clearance", Kind::real, "m",
        "from the front surface of the follower to the rear surface of the leader, along the path (ISO 15622); "
        "null unless one follows the other"},
    TrafficColumn{"time_gap", Kind::real, "s",
                  "clearance / speed of the follower along the path (ISO 15622); null if it does not drive forwards"},
    TrafficColumn{"closing_speed", Kind::real, "m/s",
                  "speed of the follower minus speed of the leader, along the path; null unless one follows the other"},
    TrafficColumn{"ttc", Kind::real, "s", "clearance / closing_speed (ISO 15623); null if it does not close"},
    TrafficColumn{
        "ettc", Kind::real, "s",
        "the least t >= 0 with clearance = closing_speed * t + a * t^2 / 2, where a is the acceleration of the "
        "follower minus that of the leader along the path (ISO 15623, enhanced time to collision); null if "
        "there is none, or an acceleration is unknown"},
    TrafficColumn{"ttc_2d", Kind::real, "s",
                  "until the footprints touch if both keep velocity and heading (Westhofen et al. 2022); 0 if they "
                  "overlap; null if they never touch"},
    TrafficColumn{"drac", Kind::real, "m/s^2",
                  "closing_speed^2 / (2 * clearance): deceleration rate to avoid a crash; null if it does not close"},
    TrafficColumn{"speed", Kind::real, "m/s", "of the object, over ground"},
    TrafficColumn{"other_speed", Kind::real, "m/s", "of the other one, over ground"},
    TrafficColumn{
        "motion", Kind::word, "",
        "velocities and accelerations are stated in the trace, or derived (at least one is a difference to the "
        "frame before); null if a velocity is unknown"},
};
constexpr std::array interaction_options{
    TrafficOption{"host", TrafficOption::Kind::text, "ID|NAME", "",
                  "pairs of this object (default: the host vehicle; without one all pairs)"},
    TrafficOption{"all-pairs", TrafficOption::Kind::flag, "", "", "all pairs, although there is a host vehicle"},
    TrafficOption{"max-gap", TrafficOption::Kind::number, "M", "100", "pairs with a gap of at most M metres"},
};
constexpr std::array<std::string_view, 2> interaction_notes{
    "A row is a frame and a pair of objects with a gap of at most 100 m: those of the host vehicle, or all pairs, each",
    "once. Values that are undefined are empty: ttc of a pair that does not close, clearance of one beside the other."};
constexpr std::array<std::string_view, 4> interaction_examples{
    "interactions drive.osi -o pairs.csv", "interactions drive.osi --host Ego --json",
    "interactions recordings/ --all-pairs --max-gap 50 -o pairs.jsonl", "interactions drive.mcap | grep leader"};

/// A pair of a frame.
struct Pair {
    std::size_t a = 0, b = 0;
    PairRelation relation;
    double gap = 0;
};

/// As the other object sees it.
PairRelation turned_round(PairRelation relation) noexcept
{
    using Order = PairRelation::Order;
    if (relation.order != Order::alongside)
        relation.order = relation.order == Order::ahead ? Order::behind : Order::ahead;
    return relation;
}

TrafficCell word_of(const PairRelation& relation, bool nearest) noexcept
{
    using Side = PairRelation::Side;
    constexpr std::array<std::array<std::string_view, 3>, 3> words{
        {{"ahead", "alongside", "behind"},
         {"left_ahead", "left_alongside", "left_behind"},
         {"right_ahead", "right_alongside", "right_behind"}}};
    if (relation.side == Side::none) return {};
    if (relation.oncoming) return std::string_view("oncoming");
    const bool is_behind = relation.order == PairRelation::Order::behind;
    if (nearest) return std::string_view(is_behind ? "follower" : "leader");
    return words.at(static_cast<std::size_t>(relation.side)).at(static_cast<std::size_t>(relation.order));
}

TrafficCell motion_of(const TrafficObject& a, const TrafficObject& b) noexcept
{
    const std::array sources{a.velocity_source, a.acceleration_source, b.velocity_source, b.acceleration_source};
    if (sources[0] == MotionSource::none || sources[2] == MotionSource::none) return {};
    return std::string_view(std::ranges::find(sources, MotionSource::derived) == sources.end() ? "stated" : "derived");
}

class Interactions final : public TrafficMotionTable {
public:
    explicit Interactions(const TrafficOptions& options)
        : TrafficMotionTable({.names = true, .lanes = true, .map = true, .lights = false}),
          subject_(options.text("host")),
          all_(options.flag("all-pairs")),
          range_(options.number("max-gap"))
    {
        if (all_ && subject_.is_given()) throw Error(Cause::usage, "all-pairs and host exclude each other");
    }

    void finish(TrafficRowSink& rows) override
    {
        static_cast<void>(rows);
        subject_.check_found();
    }

protected:
    void add_rows(const TrafficFrame& frame, TrafficRowSink& rows) override
    {
        relations_.begin(frame);
        pairs_.clear();
        const auto footprints = relations_.footprints();
        if (const auto host = all_ ? std::nullopt : subject_.in(frame)) {
            for (std::size_t i = 0; i != footprints.size(); ++i)
                if (i != *host) add_pair(*host, i);
        } else if (all_ || !subject_.is_wanted(frame)) {
            near_.visit(footprints, range_, [&](std::size_t a, std::size_t b) { add_pair(a, b, true); });
        }
        find_nearest(frame.objects.size());
        for (const auto& pair : pairs_) put(frame, pair, rows);
    }

private:
    /// `turn`: the follower is the first of the pair.
    void add_pair(std::size_t a, std::size_t b, bool turn = false)
    {
        const auto &one = relations_.footprint(a), &other = relations_.footprint(b);
        if (!may_be_near(one, other, range_)) return;
        const double gap = shortest_way(one, other).length;
        if (!(gap <= range_)) return;
        const auto relation = relations_.between(a, b);
        if (turn && relation.motion && relation.order == PairRelation::Order::behind)
            pairs_.push_back({b, a, turned_round(relation), gap});
        else
            pairs_.push_back({a, b, relation, gap});
    }

    /// Of each object the nearest one ahead of it, and behind.
    void find_nearest(std::size_t objects)
    {
        constexpr double far = std::numeric_limits<double>::infinity();
        for (auto& side : nearest_) side.assign(objects, far);
        for (const auto& pair : pairs_) {
            if (!pair.relation.motion) continue;
            auto& least = nearest_[pair.relation.order == PairRelation::Order::behind ? 1 : 0][pair.a];
            least = std::min(least, pair.relation.motion->clearance);
        }
    }

    void put(const TrafficFrame& frame, const Pair& pair, TrafficRowSink& rows) const
    {
        const auto &a = frame.objects[pair.a], &b = frame.objects[pair.b];
        const auto &one = relations_.footprint(pair.a), &other = relations_.footprint(pair.b);
        const auto name = [](const TrafficObject& object) {
            return object.name.empty() ? TrafficCell() : TrafficCell(object.name);
        };
        const auto& motion = pair.relation.motion;
        const bool moves = a.velocity_source != MotionSource::none && b.velocity_source != MotionSource::none;
        const bool accelerates =
            a.acceleration_source != MotionSource::none && b.acceleration_source != MotionSource::none;
        const auto of_path = [&](auto measure, bool known) {
            return motion && known ? cell_of(measure(*motion)) : TrafficCell();
        };
        const bool nearest =
            motion && motion->clearance == nearest_[pair.relation.order == PairRelation::Order::behind ? 1 : 0][pair.a];
        const auto speed = [](const TrafficObject& object) {
            return object.velocity_source == MotionSource::none ? TrafficCell() : TrafficCell(object.speed());
        };
        rows.add(std::array<TrafficCell, interaction_columns.size()>{
            static_cast<std::int64_t>(frame.index),
            cell_of(frame.seconds()),
            cell_of(frame.nanoseconds()),
            a.id,
            name(a),
            b.id,
            name(b),
            word_of(pair.relation, nearest),
            std::string_view(pair.relation.basis == PairRelation::Basis::lane ? "lane" : "corridor"),
            pair.gap,
            motion ? TrafficCell(motion->clearance) : TrafficCell(),
            of_path(time_gap_of, moves),
            motion && moves ? TrafficCell(motion->closing_speed) : TrafficCell(),
            of_path(time_to_collision_of, moves),
            of_path(enhanced_time_to_collision_of, moves && accelerates),
            moves ? cell_of(time_to_contact(one, other)) : TrafficCell(),
            of_path(required_deceleration_of, moves),
            speed(a),
            speed(b),
            motion_of(a, b)});
    }

    Subject subject_;
    bool all_;
    double range_;
    TrafficRelations relations_;
    NearPairs near_;
    std::vector<Pair> pairs_;
    std::array<std::vector<double>, 2> nearest_;  ///< ahead, behind; by object
};

}  // namespace

const TrafficTableRow interactions_table{
    .name = "interactions",
    .summary = "distances and times to collision of pairs of objects, as a table",
    .columns = interaction_columns,
    .options = interaction_options,
    .reads = TrafficReader::reads,
    .create = [](const TrafficOptions& options) -> std::unique_ptr<TrafficTable> {
        return std::make_unique<Interactions>(options);
    },
    .notes = interaction_notes,
    .examples = interaction_examples,
};

}  // namespace ositrace::traffic
