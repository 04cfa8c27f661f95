// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include <ositrace/bytes.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

#include "lib/io/byte_source.hpp"
#include "lib/io/compressor.hpp"
#include "lib/io/seekable_file.hpp"

namespace ositrace {

/// A way frames are kept in a file. A new container is a new row.
struct ContainerRow {
    std::string_view name;  ///< as TraceInfo::container
    /// Do these first bytes (at least `probed_bytes` where the file has them) belong to it?
    bool (*recognizes)(Bytes front);
    /// `compression`: as TraceInfo::compression.
    std::unique_ptr<FrameSource> (*open_stream)(std::unique_ptr<ByteSource> source, std::string_view compression,
                                                const OpenOptions& options);
    std::shared_ptr<const Trace> (*open_trace)(SeekableFile file, std::string_view compression,
                                               const OpenOptions& options);
    bool one_channel;  ///< a file holds one only
    /// Null: not written. `compression`: of the whole file, null = none.
    std::unique_ptr<TraceWriter> (*create)(const std::filesystem::path& file, const TraceInfo& info,
                                           const CompressorRow* compression, const WriteOptions& options);
};

inline constexpr std::size_t probed_bytes = 32;

/// The containers in the order they are probed; the last takes whatever is left.
[[nodiscard]] std::span<const ContainerRow> containers() noexcept;
[[nodiscard]] const ContainerRow& container_of(Bytes front) noexcept;

}  // namespace ositrace
