// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "lib/io/byte_source.hpp"
#include "lib/io/damaged_compression.hpp"
#include "lib/open/container.hpp"

namespace ositrace {

/// A file that may be damaged anywhere.
struct DamagedFile {
    const ContainerRow* container;  ///< by its extension or by its first bytes
    std::string_view compression;
    /// With ContainerRow::recovered_by_search: the bytes that could be unpacked.
    std::shared_ptr<const RandomAccess> file;
    std::unique_ptr<ByteSource> source;  ///< else: the unpacked bytes as a stream
};

/// `on_damage`: called for damage of a compressed file, here and while `source` is read. Throws Error: io, cancelled.
[[nodiscard]] DamagedFile open_damaged(const std::filesystem::path& file,
                                       std::function<void(const CompressionDamage&)> on_damage,
                                       const std::stop_token& stop);

/// Of a file in which the search found nothing: opens it as text if it begins like one. False: it does not.
[[nodiscard]] bool reopen_as_text(DamagedFile& damaged, const std::stop_token& stop);

/// Warnings name the file, and each comes once.
[[nodiscard]] OpenOptions telling_once(OpenOptions options, const std::filesystem::path& file);

/// The frames of `damaged.source`.
[[nodiscard]] std::unique_ptr<FrameSource> open_stream(DamagedFile damaged, const OpenOptions& options);

}  // namespace ositrace
