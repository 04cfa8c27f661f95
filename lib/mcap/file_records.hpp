// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ositrace/bytes.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/io/seekable_file.hpp"

namespace ositrace {

/// The records of a file, looked at one by one; what is not asked for is not read. One thread at a time.
class FileRecords {
public:
    /// The records in [position, end).
    FileRecords(const SeekableFile& file, std::uint64_t position, std::uint64_t end) noexcept
        : file_(file), position_(position), end_(end)
    {
    }

    /// Steps to the next record; false at the end. Throws Error (truncated) with file and offset.
    bool next();
    /// Goes on at a place.
    void jump(std::uint64_t position) noexcept { next_ = position; }

    [[nodiscard]] mcap::Opcode opcode() const noexcept { return prefix_.opcode; }
    [[nodiscard]] std::uint64_t offset() const noexcept { return position_; }
    [[nodiscard]] std::uint64_t content_offset() const noexcept { return position_ + mcap::record_prefix_bytes; }
    [[nodiscard]] std::uint64_t length() const noexcept { return prefix_.length; }
    [[nodiscard]] std::uint64_t end() const noexcept { return content_offset() + prefix_.length; }
    /// The first bytes of the content, or all there are. Valid until the next call.
    [[nodiscard]] Bytes front(std::size_t count);
    /// The content; throws Error (limit) beyond `limit` bytes. Valid until the next call.
    [[nodiscard]] Bytes content(std::uint64_t limit);

private:
    Bytes window(std::uint64_t offset, std::size_t count);

    const SeekableFile& file_;
    std::uint64_t position_;
    std::uint64_t next_ = position_;
    std::uint64_t end_;
    mcap::RecordPrefix prefix_;
    std::vector<std::byte> window_;
    std::uint64_t window_offset_ = 0;
    std::size_t window_bytes_ = 0;
};

/// Reads bytes of a file that must be there. Throws Error (truncated) with file and offset.
void read_exactly(const SeekableFile& file, std::uint64_t offset, std::span<std::byte> into);

}  // namespace ositrace
