// SPDX-License-Identifier: MPL-2.0
// Checks whether a trace conforms to the standard and is consistent.
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
#include <ositrace/profile.hpp>
#include <ositrace/rules.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

enum class Severity : std::uint8_t { error, warning, info };

/// `error`, `warning`, `info`
[[nodiscard]] OSITRACE_API std::string_view name_of(Severity severity) noexcept;

/// A rule that is checked, besides those of a RuleSet. Ids have ASAM's form, `entity:standard:version:area.rule`, and
/// never change. The entity is `ositrace.alt`, of rules that ASAM's own checker has `asam.net`.
struct FindingKind {
    std::string_view rule;  ///< `<area>.<rule>`
    Severity severity = Severity::error;
    std::string_view description;     ///< one line: the rule that a trace follows
    std::string_view clause;          ///< of the standard; empty: good practice
    bool of_asam = false;             ///< a rule of ASAM's checker qc-osi-trace, with its id
    Profile profile = Profile::none;  ///< checked with this profile only
    [[nodiscard]] OSITRACE_API std::string id() const;
};

/// The table: one row per kind.
[[nodiscard]] OSITRACE_API std::span<const FindingKind> finding_kinds() noexcept;

/// One place that breaks a rule. Texts are cut after 4096 bytes.
struct Finding {
    std::string id;
    Severity severity = Severity::error;
    std::filesystem::path file;
    std::optional<std::uint64_t> frame;  ///< over all channels, from 0
    std::optional<Nanoseconds> time;     ///< OSI time of that frame
    std::optional<std::uint64_t> byte;   ///< of the frame or the record, in the uncompressed file
    std::string channel;                 ///< its topic, if the file has several channels
    std::string field;                   ///< `global_ground_truth.moving_object[3].id`
    std::string message;                 ///< `found X, expected Y`
};

struct FindingCount;

/// A finding that is counted but not listed.
struct UnlistedFinding {
    const FindingCount& kind;            ///< its count includes this finding
    std::optional<std::uint64_t> frame;  ///< as in a Finding
    std::optional<Nanoseconds> time;
    std::string_view channel;
};

struct CheckOptions {
    OpenOptions open;
    std::size_t listed_per_kind = 10;      ///< findings of one id that are listed; all are counted
    std::set<std::string> disabled;        ///< ids, in full or the part after the last colon
    std::shared_ptr<const RuleSet> rules;  ///< null: rules in OSI's comments are not checked
    std::filesystem::path map = {};        ///< OpenDRIVE; empty: that in or beside the trace, if any
    Profile profile = Profile::none;       ///< whose rules are checked, too
    /// Called for every finding that is not listed, from the calling thread.
    std::function<void(const UnlistedFinding&)> on_unlisted = {};
    /// Called every 64 frames, from the calling thread.
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
    std::uint64_t frames = 0;         ///< that were checked
    std::vector<std::string> notes;   ///< parts of the trace that could not be checked, and why
    Profile profile = Profile::none;  ///< whose rules were checked, too
};

/// Reads a whole trace once. Memory: one frame, the map and the known ids; it does not grow with the file. Damage is a
/// finding. Throws Error only if nothing can be checked: io, cancelled, ambiguous, unsupported, usage (an unknown
/// disabled id), and malformed if no frame is recognised.
[[nodiscard]] OSITRACE_API CheckResult check_trace(const std::filesystem::path& file, const CheckOptions& options = {},
                                                   std::stop_token stop = {});

}  // namespace ositrace
