// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <cmath>

#include "lib/traffic/match_source.hpp"
#include "lib/traffic/tables.hpp"

namespace ositrace::traffic {

namespace {

using MatchKind = TrafficColumnKind;

constexpr std::array match_columns{
    TrafficColumn{"frame", MatchKind::integer, "", "number of the SensorData in the trace"},
    TrafficColumn{"time", MatchKind::real, "s", "its time"},
    TrafficColumn{"time_ns", MatchKind::integer, "ns", "the same"},
    TrafficColumn{"measurement_time", MatchKind::real, "s",
                  "when was measured: measurement_time of moving_object_header, else last_measurement_time, else "
                  "timestamp"},
    TrafficColumn{
        "truth_time", MatchKind::real, "s",
        "time of the ground truth: that of its own sensor_view, else the message nearest to measurement_time"},
    TrafficColumn{"match", MatchKind::word, "",
                  "pair, missed (of the ground truth alone), ghost (of the detections alone)"},
    TrafficColumn{"paired_by", MatchKind::word, "",
                  "of a pair: id (ground_truth_id of the detection) or gate (distance)"},
    TrafficColumn{"object", MatchKind::word, "", "moving or stationary"},
    TrafficColumn{"id", MatchKind::id, "", "of the object of the ground truth; null of a ghost"},
    TrafficColumn{"type", MatchKind::word, "", "its type"},
    TrafficColumn{"detected_id", MatchKind::id, "", "tracking id of the detection; null of a missed object"},
    TrafficColumn{"detected_type", MatchKind::word, "", "type of its most probable candidate"},
    TrafficColumn{"range", MatchKind::real, "m",
                  "from the sensor to the object of the ground truth, of a ghost to the detection"},
    TrafficColumn{"azimuth", MatchKind::real, "rad", "of it, from the axis of the sensor to the left"},
    TrafficColumn{"distance", MatchKind::real, "m", "horizontal distance of the centres"},
    TrafficColumn{"dx", MatchKind::real, "m", "how far the detection is ahead, along the heading of the object"},
    TrafficColumn{"dy", MatchKind::real, "m", "how far it is to the left"},
    TrafficColumn{"dz", MatchKind::real, "m", "how far it is above"},
    TrafficColumn{"dyaw", MatchKind::real, "rad", "how far it is turned to the left, in (-pi, pi]"},
    TrafficColumn{"dv", MatchKind::real, "m/s", "length of the difference of the velocities over ground"},
    TrafficColumn{"dlength", MatchKind::real, "m", "how much longer it is"},
    TrafficColumn{"dwidth", MatchKind::real, "m", "how much wider it is"},
    TrafficColumn{"dheight", MatchKind::real, "m", "how much higher it is"},
};
constexpr std::array<std::string_view, 3> match_notes{
    "A row is a pair of an object and its detection, a missed object or a ghost, as the panel Compare of osiview pairs",
    "them. The ground truth is that of the sensor_view in a SensorData, else of a channel beside it ('osiconvert "
    "convert",
    "truth.osi detections.osi -o both.mcap' merges two files)."};
constexpr std::array<std::string_view, 2> match_examples{"matches both.mcap -o matches.csv",
                                                         "matches both.mcap --gate 3 --max-range 150 --json"};

std::optional<double> in_seconds(const std::optional<Nanoseconds>& time)
{
    return time ? std::optional(static_cast<double>(time->count()) / 1e9) : std::nullopt;
}

class Matches final : public TrafficTable {
public:
    explicit Matches(const TrafficOptions& options) : source_(options) {}

    void add(const Frame& frame, const Channel& channel, TrafficRowSink& rows) override
    {
        source_.add(frame, channel, [&](const MatchedMoment& moment) { put(moment, rows); });
    }
    void finish(TrafficRowSink& rows) override
    {
        source_.finish([&](const MatchedMoment& moment) { put(moment, rows); });
    }
    [[nodiscard]] std::vector<std::string> notes() const override { return source_.notes(); }

private:
    static void put(const MatchedMoment& moment, TrafficRowSink& rows)
    {
        for (const auto& pair : moment.compared.pairs) put_row(moment, &pair.a, &pair.b, &pair, rows);
        for (const auto& missed : moment.compared.missed) put_row(moment, &missed, nullptr, nullptr, rows);
        for (const auto& ghost : moment.compared.ghosts) put_row(moment, nullptr, &ghost, nullptr, rows);
    }

    static void put_row(const MatchedMoment& moment, const ComparedObject* truth, const ComparedObject* detected,
                        const ObjectPair* pair, TrafficRowSink& rows)
    {
        const auto& shown = truth != nullptr ? *truth : *detected;
        const auto word = [](std::string_view text) { return text.empty() ? TrafficCell() : TrafficCell(text); };
        const auto id = [](const ComparedObject* object) {
            return object != nullptr && object->has_id ? TrafficCell(object->id) : TrafficCell();
        };
        const auto type = [&](const ComparedObject* object) {
            return object != nullptr ? word(object->type) : TrafficCell();
        };
        const auto error = [&](ObjectError which) { return pair ? TrafficCell(pair->errors[which]) : TrafficCell(); };
        rows.add(std::array<TrafficCell, match_columns.size()>{
            static_cast<std::int64_t>(moment.frame),
            cell_of(in_seconds(moment.time)),
            moment.time ? TrafficCell(std::int64_t{moment.time->count()}) : TrafficCell(),
            cell_of(in_seconds(moment.measured)),
            cell_of(in_seconds(moment.truth)),
            std::string_view(pair    ? "pair"
                             : truth ? "missed"
                                     : "ghost"),
            pair ? word(pair->by_id ? "id" : "gate") : TrafficCell(),
            std::string_view(shown.kind == ObjectKind::moving ? "moving" : "stationary"),
            id(truth),
            type(truth),
            id(detected),
            type(detected),
            shown.range,
            shown.azimuth,
            error(ObjectError::distance),
            error(ObjectError::longitudinal),
            error(ObjectError::lateral),
            error(ObjectError::vertical),
            error(ObjectError::yaw),
            error(ObjectError::velocity),
            error(ObjectError::length),
            error(ObjectError::width),
            error(ObjectError::height)});
    }

    MatchSource source_;
};

}  // namespace

const TrafficTableRow matches_table{
    .name = "matches",
    .summary = "detections against ground truth: pairs with their errors, missed objects, ghosts",
    .columns = match_columns,
    .options = match_options(),
    .operand = {},
    .reads = [](const Channel& channel) { return has_objects(channel, ObjectSet::detections) && channel.root; },
    .also_reads = TrafficReader::reads,
    .create = [](const TrafficOptions& options) -> std::unique_ptr<TrafficTable> {
        return std::make_unique<Matches>(options);
    },
    .notes = match_notes,
    .examples = match_examples,
};

}  // namespace ositrace::traffic
