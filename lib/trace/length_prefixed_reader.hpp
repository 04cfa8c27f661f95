// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/trace.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/io/windowed_input.hpp"

namespace ositrace {

/// Frames that lie in one block of memory, in file order.
struct FrameBatch {
    struct Record {
        Bytes bytes;
        std::uint64_t offset = 0;
    };
    std::shared_ptr<const void> owner;  ///< of the bytes of all records
    std::vector<Record> records;
    std::uint64_t first_index = 0;        ///< of records[0]; the others follow
    std::optional<SkippedBytes> skipped;  ///< passed over in front of records[0]
};

struct LengthPrefixedReaderOptions {
    std::size_t max_message_bytes = default_max_message_bytes;
    bool skip_bad_frames = false;
    std::uint64_t first_index = 0;  ///< of the frame that the source begins with
    std::uint64_t offset = 0;       ///< of the source's first byte in the file
};

/// Walks length-prefixed records. The payloads are handed out where they were read to. One thread at a time.
class LengthPrefixedReader {
public:
    LengthPrefixedReader(std::unique_ptr<ByteSource> source, LengthPrefixedReaderOptions options);

    /// The next frames: all that are there without waiting, at least one (or a skip). False at the end or when a stop
    /// was requested; nothing is lost by a stop. Throws Error with file, frame and byte.
    bool read(FrameBatch& batch, const std::stop_token& stop);
    /// How the payloads of this stream begin, for finding the next frame behind a bad one.
    void expect(length_prefix::PlausibleStart plausible) { plausible_ = std::move(plausible); }
    [[nodiscard]] const ByteSource& source() const noexcept { return input_.source(); }

private:
    enum class Step { ready, end };
    Step advance(const std::stop_token& stop);
    Step count_zeros(const std::stop_token& stop);
    void collect(FrameBatch& batch);
    void collect_empty(FrameBatch& batch);
    [[nodiscard]] std::optional<std::uint64_t> remaining() const;
    [[nodiscard]] Error located(const Error& error) const;
    void pass_over(FrameBatch& batch, const std::stop_token& stop);

    WindowedInput input_;
    LengthPrefixedReaderOptions options_;
    length_prefix::PlausibleStart plausible_ = [](Bytes) { return true; };
    std::uint64_t next_index_ = 0;
    std::uint64_t zeros_ = 0;         ///< zero bytes in front of the position that are not accounted for yet
    std::uint64_t empty_frames_ = 0;  ///< in front of the position, to be handed out
    std::optional<Error> problem_;    ///< with the framing at the position
};

}  // namespace ositrace
