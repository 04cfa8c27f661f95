// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "app/bench/core/report.hpp"

namespace ositrace::bench {

/// The report of another run, as --json wrote it.
class EarlierRun {
public:
    /// Throws Error (io, malformed).
    explicit EarlierRun(const std::filesystem::path& file);

    /// A row for every row that both have. Two differ when the one's quartiles lie wholly beside the other's. Throws
    /// Error (mismatch) when they have none in common.
    [[nodiscard]] Table compare(const Report& now, bool& differs) const;

    /// Now to then, medians; empty where the other run has no such row.
    [[nodiscard]] std::optional<double> ratio(const RoundResult& round, const Timing& now) const;

private:
    struct Spread {
        double median, q1, q3;  ///< nanoseconds
        double things;          ///< in one run
    };
    /// Null where there is none, or one that did more or less in a run.
    [[nodiscard]] const Spread* counterpart(const RoundResult& round, const Timing& timing) const;

    std::filesystem::path file_;
    std::map<std::pair<std::string, std::string>, Spread> rows_;  ///< by round and variant
};

}  // namespace ositrace::bench
