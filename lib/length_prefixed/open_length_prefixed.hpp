// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string_view>

#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

#include "lib/io/byte_source.hpp"
#include "lib/io/compressor.hpp"
#include "lib/io/random_access.hpp"

namespace ositrace {

inline constexpr ContainerTraits length_prefixed_container{.name = "length-prefixed", .payloads_in_place = true};

[[nodiscard]] TraceInfo length_prefixed_info(const std::filesystem::path& file, std::string_view compression,
                                             Channel channel);

/// Reads the first frames and recognises them. Throws Error naming the file.
[[nodiscard]] std::unique_ptr<FrameSource> open_length_prefixed_stream(std::unique_ptr<ByteSource> source,
                                                                       std::string_view compression,
                                                                       const OpenOptions& options);
[[nodiscard]] std::shared_ptr<const Trace> open_length_prefixed_trace(std::shared_ptr<const RandomAccess> file,
                                                                      std::string_view compression,
                                                                      const OpenOptions& options);

/// `compression`: null = none. See the writer for the empty messages that it refuses.
[[nodiscard]] std::unique_ptr<TraceWriter> create_length_prefixed(const std::filesystem::path& file,
                                                                  const TraceInfo& info,
                                                                  const CompressorRow* compression,
                                                                  const WriteOptions& options);

}  // namespace ositrace
