// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string_view>

#include <ositrace/trace.hpp>

#include "lib/io/byte_source.hpp"
#include "lib/io/seekable_file.hpp"

namespace ositrace {

inline constexpr std::string_view length_prefixed_container = "length-prefixed";

/// Reads the first frames and recognises them. Throws Error naming the file.
[[nodiscard]] std::unique_ptr<FrameSource> open_length_prefixed_stream(std::unique_ptr<ByteSource> source,
                                                                       std::string_view compression,
                                                                       const OpenOptions& options);
[[nodiscard]] std::shared_ptr<const Trace> open_length_prefixed_trace(SeekableFile file, std::string_view compression,
                                                                      const OpenOptions& options);

}  // namespace ositrace
