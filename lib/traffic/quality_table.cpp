// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <string>

#include "lib/traffic/moment.hpp"
#include "lib/traffic/quality.hpp"
#include "lib/traffic/tables.hpp"

namespace ositrace::traffic {

namespace {

using Kind = TrafficColumnKind;

constexpr std::array quality_columns{
    TrafficColumn{"id", Kind::id, "", "the object"},
    TrafficColumn{"name", Kind::word, "", "its name in the scenario"},
    TrafficColumn{"type", Kind::word, "", "MovingObject.Type: the first one that is known"},
    TrafficColumn{"first", Kind::real, "s", "OSI time of its first frame"},
    TrafficColumn{"last", Kind::real, "s", "OSI time of its last frame"},
    TrafficColumn{"frames", Kind::integer, "", "frames with the object"},
    TrafficColumn{"coverage", Kind::real, "", "frames / frames of the channel from the first to the last of them"},
    TrafficColumn{"gaps", Kind::integer, "", "stretches of frames without it"},
    TrafficColumn{"duplicates", Kind::integer, "", "further objects with its id in one frame"},
    TrafficColumn{"jumps", Kind::integer, "", "positions that are not where the stated velocity leads"},
    TrafficColumn{"greatest_jump", Kind::real, "m", "greatest distance from there; null without velocity"},
    TrafficColumn{"greatest_jump_time", Kind::real, "s", "when"},
    TrafficColumn{"type_changes", Kind::integer, "", "frames with another type than the one before"},
    TrafficColumn{"size_changes", Kind::integer, "", "frames with another size than the one before"},
    TrafficColumn{"becomes", Kind::id, "", "id under which it goes on in the frame after its last one"},
    TrafficColumn{"without_type", Kind::integer, "", "frames in which its type is unknown"},
    TrafficColumn{"without_size", Kind::integer, "", "frames without base.dimension"},
    TrafficColumn{"without_velocity", Kind::integer, "", "frames without base.velocity"},
    TrafficColumn{"without_acceleration", Kind::integer, "", "frames without base.acceleration"},
    TrafficColumn{"without_lane", Kind::integer, "", "frames without an assigned lane"},
};
constexpr std::array quality_options{
    TrafficOption{"jump", TrafficOption::Kind::number, "M", "1", "jumps: further from where the velocity leads"},
    TrafficOption{"size", TrafficOption::Kind::number, "M", "0.001", "changes of the size: by more than this"},
};
constexpr std::array<std::string_view, 2> quality_examples{
    "osiconvert quality trace.osi",
    "osiconvert quality --jump 0.5 traces/*.mcap -o quality.csv",
};

constexpr std::array<std::string_view, 5> type_names{"TYPE_UNKNOWN", "TYPE_OTHER", "TYPE_VEHICLE", "TYPE_PEDESTRIAN",
                                                     "TYPE_ANIMAL"};

/// Null for a number that OSI does not name.
TrafficCell type_name(int type)
{
    const auto place = static_cast<std::size_t>(type);
    return place < type_names.size() ? TrafficCell(type_names[place]) : TrafficCell();
}

std::int64_t count_cell(std::uint64_t count) noexcept { return static_cast<std::int64_t>(count); }

class QualityTable final : public TrafficMotionTable {
public:
    explicit QualityTable(const TrafficOptions& options)
        : TrafficMotionTable({.names = true, .lanes = true}),
          counter_({.jump = options.number("jump"), .size = options.number("size")})
    {
    }

    void finish(TrafficRowSink& rows) override
    {
        for (const auto& row : counter_.rows())
            rows.add(std::array<TrafficCell, quality_columns.size()>{
                row.id,
                row.name.empty() ? TrafficCell() : TrafficCell(row.name),
                type_name(row.type),
                seconds(row.first),
                seconds(row.last),
                count_cell(row.frames),
                static_cast<double>(row.frames) / static_cast<double>(row.frames_of_channel),
                count_cell(row.gaps),
                count_cell(row.duplicates),
                count_cell(row.jumps),
                cell_of(row.greatest_jump),
                row.greatest_jump_time ? TrafficCell(seconds(*row.greatest_jump_time)) : TrafficCell(),
                count_cell(row.type_changes),
                count_cell(row.size_changes),
                cell_of(row.becomes),
                count_cell(row.without_type),
                count_cell(row.without_size),
                count_cell(row.without_velocity),
                count_cell(row.without_acceleration),
                count_cell(row.without_lane)});
    }

    [[nodiscard]] std::vector<std::string> notes() const override
    {
        if (counter_.without_position() == 0) return {};
        return {std::to_string(counter_.without_position()) + " objects without a valid position are left out"};
    }

protected:
    void add_rows(const TrafficFrame& frame, TrafficRowSink& /*rows*/) override { counter_.add(frame); }

private:
    QualityCounter counter_;
};

}  // namespace

const TrafficTableRow quality_table{
    .name = "quality",
    .summary = "coverage, duplicates, jumps, changes and missing fields of every object, as a table",
    .columns = quality_columns,
    .options = quality_options,
    .reads = TrafficReader::reads,
    .create = [](const TrafficOptions& options) -> std::unique_ptr<TrafficTable> {
        return std::make_unique<QualityTable>(options);
    },
    .examples = quality_examples,
};

}  // namespace ositrace::traffic
