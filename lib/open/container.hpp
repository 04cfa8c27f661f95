// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include <ositrace/bytes.hpp>
#include <ositrace/container.hpp>
#include <ositrace/random_access.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

#include "lib/io/byte_source.hpp"
#include "lib/io/compressor.hpp"

namespace ositrace {

/// A file format for frames. A new container is a folder and a row.
struct ContainerRow {
    ContainerTraits traits;
    /// Do these first bytes (at least `probed_bytes`, fewer at the end of the file) belong to this container?
    bool (*recognizes)(Bytes front) = nullptr;
    /// `compression`: as TraceInfo::compression. Throws Error naming the source.
    std::unique_ptr<FrameSource> (*open_stream)(std::unique_ptr<ByteSource> source, std::string_view compression,
                                                const OpenOptions& options) = nullptr;
    /// `file` is not compressed; `compression` is what it was.
    std::shared_ptr<const Trace> (*open_trace)(std::shared_ptr<const RandomAccess> file, std::string_view compression,
                                               const OpenOptions& options) = nullptr;
    /// Null: the container is read only. `compression`: of the whole file, null = none; null for a container with
    /// chunks.
    std::unique_ptr<TraceWriter> (*create)(const std::filesystem::path& file, const TraceInfo& info,
                                           const CompressorRow* compression, const WriteOptions& options) = nullptr;
    /// What a file of this extension without a byte lacks; empty: it is a trace without frames.
    std::string_view empty_file;
    /// `recover` searches the file for frames itself, as no record marks their beginnings.
    bool recovered_by_search = false;
    /// Its messages may be SensorDataSeries, which OpenOptions::unpack_series reads.
    bool may_hold_series = false;
};

inline constexpr std::size_t probed_bytes = 32;

/// The containers in the order in which they are probed; the last one recognises everything.
[[nodiscard]] std::span<const ContainerRow> containers() noexcept;
[[nodiscard]] const ContainerRow& container_of(Bytes front) noexcept;
/// Null: there is none.
[[nodiscard]] const ContainerRow* container_with(const ContainerTraits& traits) noexcept;

/// For tests: a container that is probed first while this object exists. One at a time, on the only thread.
class AddedContainer {
public:
    explicit AddedContainer(const ContainerRow& row);
    ~AddedContainer();
    AddedContainer(const AddedContainer&) = delete;
    AddedContainer& operator=(const AddedContainer&) = delete;
};

}  // namespace ositrace
