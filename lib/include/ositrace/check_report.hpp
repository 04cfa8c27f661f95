// SPDX-License-Identifier: MPL-2.0
// Result files of checkers: `.xqar` of ASAM's Quality Checker Framework, whichever checker has written them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/check.hpp>
#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// An issue of a report. Texts are cut after 4096 bytes.
struct ReportedFinding {
    std::string checker;  ///< `ositrace_timestamp`: id of the checker
    std::string rule;     ///< its UID
    Severity severity = Severity::error;
    std::string message;
    std::string place;                            ///< as the report describes it
    std::string field;                            ///< `moving_object[3].id`; empty: not stated
    std::string channel;                          ///< its topic; empty: not stated
    std::optional<std::uint64_t> message_number;  ///< index of the message in the file, from 0
    std::optional<Nanoseconds> time;              ///< OSI time
};

struct CheckReport {
    std::vector<std::string> inputs;  ///< the files that were checked, as the report names them
    std::vector<ReportedFinding> findings;
    std::uint64_t left_out = 0;  ///< issues after the first `most_findings`
};

struct CheckReportOptions {
    std::size_t most_findings = 100'000;
    std::uint64_t most_bytes = std::uint64_t{256} << 20;  ///< of the file
};

/// Elements and attributes that are not known are ignored. Throws Error (malformed) with the line for what is no XML
/// or no report. Memory: linear in the text.
[[nodiscard]] OSITRACE_API CheckReport parse_check_report(std::string_view xml, const CheckReportOptions& options = {});
/// The same of a file. Throws Error (io) as well, and (limit) for a file that is too large.
[[nodiscard]] OSITRACE_API CheckReport read_check_report(const std::filesystem::path& file,
                                                         const CheckReportOptions& options = {});

}  // namespace ositrace
