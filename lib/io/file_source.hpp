// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>

#include "lib/io/byte_source.hpp"
#include "lib/system/file.hpp"
#include "lib/system/stoppable_wait.hpp"

namespace ositrace {

struct FileSourceOptions {
    std::uint64_t offset = 0;  ///< of the first byte that is read from a regular file
    bool follow = false;       ///< wait at the end of a regular file for more bytes, until a stop is requested
};

/// The bytes of a file: pread() on a regular one, read() on a pipe or a device. Nothing is mapped, so a file that
/// another process shortens ends in an Error (truncated), not in a signal.
class FileSource final : public ByteSource {
public:
    /// `name` is for errors.
    FileSource(FileHandle file, std::filesystem::path name, FileSourceOptions options = {});
    /// `-` is standard input; a regular file there is read from its current position.
    [[nodiscard]] static std::unique_ptr<FileSource> open(const std::filesystem::path& file,
                                                          FileSourceOptions options = {});

    std::size_t read(std::span<std::byte> into, std::stop_token stop) override;
    const std::filesystem::path& name() const noexcept override { return name_; }
    std::optional<std::uint64_t> end() const override;
    std::shared_ptr<const RandomAccess> random_access() const override;
    std::uint64_t bytes_consumed() const noexcept override { return position_.load(std::memory_order_relaxed); }
    std::optional<std::uint64_t> bytes_total() const noexcept override;

private:
    std::size_t read_regular(std::span<std::byte> into, const std::stop_token& stop);
    void check_not_shrunk();
    [[nodiscard]] std::uint64_t size_now() const;

    FileHandle file_;
    std::filesystem::path name_;
    bool regular_ = false;
    bool follow_ = false;
    std::uint64_t start_ = 0;                 ///< offset in the file of byte 0 of this source
    std::atomic<std::uint64_t> size_{0};      ///< last seen, from `start_`
    std::atomic<std::uint64_t> position_{0};  ///< from `start_`
    StoppableWait wait_;
};

}  // namespace ositrace
