// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

namespace ositrace {

/// TraceInfo::compression and TraceExtension::compression of a file that is not compressed.
inline constexpr std::string_view not_compressed = "none";

/// What a container can do. Code decides by these traits; the name is for people only.
struct ContainerTraits {
    std::string_view name;          ///< `length-prefixed`, `mcap`, `text`, `json-lines`; static storage
    std::string_view extension;     ///< of its files: `.mcap`; empty: the encoding decides (`.osi`, `.osifb`)
    bool several_channels = false;  ///< it holds many channels and states topic, type and metadata of each
    bool metadata = false;          ///< it holds metadata records and attachments
    bool log_times = false;         ///< every frame has a log time, and an index orders the frames by it
    /// A file ends with an index of all channels and frames, so that a regular file is best read by it.
    bool index = false;
    /// Frames are compressed in chunks: a frame keeps its chunk in memory, and a file is not compressed once more.
    bool chunks = false;
    /// An uncompressed file holds every payload verbatim, so that its first bytes are read without the rest.
    bool payloads_in_place = false;
    bool text = false;  ///< text, which people may edit
    bool map = false;   ///< its one frame is a map; a folder of traces may have one beside them

    friend bool operator==(const ContainerTraits&, const ContainerTraits&) = default;
};

}  // namespace ositrace
