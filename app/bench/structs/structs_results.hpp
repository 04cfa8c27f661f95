// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/bench/core/report.hpp"
#include "app/bench/structs/paced_exchange.hpp"

namespace ositrace::bench {

/// The runs of a row at a frequency that were timed.
struct PacedSeries {
    double frequency = 0;  ///< Hz
    std::string_view row;
    std::vector<PacedRun> runs;

    /// Shares of the time of one core, in percent, over all runs.
    [[nodiscard]] double user() const;
    [[nodiscard]] double system() const;
    [[nodiscard]] double processor() const { return user() + system(); }
    /// Structs that were sent, in Hz, over all runs.
    [[nodiscard]] double reached() const;
    /// Quantiles of the runs, in percent: of what was sent, of a core.
    [[nodiscard]] double lost(double share) const;
    [[nodiscard]] double processor(double share) const;
};

/// What was measured, for the tables.
struct StructsResults {
    RoundResult serialising, parsing, together;
    std::vector<std::shared_ptr<PacedSeries>> paced;

    [[nodiscard]] const PacedSeries* at(double frequency, std::string_view row) const;
};

/// One million structs: the published figures, and ours.
[[nodiscard]] Table million_structs(const StructsResults& results);
/// Two threads at 20 us and at 10 us: processor time and lost structs.
[[nodiscard]] Table paced_figures(const StructsResults& results);
/// Processor time by frequency, as lines.
[[nodiscard]] Table processor_curve(const StructsResults& results);
[[nodiscard]] Table structs_conclusions(const StructsResults& results);
/// `conclusions` is the table of them.
[[nodiscard]] Headline structs_headline(const StructsResults& results, const Table& conclusions);

}  // namespace ositrace::bench
