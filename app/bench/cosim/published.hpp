// SPDX-License-Identifier: MPL-2.0
// The measurements and conclusions of the two published reports, as data. Milliseconds, means over their steps.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "app/bench/core/earlier_run.hpp"
#include "app/bench/cosim/cosim_variants.hpp"

namespace ositrace::bench {

/// The rows that have counterparts in the reports.
namespace row {

inline constexpr const char* protobuf = "Protobuf, fresh";
inline constexpr const char* builder = "FlatBuffers, fresh";
inline constexpr const char* objects = "FlatBuffers object API";
inline constexpr const char* update = "FlatBuffers object API, update";
inline constexpr const char* structs = "FlatBuffers structs";

}  // namespace row

/// A case that was measured.
struct CosimResult {
    CosimCase simulated;
    RoundResult round;
};

/// Every figure and table of the reports about co-simulation, with the values measured here below those of the reports.
[[nodiscard]] Table beside_published_figures(std::span<const CosimResult> results);
/// Every conclusion of the reports about co-simulation, and whether it holds here. Conclusions about Debug builds are
/// compared only in a Debug build.
[[nodiscard]] Table beside_published_conclusions(std::span<const CosimResult> results);
/// The conclusions about a Debug build compared with an optimised one, which is the earlier run.
[[nodiscard]] Table beside_published_growth(std::span<const CosimResult> results, const EarlierRun& optimised);

}  // namespace ositrace::bench
