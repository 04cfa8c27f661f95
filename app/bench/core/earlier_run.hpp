// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "app/bench/core/report.hpp"

namespace ositrace::bench {

/// The report of another run, written by --json.
class EarlierRun {
public:
    /// Throws Error (io, malformed).
    explicit EarlierRun(const std::filesystem::path& file);

    /// A row for every row that both runs have. Two rows differ if their quartiles do not overlap. Throws Error
    /// (mismatch) if the runs have no row in common.
    [[nodiscard]] Table compare(const Report& now, bool& differs) const;

    /// The ratio of the median to that of the other run; empty if the other run has no such row.
    [[nodiscard]] std::optional<double> ratio(const RoundResult& round, const Timing& now) const;

private:
    struct Spread {
        double median, q1, q3;  ///< nanoseconds
        double things;          ///< in one run
    };
    /// Null if there is none, or if its runs did another amount of work.
    [[nodiscard]] const Spread* counterpart(const RoundResult& round, const Timing& timing) const;

    std::filesystem::path file_;
    std::map<std::pair<std::string, std::string>, Spread> rows_;  ///< by round and variant
};

}  // namespace ositrace::bench
