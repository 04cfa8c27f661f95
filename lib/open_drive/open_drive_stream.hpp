// SPDX-License-Identifier: MPL-2.0
// `.xodr` as a container of one frame that is read only: the map as an osi3.GroundTruth.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>

#include "lib/io/byte_source.hpp"

namespace ositrace {

inline constexpr ContainerTraits open_drive_container{.name = "OpenDRIVE", .extension = ".xodr", .map = true};

/// XML: the first bytes of a file are `<`, after white space and a byte order mark.
[[nodiscard]] bool is_open_drive(Bytes front);

/// All of a source. Throws Error (limit, cancelled, io).
[[nodiscard]] std::string whole_text(ByteSource& source, std::size_t max_bytes, const std::stop_token& stop);

/// A map that was read, as its only frame.
[[nodiscard]] std::unique_ptr<FrameSource> stream_of(const TraceMap& map);

/// Reads and converts the whole document. Throws Error naming the file, the line and the element.
[[nodiscard]] std::unique_ptr<FrameSource> open_open_drive_stream(std::unique_ptr<ByteSource> source,
                                                                  std::string_view compression,
                                                                  const OpenOptions& options);
[[nodiscard]] std::shared_ptr<const Trace> open_open_drive_trace(std::shared_ptr<const RandomAccess> file,
                                                                 std::string_view compression,
                                                                 const OpenOptions& options);

}  // namespace ositrace
