// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>

#include <ositrace/recover.hpp>

namespace ositrace {

/// What is wrong behind the data of an uncompressed MCAP file, and no message depends on: the summary does not have its
/// checksum, or the file ends without a Footer. nullopt: nothing, or that is unknown, as of a pipe. Throws Error (io,
/// cancelled).
[[nodiscard]] std::optional<LostBytes> summary_damage(const std::filesystem::path& file, const std::stop_token& stop);

}  // namespace ositrace
