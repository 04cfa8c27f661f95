// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "lib/io/file_handle.hpp"

namespace ositrace {

/// A regular file read at places. Its size is taken once: what another process appends is not seen. Thread-safe.
class SeekableFile {
public:
    /// `name` is how errors call it. `temporary`: it has no name of its own (see unpacked()).
    SeekableFile(FileHandle file, std::filesystem::path name, bool temporary = false);

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    [[nodiscard]] const std::filesystem::path& name() const noexcept { return name_; }
    [[nodiscard]] bool temporary() const noexcept { return temporary_; }
    [[nodiscard]] const FileHandle& handle() const noexcept { return file_; }
    /// Fills `into` from `offset`; fewer bytes than asked for only at size(). Throws Error: io, truncated when the file has shrunk.
    std::size_t read_at(std::uint64_t offset, std::span<std::byte> into) const;
    /// Tells the kernel to read nothing besides: for touching a few bytes here and there.
    void expect_random_access() const noexcept;

private:
    FileHandle file_;
    std::filesystem::path name_;
    std::uint64_t size_ = 0;
    bool temporary_ = false;
};

}  // namespace ositrace
