// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

namespace ositrace {

struct TrajectoryOptions {
    bool pair_by_name = false;           ///< see DiffOptions::pair_by_name
    std::optional<TimeRange> time = {};  ///< only frames of this range
    double most_lag = 2;                 ///< s: farther the scan for a lag does not look
};

/// An error over time, in metres.
struct ErrorOverTime {
    double mean = 0;     ///< with its sign
    double rms = 0;      ///< root of the mean square
    double largest = 0;  ///< by its absolute value, with its sign
};

/// The way of a moving object in two traces. B is read at the times of A, in proportion between two of its poses.
struct TrajectoryDifference {
    std::string object;          ///< `moving_object[id=3]`
    std::uint64_t frames_a = 0;  ///< 0: only the other trace has it
    std::uint64_t frames_b = 0;
    std::uint64_t compared = 0;  ///< frames of A within the times of B
    ErrorOverTime longitudinal;  ///< B minus A along the heading of A
    ErrorOverTime lateral;       ///< to its left
    double distance_rms = 0;     ///< m, horizontal
    double final_distance = 0;   ///< m, at the last frame that is compared
    /// How much later B is where A was, in seconds: the shift of B with the least mean square of the distance, found by
    /// a scan of the shifts with at least half of the frames. Empty: the object hardly moves.
    std::optional<double> lag;
    double distance_rms_at_lag = 0;  ///< m, with B shifted by the lag
};

/// Compares where the moving objects of two traces are, by id or name: those of the first channel of ground truth,
/// sensor view or traffic update. Reads both files once; memory: 32 bytes for each object and frame. Throws Error
/// (mismatch) for a trace without such a channel.
[[nodiscard]] OSITRACE_API std::vector<TrajectoryDifference> compare_trajectories(const std::filesystem::path& a,
                                                                                  const std::filesystem::path& b,
                                                                                  const OpenOptions& open,
                                                                                  const TrajectoryOptions& options,
                                                                                  std::stop_token stop = {});

}  // namespace ositrace
