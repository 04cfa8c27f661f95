// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

namespace ositrace {

/// One place where two traces differ.
struct TraceDifference {
    std::string topic;  ///< of the channel in the first trace
    std::optional<Nanoseconds> time;
    std::optional<std::uint64_t> frame_a;  ///< empty: the frame is in the second only
    std::optional<std::uint64_t> frame_b;
    std::string field;  ///< `moving_object[id=3].base.position.x`; empty when a whole frame is missing
    std::string text;   ///< `1.5 against 1.25`, `only in the first`
};

struct DiffOptions {
    /// Allowed difference of the numbers at a path and below. A path consists of field names and applies to every
    /// element: `moving_object.base.position`.
    std::map<std::string, double> tolerances;
    std::vector<std::string> ignored;  ///< paths that are not compared
    /// Frames whose times differ by no more are a pair. Less than half the step of the traces, else neighbours are
    /// paired.
    Nanoseconds time_tolerance = std::chrono::microseconds(1);
    /// Only frames of this range, with that tolerance. One that needs the end of a trace needs a file.
    std::optional<TimeRange> time = {};
    /// Of two simulators that number the objects of a scenario differently: elements with a name are paired by it, see
    /// name_of(); those without one by id. Their ids are compared like any other field.
    bool pair_by_name = false;
    bool carry_static = false;  ///< insert static data into frames that lack them, like expand_static()
    /// Of frames that wait for the other trace to reach their channel and time. Beyond it the channel with most of them
    /// is compared on its own, after the others: both files are read once more.
    std::size_t max_waiting_bytes = std::size_t{64} << 20;
    /// In the order of the frames.
    std::function<void(const TraceDifference&)> on_difference = {};
    std::function<void(std::uint64_t frames)> on_progress = {};
};

struct FieldDifferences {
    std::uint64_t count = 0;
    double largest = 0;  ///< difference of two numbers
};

struct DiffResult {
    std::uint64_t equal = 0;  ///< pairs of frames
    std::uint64_t different = 0;
    std::uint64_t only_in_a = 0;  ///< frames
    std::uint64_t only_in_b = 0;
    std::map<std::string, FieldDifferences> fields;  ///< by path without elements
    [[nodiscard]] bool same() const noexcept { return different == 0 && only_in_a == 0 && only_in_b == 0; }
};

/// Compares two traces by content: pairs frames by time (see DiffOptions::time_tolerance), elements of a repeated field
/// by `id` if they have one (see DiffOptions::pair_by_name), else by order. Containers, encodings and schemas may
/// differ. Fields that a schema does not define are not compared. Traces with one OSI channel are compared whatever the
/// topics; else channels are paired by topic, those with the same topic by order. Both files are read once, side by
/// side (see DiffOptions::max_waiting_bytes). Throws Error (mismatch) if paired channels have different types, or only
/// messages of another type have a path, (usage) for a path that no type has.
[[nodiscard]] OSITRACE_API DiffResult diff(const std::filesystem::path& a, const std::filesystem::path& b,
                                           const OpenOptions& open, const DiffOptions& options,
                                           std::stop_token stop = {});

}  // namespace ositrace
