// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "lib/traffic/encounters.hpp"
#include "lib/traffic/moment_builder.hpp"
#include "lib/traffic/tables.hpp"

namespace ositrace::traffic {

namespace {

using Kind = TrafficColumnKind;

constexpr std::array encounter_columns{
    TrafficColumn{"frame", Kind::integer, "", "number of the first frame at or after the entry of the second"},
    TrafficColumn{"time", Kind::real, "s", "OSI time at which the second enters the conflict area"},
    TrafficColumn{"first", Kind::id, "", "id of the object that enters first"},
    TrafficColumn{"first_name", Kind::word, "", "its name in the scenario"},
    TrafficColumn{"second", Kind::id, "", "id of the other one"},
    TrafficColumn{"second_name", Kind::word, "", "its name in the scenario"},
    TrafficColumn{"kind", Kind::word, "", "crossing, or merging: they go on along one path"},
    TrafficColumn{"pet", Kind::real, "s",
                  "post-encroachment time: entry of the second - exit of the first; null if the second enters before"},
    TrafficColumn{"first_enters", Kind::real, "s", "when the first enters the conflict area"},
    TrafficColumn{"first_leaves", Kind::real, "s",
                  "when it leaves it; of merging the place at which the second enters"},
    TrafficColumn{"second_leaves", Kind::real, "s", "when the second leaves it; null of merging"},
    TrafficColumn{"x", Kind::real, "m", "place of the second as it enters"},
    TrafficColumn{"y", Kind::real, "m", "place of the second as it enters"},
    TrafficColumn{"angle", Kind::real, "rad", "heading of the second as it enters - heading of the first there"},
    TrafficColumn{"least_gap", Kind::real, "m", "least distance of the footprints at one time"},
    TrafficColumn{"least_gap_time", Kind::real, "s", "when they have it"},
    TrafficColumn{"least_ttc_2d", Kind::real, "s", "least time until the footprints touch at constant velocity"},
    TrafficColumn{"least_ttc_2d_time", Kind::real, "s", "when they have it"},
};
constexpr std::array encounter_options{
    TrafficOption{"max-pet", TrafficOption::Kind::number, "S", "10", "pairs that enter within S seconds"},
    TrafficOption{"parallel", TrafficOption::Kind::number, "DEG", "15",
                  "paths at a smaller angle merge instead of crossing"},
};
constexpr std::array<std::string_view, 2> encounter_examples{
    "osiconvert encounters junction.osi",
    "osiconvert encounters --max-pet 3 traces/*.mcap -o encounters.csv",
};

EncounterOptions encounter_options_of(const TrafficOptions& options)
{
    constexpr double longest = 3600;  // s: the window is kept in memory
    return {.longest = std::min(options.number("max-pet"), longest), .parallel = options.number("parallel")};
}

class EncountersTable final : public TrafficMotionTable {
public:
    explicit EncountersTable(const TrafficOptions& options)
        : TrafficMotionTable({.names = true}), finder_(encounter_options_of(options))
    {
    }

    void finish(TrafficRowSink& rows) override
    {
        finder_.finish(found_);
        std::ranges::sort(found_, {}, [](const Encounter& one) {
            return std::tuple(one.second_enters, one.first, one.second, one.first_enters);
        });
        for (const auto& one : found_) {
            const auto timed = [](std::optional<double> value, Nanoseconds time) {
                return value ? TrafficCell(seconds(time)) : TrafficCell();
            };
            rows.add(std::array<TrafficCell, encounter_columns.size()>{
                static_cast<std::int64_t>(one.frame), seconds(one.second_enters), one.first, name_of(one.first),
                one.second, name_of(one.second), std::string_view(one.merges ? "merging" : "crossing"),
                cell_of(one.pet), seconds(one.first_enters), seconds(one.first_leaves),
                one.merges ? TrafficCell() : TrafficCell(seconds(one.second_leaves)), one.place.x, one.place.y,
                one.angle, cell_of(one.least_gap), timed(one.least_gap, one.least_gap_time), cell_of(one.least_ttc),
                timed(one.least_ttc, one.least_ttc_time)});
        }
        found_.clear();
    }

protected:
    void add_rows(const TrafficFrame& frame, TrafficRowSink& /*rows*/) override
    {
        for (const auto& object : frame.objects)
            if (!object.name.empty()) names_.try_emplace(object.id, object.name);
        if (const auto* const moment = moments_.next(frame, std::nullopt, false)) finder_.step(*moment, found_);
    }

private:
    [[nodiscard]] TrafficCell name_of(std::uint64_t id) const
    {
        const auto found = names_.find(id);
        return found == names_.end() ? TrafficCell() : TrafficCell(found->second);
    }

    MomentBuilder moments_;
    EncounterFinder finder_;
    std::vector<Encounter> found_;
    std::unordered_map<std::uint64_t, std::string_view> names_;
};

}  // namespace

const TrafficTableRow encounters_table{
    .name = "encounters",
    .summary = "pairs of objects whose ways cross or merge: post-encroachment times, as a table",
    .columns = encounter_columns,
    .options = encounter_options,
    .reads = TrafficReader::reads,
    .create = [](const TrafficOptions& options) -> std::unique_ptr<TrafficTable> {
        return std::make_unique<EncountersTable>(options);
    },
    .examples = encounter_examples,
};

}  // namespace ositrace::traffic
