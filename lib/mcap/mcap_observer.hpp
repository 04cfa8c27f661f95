// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/mcap/record_parser.hpp"

namespace ositrace {

/// Sees the records that a McapReader reads, on the thread that reads. Chunks are unpacked ahead: records of a chunk
/// may come after its message indexes, everything else comes in the order of the file.
class McapObserver {
public:
    virtual ~McapObserver() = default;
    /// An MCAP file begins at this byte of the input: at the first, or after another one.
    virtual void begin(std::uint64_t first) = 0;
    /// A record outside of chunks. Of a Message only the front is there, of an Attachment nothing.
    virtual void record(const mcap::RawRecord& record, bool in_summary) = 0;
    /// A record of the chunk at `chunk`; its own offset is that in the unpacked chunk.
    virtual void record_in_chunk(const mcap::RawRecord& record, std::uint64_t chunk) = 0;
    /// The chunk cannot be read, or not to its end.
    virtual void unreadable_chunk(std::uint64_t chunk) = 0;
    /// Chunks and message indexes from here on are read again.
    virtual void go_back(std::uint64_t offset) = 0;
    /// The file was read up to its Footer.
    virtual void finish() = 0;
};

/// Do the summary and the Statistics of an MCAP file agree with its contents? (The reader compares message indexes.)
/// Memory: a few numbers for each chunk and channel.
class McapIndexCheck final : public McapObserver {
public:
    /// `on_problem`: called with the offset of the record that is wrong, and the field where there is one.
    explicit McapIndexCheck(std::function<void(const Error&)> on_problem) : on_problem_(std::move(on_problem)) {}

    void begin(std::uint64_t first) override;
    void record(const mcap::RawRecord& record, bool in_summary) override;
    void record_in_chunk(const mcap::RawRecord& record, std::uint64_t chunk) override;
    void unreadable_chunk(std::uint64_t chunk) override;
    void go_back(std::uint64_t offset) override;
    void finish() override;

    struct Unchecked {
        std::uint64_t chunks = 0;
        std::uint64_t messages = 0;  ///< in them, as listed by their indexes
    };
    [[nodiscard]] Unchecked unchecked() const;
    /// There are chunks, and the summary has an index of none.
    [[nodiscard]] bool has_no_chunk_index() const noexcept { return !chunks_.empty() && !any_in_summary_; }

private:
    /// What a chunk holds and what its index states. Indexes may come in any order: sums of hashes do not depend on it.
    struct Chunk {
        std::uint64_t end = 0;
        std::uint64_t stated_first = 0, stated_last = 0;
        std::uint64_t first = ~std::uint64_t{0}, last = 0;
        std::uint64_t messages = 0, listed = 0;
        std::uint64_t indexes = 0, indexes_sum = 0, index_bytes = 0;
        bool is_known = true;
        bool in_summary = false;
    };

    void count(const mcap::Message& message);
    void begin_chunk(const mcap::RawRecord& record);
    void add_message_index(const mcap::RawRecord& record);
    void check_chunk_index(const mcap::ChunkIndex& index, std::uint64_t offset);
    void check_chunk(const Chunk& chunk, std::uint64_t offset);
    void check_times(const Chunk& chunk, std::uint64_t first, std::uint64_t last, const std::string& who,
                     std::uint64_t at);
    void check_statistics();
    void compare(const std::string& field, std::uint64_t stated, std::uint64_t found);
    void add(Damage damage, std::uint64_t byte, const std::string& message, const std::string& field = {});

    std::function<void(const Error&)> on_problem_;
    std::uint64_t file_ = 0;                 ///< where it begins
    std::map<std::uint64_t, Chunk> chunks_;  ///< by offset
    std::set<std::uint16_t> schemas_, channels_;
    std::pair<const std::uint64_t, Chunk>* unpacked_ = nullptr;  ///< in chunks_: the one of the last message
    bool all_known_ = true;
    bool any_in_summary_ = false;
    std::uint64_t messages_ = 0, first_ = ~std::uint64_t{0}, end_ = 0;
    std::map<std::uint16_t, std::uint64_t> by_channel_;
    std::uint64_t attachments_ = 0, metadata_ = 0;
    std::optional<mcap::Statistics> statistics_;
    std::uint64_t statistics_offset_ = 0;
};

}  // namespace ositrace
