// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <ositrace/error.hpp>

#include "lib/traffic/match_source.hpp"
#include "lib/traffic/tables.hpp"

namespace ositrace::traffic {

namespace {

using SummaryKind = TrafficColumnKind;

constexpr std::array summary_columns{
    TrafficColumn{"object", SummaryKind::word, "", "moving or stationary"},
    TrafficColumn{"type", SummaryKind::word, "", "type of the object of the ground truth, of ghosts of the detection"},
    TrafficColumn{"range_from", SummaryKind::real, "m", "from the sensor"},
    TrafficColumn{"range_to", SummaryKind::real, "m", "not included"},
    TrafficColumn{"pairs", SummaryKind::integer, "", "how many"},
    TrafficColumn{"missed", SummaryKind::integer, "", "objects without a detection"},
    TrafficColumn{"ghosts", SummaryKind::integer, "", "detections without an object"},
    TrafficColumn{"recall", SummaryKind::real, "", "pairs / (pairs + missed); null without any"},
    TrafficColumn{"precision", SummaryKind::real, "", "pairs / (pairs + ghosts); null without any"},
    TrafficColumn{"distance_mean", SummaryKind::real, "m", "mean of the horizontal distance"},
    TrafficColumn{"distance_rms", SummaryKind::real, "m", "root mean square of it"},
    TrafficColumn{"dx_mean", SummaryKind::real, "m", "mean of the error along the heading"},
    TrafficColumn{"dx_rms", SummaryKind::real, "m", "root mean square of it"},
    TrafficColumn{"dy_mean", SummaryKind::real, "m", "mean of the error to the left"},
    TrafficColumn{"dy_rms", SummaryKind::real, "m", "root mean square of it"},
    TrafficColumn{"dz_mean", SummaryKind::real, "m", "mean of the error upwards"},
    TrafficColumn{"dz_rms", SummaryKind::real, "m", "root mean square of it"},
    TrafficColumn{"dyaw_mean", SummaryKind::real, "rad", "mean of the error of the yaw angle"},
    TrafficColumn{"dyaw_rms", SummaryKind::real, "rad", "root mean square of it"},
    TrafficColumn{"dv_mean", SummaryKind::real, "m/s", "mean of the error of the velocity"},
    TrafficColumn{"dv_rms", SummaryKind::real, "m/s", "root mean square of it"},
    TrafficColumn{"dlength_mean", SummaryKind::real, "m", "mean of the error of the length"},
    TrafficColumn{"dlength_rms", SummaryKind::real, "m", "root mean square of it"},
    TrafficColumn{"dwidth_mean", SummaryKind::real, "m", "mean of the error of the width"},
    TrafficColumn{"dwidth_rms", SummaryKind::real, "m", "root mean square of it"},
    TrafficColumn{"dheight_mean", SummaryKind::real, "m", "mean of the error of the height"},
    TrafficColumn{"dheight_rms", SummaryKind::real, "m", "root mean square of it"},
};
constexpr std::array summary_notes{std::string_view(
    "A row is a type of object and a range from the sensor, over the whole trace: how many pairs, missed objects and "
    "ghosts, and the errors of the pairs (see 'matches').")};
constexpr std::array<std::string_view, 1> summary_examples{"matches-summary both.mcap --bin 25"};

const std::vector<TrafficOption>& summary_options()
{
    static const std::vector<TrafficOption> options = [] {
        std::vector<TrafficOption> all(match_options().begin(), match_options().end());
        all.push_back({"bin", TrafficOption::Kind::number, "M", "10", "length of a range in metres"});
        return all;
    }();
    return options;
}

/// Mean and mean square of one kind of error.
struct ErrorSums {
    std::uint64_t count = 0;
    double sum = 0, squares = 0;

    void add(double error) noexcept
    {
        if (!std::isfinite(error)) return;
        ++count;
        sum += error;
        squares += error * error;
    }
    [[nodiscard]] std::optional<double> mean() const noexcept
    {
        return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
    }
    [[nodiscard]] std::optional<double> rms() const noexcept
    {
        return count == 0 ? std::nullopt : std::optional(std::sqrt(squares / static_cast<double>(count)));
    }
};

struct SummaryCell {
    std::uint64_t pairs = 0, missed = 0, ghosts = 0;
    std::array<ErrorSums, object_error_count> errors;
};

class MatchesSummary final : public TrafficTable {
public:
    explicit MatchesSummary(const TrafficOptions& options) : source_(options), bin_(options.number("bin"))
    {
        if (!(bin_ > 0)) throw Error(Cause::usage, "bin: found 0 (expected a length in metres)");
    }

    void add(const Frame& frame, const Channel& channel, TrafficRowSink& /*rows*/) override
    {
        source_.add(frame, channel, [&](const MatchedMoment& moment) { count(moment); });
    }
    void finish(TrafficRowSink& rows) override
    {
        source_.finish([&](const MatchedMoment& moment) { count(moment); });
        for (const auto& [key, cell] : cells_) put(key, cell, rows);
    }
    [[nodiscard]] std::vector<std::string> notes() const override { return source_.notes(); }

private:
    using Key = std::tuple<ObjectKind, std::string, double>;  ///< with the place of the bin

    SummaryCell& cell_for(const ComparedObject& object)
    {
        const double bin = std::isfinite(object.range) ? std::floor(object.range / bin_) : -1;
        return cells_[{object.kind, std::string(object.type), bin}];
    }

    void count(const MatchedMoment& moment)
    {
        for (const auto& pair : moment.compared.pairs) {
            auto& cell = cell_for(pair.a);
            ++cell.pairs;
            for (std::size_t i = 0; i != object_error_count; ++i)
                cell.errors.at(i).add(pair.errors[static_cast<ObjectError>(i)]);
        }
        for (const auto& missed : moment.compared.missed) ++cell_for(missed).missed;
        for (const auto& ghost : moment.compared.ghosts) ++cell_for(ghost).ghosts;
    }

    void put(const Key& key, const SummaryCell& cell, TrafficRowSink& rows) const
    {
        const auto& [kind, type, bin] = key;
        const auto share = [](std::uint64_t part, std::uint64_t rest) {
            return part + rest == 0 ? TrafficCell()
                                    : TrafficCell(static_cast<double>(part) / static_cast<double>(part + rest));
        };
        std::vector<TrafficCell> row{std::string_view(kind == ObjectKind::moving ? "moving" : "stationary"),
                                     type.empty() ? TrafficCell() : TrafficCell(std::string_view(type)),
                                     bin < 0 ? TrafficCell() : TrafficCell(bin * bin_),
                                     bin < 0 ? TrafficCell() : TrafficCell((bin + 1) * bin_),
                                     static_cast<std::int64_t>(cell.pairs),
                                     static_cast<std::int64_t>(cell.missed),
                                     static_cast<std::int64_t>(cell.ghosts),
                                     share(cell.pairs, cell.missed),
                                     share(cell.pairs, cell.ghosts)};
        for (const auto& error : cell.errors) {
            row.push_back(cell_of(error.mean()));
            row.push_back(cell_of(error.rms()));
        }
        rows.add(row);
    }

    MatchSource source_;
    double bin_;
    std::map<Key, SummaryCell> cells_;
};

}  // namespace

const TrafficTableRow matches_summary_table{
    .name = "matches_summary",
    .summary = "detections against ground truth by type and range: counts and errors",
    .columns = summary_columns,
    .options = summary_options(),
    .operand = {},
    .reads = [](const Channel& channel) { return has_objects(channel, ObjectSet::detections) && channel.root; },
    .also_reads = TrafficReader::reads,
    .create = [](const TrafficOptions& options) -> std::unique_ptr<TrafficTable> {
        return std::make_unique<MatchesSummary>(options);
    },
    .notes = summary_notes,
    .examples = summary_examples,
};

}  // namespace ositrace::traffic
