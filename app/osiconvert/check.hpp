// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/check.hpp>

namespace ositrace::app {

/// The result of one file.
struct CheckedFile {
    std::filesystem::path file;
    std::optional<CheckResult> result;  ///< empty: the file could not be checked
    std::string error;
};

/// An output format.
struct CheckFormat {
    std::string_view name;  ///< as on the command line
    std::string (*print)(const std::vector<CheckedFile>& files);
};

/// The findings as lines, with the number of those of the same id that are not listed.
[[nodiscard]] std::vector<std::string> finding_lines(const CheckResult& result);
/// One line per finding, for a terminal; printed file by file.
[[nodiscard]] std::string check_text(const CheckedFile& file);
/// The last line: `conforming: no, 6 kinds of findings`. A trace conforms if it could be checked and no finding is an
/// error.
[[nodiscard]] std::string conformity_text(const std::vector<CheckedFile>& files);
[[nodiscard]] std::string check_json(const std::vector<CheckedFile>& files);
[[nodiscard]] std::string check_junit(const std::vector<CheckedFile>& files);
/// The result file of ASAM's Quality Checker Framework.
[[nodiscard]] std::string check_xqar(const std::vector<CheckedFile>& files);

/// `frame 7 at byte 912, 0.7 s`; empty if the place is not known.
[[nodiscard]] std::string place_text(const Finding& finding);

}  // namespace ositrace::app
