// SPDX-License-Identifier: MPL-2.0
// What is written from its start to its end.
#pragma once

#include <filesystem>
#include <span>
#include <system_error>

#include <ositrace/bytes.hpp>

#include "lib/system/file.hpp"

namespace ositrace {

/// A path that is written in place: `-`, a descriptor of this process (`/dev/stdout`, `/dev/fd/N`), a pipe or a device.
[[nodiscard]] bool is_written_in_place(const std::filesystem::path& file);
/// Opens such a path for writing. Throws Error (io) with `name`.
[[nodiscard]] FileHandle open_in_place(const std::filesystem::path& file, const std::filesystem::path& name);
/// A pipe or socket, whose reader may go away.
[[nodiscard]] bool may_break(const FileHandle& output) noexcept;

/// The most pieces of one write_pieces().
inline constexpr std::size_t most_pieces = 4;
/// Writes all pieces, one after the other, in one call of the system where it takes them at once. `breaks`: the reader
/// may have gone; then this is an error and does not end the process.
[[nodiscard]] std::error_code write_pieces(const FileHandle& output, std::span<const Bytes> pieces,
                                           bool breaks) noexcept;

/// Begins to bring this part of a file to the disk, without waiting. Errors are those of PendingFile::publish().
void start_to_disk(const FileHandle& file, std::uint64_t offset, std::uint64_t bytes) noexcept;
/// The error that closing the file would report: network file systems report a full disk only then.
[[nodiscard]] std::error_code flush_to_system(const FileHandle& file) noexcept;

}  // namespace ositrace
