// SPDX-License-Identifier: MPL-2.0
// Does a trace conform to the standard, and is what it says sound?
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/rules.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

enum class Severity : std::uint8_t { error, warning, info };

/// `error`, `warning`, `info`
[[nodiscard]] OSITRACE_API std::string_view name_of(Severity severity) noexcept;

/// What can be found, besides the rules of a RuleSet. Ids are in ASAM's form, `asam.net:osi:3.8.0:<set>.<rule>`, and
/// never change.
struct FindingKind {
    std::string_view rule;  ///< `<set>.<rule>`
    Severity severity = Severity::error;
    std::string_view description;  ///< one line: what ought to be
    std::string_view clause;       ///< where the standard says so; empty: good practice
    [[nodiscard]] OSITRACE_API std::string id() const;
};

/// The table: one row per kind.
[[nodiscard]] OSITRACE_API std::span<const FindingKind> finding_kinds() noexcept;

/// Of texts with names that are longer than 4096 bytes, the beginning.
struct Finding {
    std::string id;
    Severity severity = Severity::error;
    std::filesystem::path file;
    std::optional<std::uint64_t> frame;  ///< over all channels, from 0
    std::optional<Nanoseconds> time;     ///< OSI time of that frame
    std::optional<std::uint64_t> byte;   ///< of the frame or the record, in the uncompressed file
    std::string channel;                 ///< its topic, where a file has several
    std::string field;                   ///< `global_ground_truth.moving_object[3].id`
    std::string message;                 ///< found, expected
};

struct FindingCount;

/// One that is counted but not listed: what it costs nothing to know.
struct UnlistedFinding {
    const FindingCount& kind;            ///< count: up to this one
    std::optional<std::uint64_t> frame;  ///< as in a Finding
    std::optional<Nanoseconds> time;
    std::string_view channel;
};

struct CheckOptions {
    OpenOptions open;
    std::size_t listed_per_kind = 10;      ///< findings of one id that are listed; all are counted
    std::set<std::string> disabled;        ///< ids, or what stands behind their last colon
    std::shared_ptr<const RuleSet> rules;  ///< null: the rules in OSI's comments are not checked
    /// Called of every finding behind the listed ones of its id, from the calling thread.
    std::function<void(const UnlistedFinding&)> on_unlisted = {};
    /// Called now and then, from the calling thread.
    std::function<void(std::uint64_t frames, std::uint64_t bytes, std::optional<std::uint64_t> of_bytes)> on_progress =
        {};
};

struct FindingCount {
    std::string id;
    Severity severity = Severity::error;
    std::string description;
    std::uint64_t count = 0;
};

struct CheckResult {
    std::vector<Finding> findings;     ///< in the order they were found, at most CheckOptions::listed_per_kind of an id
    std::vector<FindingCount> counts;  ///< every id that was found, in the order of the first finding
    std::uint64_t errors = 0;          ///< counted, listed or not
    std::uint64_t warnings = 0;
    std::uint64_t infos = 0;
    std::uint64_t frames = 0;        ///< looked at
    std::vector<std::string> notes;  ///< what of the trace could not be checked, and why; each once
};

/// Reads a whole trace once. Memory: a frame, and what is known of ids; it does not grow with the file. What is broken
/// in the file becomes a finding. Throws Error only when there is nothing to check: io, cancelled, ambiguous,
/// unsupported, usage (a disabled id that is none), and malformed when no frame can be recognised.
[[nodiscard]] OSITRACE_API CheckResult check_trace(const std::filesystem::path& file, const CheckOptions& options = {},
                                                   std::stop_token stop = {});

}  // namespace ositrace
