// SPDX-License-Identifier: MPL-2.0
// What the two published reports measured, and what they concluded: data. Milliseconds, means over their steps.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "app/bench/core/earlier_run.hpp"
#include "app/bench/cosim/cosim_variants.hpp"

namespace ositrace::bench {

/// A case that was measured.
struct CosimResult {
    CosimCase simulated;
    RoundResult round;
};

/// Every figure and table of the reports that is about co-simulation, the one measured here below those of the reports.
[[nodiscard]] Table beside_published_figures(std::span<const CosimResult> results);
/// Every conclusion of the reports that is about co-simulation, and whether it holds here. Those on Debug builds can be
/// compared in one only.
[[nodiscard]] Table beside_published_conclusions(std::span<const CosimResult> results);
/// A Debug build beside an optimised one, which is the earlier run: conclusions again.
[[nodiscard]] Table beside_published_growth(std::span<const CosimResult> results, const EarlierRun& optimised);

}  // namespace ositrace::bench
