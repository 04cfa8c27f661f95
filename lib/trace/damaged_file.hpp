// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "lib/io/byte_source.hpp"
#include "lib/io/damaged_compression.hpp"
#include "lib/io/seekable_file.hpp"

namespace ositrace {

/// A file whose contents nobody vouches for.
struct DamagedFile {
    std::string_view
        container;  ///< by its first bytes, or, where its name stands for frames behind lengths, by its name
    std::string_view compression;
    std::optional<SeekableFile> file;  ///< its bytes, unpacked as far as that goes; empty for other containers
    std::unique_ptr<ByteSource>
        source;  ///< of other containers: unpacked, from its first byte; a pipe cannot be opened again
};

/// `on_damage`: of a compressed file, called here and by whoever reads `source`. Throws Error: io, cancelled.
[[nodiscard]] DamagedFile open_damaged(const std::filesystem::path& file,
                                       std::function<void(const CompressionDamage&)> on_damage,
                                       const std::stop_token& stop);

/// The frames of another container.
[[nodiscard]] std::unique_ptr<FrameSource> open_stream(DamagedFile damaged, const OpenOptions& options);

}  // namespace ositrace
