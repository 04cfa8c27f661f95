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
#include "formats/framing/trailing_length.hpp"
#include "lib/io/windowed_input.hpp"

namespace ositrace {

/// Frames in one block of memory, in file order.
struct FrameBatch {
    struct Record {
        Bytes bytes;
        std::uint64_t offset = 0;
        bool may_hold_frames = false;  ///< see length_prefix::may_hold_frames(); its reader must decide
    };
    std::shared_ptr<const void> owner;  ///< of the bytes of all records
    std::vector<Record> records;
    std::uint64_t first_index = 0;        ///< of records[0]; the others follow
    std::optional<SkippedBytes> skipped;  ///< before records[0]
};
inline constexpr std::size_t max_batch_frames = 4096;

/// Reads length-prefixed records in batches. The payloads stay where they were read to. One thread at a time.
class FrameBatchReader {
public:
    virtual ~FrameBatchReader() = default;
    /// The next frames: all that are buffered, at least one (or a skip). False at the end or when a stop was requested;
    /// nothing is lost by a stop. Throws Error with file, frame and byte.
    virtual bool read(FrameBatch& batch, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual const ByteSource& source() const noexcept = 0;
};

struct LengthPrefixedReaderOptions {
    std::size_t max_message_bytes = default_max_message_bytes;
    bool keep_empty = false;        ///< see OpenOptions
    std::uint64_t first_index = 0;  ///< of the frame that the source begins with
    std::uint64_t offset = 0;       ///< of the source's first byte in the file
};

/// Ends with an Error at the first damage. ResyncReader continues after it.
class LengthPrefixedReader final : public FrameBatchReader {
public:
    LengthPrefixedReader(std::unique_ptr<ByteSource> source, LengthPrefixedReaderOptions options);

    bool read(FrameBatch& batch, const std::stop_token& stop) override;
    [[nodiscard]] const ByteSource& source() const noexcept override { return input_.source(); }

private:
    enum class Step { ready, end };
    Step advance(const std::stop_token& stop);
    Step count_zeros(const std::stop_token& stop);
    void collect(FrameBatch& batch);
    void collect_empty(FrameBatch& batch);
    [[nodiscard]] std::optional<std::uint64_t> remaining() const;
    [[nodiscard]] Error located(const Error& error) const;
    [[nodiscard]] bool may_hold_frames(Bytes payload);

    WindowedInput input_;
    LengthPrefixedReaderOptions options_;
    std::uint64_t next_index_ = 0;
    std::uint64_t zeros_ = 0;         ///< zero bytes before the position that are not accounted for yet
    std::uint64_t empty_frames_ = 0;  ///< before the position, to be handed out
    std::optional<Error> problem_;    ///< with the framing at the position
    std::optional<length_prefix::TrailingLengthScan> scan_;  ///< of the record at the position, if it is large
};

}  // namespace ositrace
