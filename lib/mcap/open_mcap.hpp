// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <ositrace/trace.hpp>

#include "lib/io/byte_source.hpp"
#include "lib/io/random_access.hpp"

namespace ositrace {

inline constexpr ContainerTraits mcap_container{.name = "mcap",
                                                .extension = ".mcap",
                                                .several_channels = true,
                                                .metadata = true,
                                                .log_times = true,
                                                .index = true,
                                                .chunks = true};

/// Messages in file order. Throws Error naming the file.
[[nodiscard]] std::unique_ptr<FrameSource> open_mcap_stream(std::unique_ptr<ByteSource> source,
                                                            std::string_view compression, const OpenOptions& options);
/// The same of an uncompressed file.
[[nodiscard]] std::unique_ptr<FrameSource> open_mcap_stream(const std::shared_ptr<const RandomAccess>& file,
                                                            const OpenOptions& options);
/// Messages in the order of their log times, through the summary, or after a walk through the whole file where it has
/// none.
[[nodiscard]] std::shared_ptr<const Trace> open_mcap_trace(std::shared_ptr<const RandomAccess> file,
                                                           std::string_view compression, const OpenOptions& options);

/// Adds a compression to TraceInfo::chunk_compression, where it is new there. Empty: nothing.
void note_chunk_compression(std::string& known, std::string_view compression);

}  // namespace ositrace
