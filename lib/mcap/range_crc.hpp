// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <stop_token>

#include "lib/io/seekable_file.hpp"

namespace ositrace {

/// The CRC-32 of [from, end) of a file. Throws Error (io, truncated; cancelled).
[[nodiscard]] std::uint32_t range_crc(const SeekableFile& file, std::uint64_t from, std::uint64_t end,
                                      const std::stop_token& stop);

}  // namespace ositrace
