// SPDX-License-Identifier: MPL-2.0
#include <array>

#include <ositrace/footprint.hpp>

#include "lib/traffic/tables.hpp"

namespace ositrace::traffic {

namespace {

using Kind = TrafficColumnKind;

constexpr std::array interaction_columns{
    TrafficColumn{"frame", Kind::integer, "", "number of the frame in the trace"},
    TrafficColumn{"time", Kind::real, "s", "time of the frame"},
    TrafficColumn{"id", Kind::id, "", "the object"},
    TrafficColumn{"other_id", Kind::id, "", "the other one"},
    TrafficColumn{"gap", Kind::real, "m", "shortest distance of the footprints; 0 if they overlap"},
    TrafficColumn{"ttc_2d", Kind::real, "s",
                  "until the footprints touch if both keep their velocity and heading; null if they never do"},
};
constexpr std::array interaction_options{
    TrafficOption{"range", TrafficOption::Kind::number, "M", "100", "pairs with a gap of at most M metres"},
};

class Interactions final : public TrafficMotionTable {
public:
    explicit Interactions(const TrafficOptions& options) : TrafficMotionTable({}), range_(options.number("range")) {}

protected:
    void add(const TrafficFrame& frame, TrafficRowSink& rows) override
    {
        for (std::size_t i = 0; i != frame.objects.size(); ++i)
            for (std::size_t j = i + 1; j != frame.objects.size(); ++j) {
                const auto a = footprint_of(frame.objects[i]), b = footprint_of(frame.objects[j]);
                const double gap = shortest_way(a, b).length;
                if (gap > range_) continue;
                rows.add(std::array<TrafficCell, interaction_columns.size()>{
                    static_cast<std::int64_t>(frame.index), cell_of(frame.seconds()), frame.objects[i].id,
                    frame.objects[j].id, gap, cell_of(time_to_contact(a, b))});
            }
    }

private:
    double range_;
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
};

}  // namespace ositrace::traffic
