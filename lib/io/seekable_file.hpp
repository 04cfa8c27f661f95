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

#include "lib/io/byte_source.hpp"
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
    /// Fills `into` from `offset`; fewer bytes than asked for only at size(). Throws Error: io, truncated when the file
    /// has shrunk so far that not even `needed` bytes are left.
    std::size_t read_at(std::uint64_t offset, std::span<std::byte> into, std::size_t needed = all_of_it) const;
    static constexpr std::size_t all_of_it = ~std::size_t{0};

private:
    FileHandle file_;
    std::filesystem::path name_;
    std::uint64_t size_ = 0;
    bool temporary_ = false;
};

/// The bytes of a seekable file from some place on.
class SeekableSource final : public ByteSource {
public:
    explicit SeekableSource(std::shared_ptr<const SeekableFile> file, std::uint64_t offset = 0);

    std::size_t read(std::span<std::byte> into, std::stop_token stop) override;
    bool skip(std::uint64_t bytes) override;
    const std::filesystem::path& name() const noexcept override { return file_->name(); }
    std::optional<std::uint64_t> end() const override { return file_->size(); }
    std::uint64_t bytes_consumed() const noexcept override { return position_.load(std::memory_order_relaxed); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return file_->size(); }

private:
    std::shared_ptr<const SeekableFile> file_;
    std::atomic<std::uint64_t> position_;
};

}  // namespace ositrace
