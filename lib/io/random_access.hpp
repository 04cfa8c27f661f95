// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include <ositrace/random_access.hpp>

#include "lib/io/byte_source.hpp"
#include "lib/system/file.hpp"

namespace ositrace {

/// A regular file, read by pread().
class FileAccess final : public RandomAccess {
public:
    /// `temporary`: the file has no name of its own (see unpacked_file()), and so no version.
    FileAccess(FileHandle file, std::filesystem::path name, bool temporary = false);
    /// The time of the last change.
    [[nodiscard]] std::string version() const override;
    [[nodiscard]] bool is_local() const override { return true; }
    /// Holes of a sparse file.
    [[nodiscard]] std::uint64_t zeros_end(std::uint64_t offset) const override;

private:
    std::size_t read_some(std::uint64_t offset, std::span<std::byte> into) const override;
    [[nodiscard]] std::uint64_t size_now() const override;

    FileHandle file_;
    bool temporary_;
};

/// Reads bytes that must be there. Throws Error (truncated) with file and offset.
void read_exactly(const RandomAccess& file, std::uint64_t offset, std::span<std::byte> into);

/// Bytes in an unnamed temporary file in $TMPDIR (or /tmp). One thread at a time.
class TemporaryFile {
public:
    /// `name`: of the bytes, in errors. `doing`: what fails where the disk is full. Throws Error (io), as all of this.
    TemporaryFile(std::filesystem::path name, std::string_view doing);

    void append(Bytes bytes);
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    /// The file is read from now on.
    [[nodiscard]] std::shared_ptr<const RandomAccess> finish();

private:
    std::filesystem::path name_;
    std::string doing_;
    FileHandle file_;
    std::uint64_t size_ = 0;
};

/// Copies a source into an unnamed temporary file in $TMPDIR (or /tmp), which has the name of the source in errors.
/// Throws Error (io, cancelled).
[[nodiscard]] std::shared_ptr<const RandomAccess> unpacked_file(ByteSource& source, const std::stop_token& stop);

/// The bytes from an offset to the end as a stream.
class SeekableSource final : public ByteSource {
public:
    /// Nothing after `end` is read.
    explicit SeekableSource(std::shared_ptr<const RandomAccess> file, std::uint64_t offset = 0,
                            std::uint64_t end = ~std::uint64_t{0});

    std::size_t read(std::span<std::byte> into, std::stop_token stop) override;
    bool skip(std::uint64_t bytes) override;
    const std::filesystem::path& name() const noexcept override { return file_->name(); }
    std::optional<std::uint64_t> end() const override { return file_->size(); }
    std::uint64_t bytes_consumed() const noexcept override { return position_.load(std::memory_order_relaxed); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return file_->size(); }
    std::shared_ptr<const RandomAccess> random_access() const override { return file_; }
    std::uint64_t zeros_ahead() const override;

private:
    std::shared_ptr<const RandomAccess> file_;
    std::atomic<std::uint64_t> position_;
    std::uint64_t end_;
};

}  // namespace ositrace
