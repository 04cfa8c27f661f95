// SPDX-License-Identifier: MPL-2.0
#pragma once

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

namespace ositrace {

/// One place where two traces part.
struct TraceDifference {
    std::string topic;  ///< of the channel in the first trace, where it has one
    std::optional<Nanoseconds> time;
    std::optional<std::uint64_t> frame_a;  ///< empty: the frame is in the second only
    std::optional<std::uint64_t> frame_b;
    std::string field;  ///< `moving_object[id=3].base.position.x`; empty when a whole frame is missing
    std::string text;   ///< `1.5 against 1.25`, `only in the first`
};

struct DiffOptions {
    /// Numbers at this path and below may differ by so much. A path names fields, of every element:
    /// `moving_object.base.position`.
    std::map<std::string, double> tolerances;
    std::vector<std::string> ignored;  ///< paths that are not compared
    bool carry_static =
        false;  ///< frames inherit the static data that they lack from earlier ones, as by expand_static()
    std::function<void(const TraceDifference&)> on_difference = {};
    std::function<void(std::uint64_t frames)> on_progress = {};
};

struct FieldDifferences {
    std::uint64_t count = 0;
    double largest = 0;  ///< distance of two numbers
};

struct DiffResult {
    std::uint64_t equal = 0;  ///< pairs of frames
    std::uint64_t different = 0;
    std::uint64_t only_in_a = 0;  ///< frames
    std::uint64_t only_in_b = 0;
    std::map<std::string, FieldDifferences> fields;  ///< by path without elements
    [[nodiscard]] bool same() const noexcept { return different == 0 && only_in_a == 0 && only_in_b == 0; }
};

/// Compares two traces by content: frames are paired by their times, elements of a repeated field by their `id`, where
/// they have one, else by their order; containers, encodings and schemas may differ. Fields that a side's schema does
/// not know are not compared. Traces of one OSI channel are compared whatever their topics; else channels are paired by
/// topic, of one topic in their order, and each pair is a pass over both files, so that a pipe may have one. Memory:
/// one frame of each. Throws Error (mismatch) when paired channels hold different types, (usage) for a path that no
/// channel has.
[[nodiscard]] OSITRACE_API DiffResult diff(const std::filesystem::path& a, const std::filesystem::path& b,
                                           const OpenOptions& open, const DiffOptions& options,
                                           std::stop_token stop = {});

}  // namespace ositrace
