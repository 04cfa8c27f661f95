// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <ositrace/trace.hpp>

#include "lib/io/seekable_file.hpp"
#include "lib/mcap/mcap_channels.hpp"

namespace ositrace {

/// The schemas and channels of a summary that the Footer does not lead to, because bytes are missing or added in front
/// of it: the records behind the last DataEnd of the file. nullopt: there are none. Throws Error (io).
[[nodiscard]] std::optional<McapChannels> read_tail_channels(const SeekableFile& file, const OpenOptions& options);

}  // namespace ositrace
