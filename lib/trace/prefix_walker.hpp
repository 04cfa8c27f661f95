// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include <ositrace/trace.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/io/seekable_file.hpp"

namespace ositrace {

/// Where a frame lies.
struct FramePlace {
    std::uint64_t frame = 0;
    std::uint64_t offset = 0;  ///< of its length prefix
    std::uint32_t length = 0;  ///< of its payload
    bool behind_gap = false;   ///< bytes were passed over in front of it
};

/// Small pieces of a file: read one by one where they lie far apart, by windows where they are close. One thread at a
/// time.
class SmallReads {
public:
    explicit SmallReads(const SeekableFile& file);
    /// `count` bytes at `offset` (at most `window_bytes`), fewer only at the end of the file; valid until the next
    /// call.
    Bytes at(std::uint64_t offset, std::size_t count);
    static constexpr std::size_t window_bytes = std::size_t{64} << 10;

private:
    const SeekableFile& file_;
    std::unique_ptr<std::byte[]> window_;
    std::uint64_t offset_ = 0;
    std::size_t size_ = 0;
};

struct PrefixWalkerOptions {
    std::size_t max_message_bytes = default_max_message_bytes;
    bool skip_bad_frames = false;
    std::function<void(const SkippedBytes&)> on_skip;  ///< called by next()
    length_prefix::PlausibleStart plausible = [](Bytes) { return true; };
};

/// Steps from length prefix to length prefix and reads no payload. One thread at a time.
class PrefixWalker {
public:
    /// `file` must outlive it.
    PrefixWalker(const SeekableFile& file, PrefixWalkerOptions options);
    /// The next frame; nullopt at the end. Throws Error with file, frame and byte, again at every further call.
    std::optional<FramePlace> next();

private:
    std::uint32_t checked_length();
    void check_zeros();
    bool pass_over(const Error& problem);

    const SeekableFile& file_;
    PrefixWalkerOptions options_;
    SmallReads reads_;
    std::uint64_t frame_ = 0;
    std::uint64_t offset_ = 0;
    std::uint64_t zeros_end_ = 0;  ///< up to here zero lengths are known to be empty messages
    bool behind_gap_ = false;
};

}  // namespace ositrace
