// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>

#include "lib/io/seekable_file.hpp"
#include "lib/mcap/chunk_decoder.hpp"
#include "lib/mcap/mcap_index.hpp"

namespace ositrace {

/// Where a message stands. Ordered as messages are delivered: by log time, then as in the file.
struct MessageKey {
    std::uint64_t log_time = 0;
    std::uint32_t segment = 0;  ///< place in McapIndex::segments
    std::uint32_t channel = 0;  ///< place in the trace
    std::uint64_t offset = 0;   ///< of the Message record in the unpacked segment

    [[nodiscard]] friend bool operator<(const MessageKey& a, const MessageKey& b) noexcept
    {
        if (a.log_time != b.log_time) return a.log_time < b.log_time;
        if (a.segment != b.segment) return a.segment < b.segment;
        return a.offset < b.offset;
    }
};

/// Reads segments and keeps some of those last used. Thread-safe.
class SegmentLoader {
public:
    /// Unpacked bytes that are kept; the last segment is kept whatever its size.
    static constexpr std::size_t kept_bytes = std::size_t{48} << 20;

    /// `index` must outlive the loader.
    SegmentLoader(std::shared_ptr<const SeekableFile> file, const McapIndex& index, std::size_t max_message_bytes);

    using Loaded = std::shared_ptr<const ChunkBytes>;

    /// The message at a key, without its index in the trace. Throws Error naming file and byte.
    [[nodiscard]] Frame message(const MessageKey& key) { return message(key, load(key.segment)); }
    /// The same of a segment that is at hand.
    [[nodiscard]] Frame message(const MessageKey& key, const Loaded& loaded) const;
    /// The first bytes of the data of a large message, where they are at hand sooner than its segment: unverified but
    /// for the record they stand in. Empty where they are not, and where something is wrong with them: message() says
    /// what.
    [[nodiscard]] std::vector<std::byte> data_front(const MessageKey& key, std::size_t count) noexcept;
    /// The bytes of a segment; where it has an index of its messages, its records of an application are counted, in all
    /// others they are counted in McapIndex. `once`: it is not kept, nobody will come back to it soon. Throws Error
    /// naming file and byte.
    [[nodiscard]] Loaded load(std::uint32_t segment, bool once = false);
    /// The keys of all messages in a segment, in the order of the file, from its MessageIndex records where it has
    /// some.
    [[nodiscard]] std::vector<MessageKey> keys(std::uint32_t segment);

private:
    Loaded read(const McapSegment& segment);
    void keep(std::uint32_t segment, const Loaded& loaded);
    [[nodiscard]] Loaded kept(std::uint32_t segment);
    [[nodiscard]] bool begins_large_segment(const MessageKey& key) const;
    std::vector<MessageKey> indexed_keys(std::uint32_t segment);
    std::vector<MessageKey> walked_keys(std::uint32_t segment);
    [[nodiscard]] Error located(const Error& error, const McapSegment& segment) const;

    std::shared_ptr<const SeekableFile> file_;
    const McapIndex& index_;
    std::size_t max_message_bytes_;
    ChunkDecoders decoders_;

    std::mutex mutex_;
    std::list<std::pair<std::uint32_t, Loaded>> kept_;  ///< the last used first
    std::size_t bytes_ = 0;
};

}  // namespace ositrace
