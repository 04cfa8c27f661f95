// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/trace_map.hpp>
#include <ositrace/trace_summary.hpp>

namespace ositrace::app {

/// The summary of one file, or the reason why there is none.
struct FileReport {
    std::filesystem::path file;
    std::optional<TraceSummary> summary;
    std::string error;
    bool damaged_before_all = false;      ///< the error is damage of a trace
    std::shared_ptr<const TraceMap> map;  ///< in or beside the file; null: none
    std::string map_error;                ///< why its map cannot be read

    /// Something in the file cannot be read, or is of another type than its channel.
    [[nodiscard]] bool damaged() const noexcept;
};

[[nodiscard]] std::string text_of(const FileReport& report);
/// On standard output.
void print_json(const std::vector<FileReport>& reports);

}  // namespace ositrace::app
