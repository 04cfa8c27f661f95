// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
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

/// Reads the first frames and recognises them. With OpenOptions::skip_bad_frames, a frame anywhere, and the stream is
/// that of ResyncReader. Throws Error naming the file.
[[nodiscard]] std::unique_ptr<FrameSource> open_length_prefixed_stream(std::unique_ptr<ByteSource> source,
                                                                       std::string_view compression,
                                                                       const OpenOptions& options);
/// OpenOptions::skip_bad_frames is ignored: see the other constructor of LengthPrefixedTrace.
[[nodiscard]] std::shared_ptr<const Trace> open_length_prefixed_trace(std::shared_ptr<const RandomAccess> file,
                                                                      std::string_view compression,
                                                                      const OpenOptions& options);

/// The messages in a file whose frames are SensorDataSeries (repeated SensorData, in Protobuf), each after a length
/// prefix: the bytes of a trace of SensorData. Some tools write such files as `_sd_` traces (open-simulation-interface
/// #900). Memory: a buffer of 64 KiB, whatever the lengths are. read() throws Error (malformed, truncated) with the
/// frame and the byte of `series`.
[[nodiscard]] std::unique_ptr<ByteSource> unpacked_series(std::unique_ptr<ByteSource> series,
                                                          std::function<void(const SkippedBytes&)> on_skip = {});

/// `compression`: null = none. See the writer for the empty messages that it refuses.
[[nodiscard]] std::unique_ptr<TraceWriter> create_length_prefixed(const std::filesystem::path& file,
                                                                  const TraceInfo& info,
                                                                  const CompressorRow* compression,
                                                                  const WriteOptions& options);

}  // namespace ositrace
