// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <ositrace/trace.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/io/random_access.hpp"

namespace ositrace {

struct FramePlace {
    std::uint64_t frame = 0;
    std::uint64_t offset = 0;  ///< of its length prefix
    std::uint32_t length = 0;  ///< of its payload
    bool after_gap = false;    ///< bytes were skipped before it
    bool repaired = false;     ///< its length prefix is wrong, and `length` is right
};

/// Small pieces of a file: read one by one where they are far apart, by windows where they are close. One thread at a
/// time.
class SmallReads {
public:
    explicit SmallReads(const RandomAccess& file);
    /// `count` bytes at `offset` (at most `window_bytes`), fewer only at the end of the file; valid until the next
    /// call.
    Bytes at(std::uint64_t offset, std::size_t count);
    /// The same bytes and what else was read there.
    Bytes buffered_at(std::uint64_t offset, std::size_t count);
    static constexpr std::size_t window_bytes = std::size_t{64} << 10;

private:
    const RandomAccess& file_;
    std::unique_ptr<std::byte[]> window_;
    std::uint64_t offset_ = 0;
    std::size_t size_ = 0;
};

struct PrefixWalkerOptions {
    std::size_t max_message_bytes = default_max_message_bytes;
    bool keep_empty = false;   ///< see OpenOptions
    bool flatbuffers = false;  ///< which are never empty
};

/// Steps from length prefix to length prefix and reads no payload. One thread at a time.
class PrefixWalker {
public:
    /// `file` must outlive it.
    PrefixWalker(const RandomAccess& file, PrefixWalkerOptions options);
    /// The next frame; nullopt at the end. Throws Error with file, frame and byte, again at every further call.
    std::optional<FramePlace> next();

private:
    std::uint32_t checked_length();
    void check_zeros();

    const RandomAccess& file_;
    PrefixWalkerOptions options_;
    SmallReads reads_;
    std::uint64_t frame_ = 0;
    std::uint64_t offset_ = 0;
    std::uint64_t zeros_end_ = 0;  ///< up to here zero lengths are known to be empty messages
};

}  // namespace ositrace
