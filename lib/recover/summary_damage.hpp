// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <optional>

#include <ositrace/recover.hpp>

namespace ositrace {

/// What is wrong behind the data of an uncompressed MCAP file, of which no message depends on it: its summary, or that it ends without one.
/// nullopt: nothing, or that is unknown, as of a pipe. Throws Error (io).
[[nodiscard]] std::optional<LostBytes> summary_damage(const std::filesystem::path& file, const OpenOptions& options);

}  // namespace ositrace
