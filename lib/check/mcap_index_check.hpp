// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "formats/mcap/records.hpp"
#include "lib/check/findings.hpp"

namespace ositrace {

/// Do indexes and Statistics of an MCAP file say what is in it? Takes the records in the order of the file.
/// Memory: that of a few numbers for each chunk and channel.
class McapIndexCheck {
public:
    explicit McapIndexCheck(Findings& findings) : findings_(findings) {}

    /// Messages and message indexes up to the next chunk are its own. `end`: of the record.
    void begin_chunk(const mcap::Chunk& chunk, std::uint64_t offset, std::uint64_t end);
    /// The messages of the chunk that was begun last cannot be read.
    void pass_over_messages();
    /// `offset`: of its record in the unpacked chunk.
    void message_in_chunk(const mcap::Message& message, std::uint64_t offset);
    void message_outside(const mcap::Message& message) { count(message); }
    void message_index(const mcap::MessageIndex& index, std::uint64_t offset, std::uint64_t end);
    void attachment() { ++attachments_; }
    void metadata() { ++metadata_; }
    void chunk_index(const mcap::ChunkIndex& index, std::uint64_t offset);
    void statistics(const mcap::Statistics& statistics, std::uint64_t offset);
    struct Unchecked {
        std::uint64_t chunks = 0;
        std::uint64_t messages = 0;  ///< in them, that their indexes list
    };
    [[nodiscard]] Unchecked unchecked() const;
    /// At the end of the file.
    void finish(std::size_t schemas, std::size_t channels);

private:
    /// What a chunk holds and what is said of it. The order of messages and of indexes is free: sums of hashes know
    /// none.
    struct Chunk {
        std::uint64_t end = 0;
        std::uint64_t stated_first = 0, stated_last = 0;
        std::uint64_t first = ~std::uint64_t{0}, last = 0;
        std::uint64_t messages = 0, sum = 0;
        std::uint64_t listed = 0, listed_sum = 0;
        std::uint64_t indexes = 0, indexes_sum = 0, index_bytes = 0;
        bool is_known = true;
        bool in_summary = false;
    };

    void count(const mcap::Message& message);
    void check_chunk(const Chunk& chunk, std::uint64_t offset);
    void check_times(const Chunk& chunk, std::uint64_t first, std::uint64_t last, std::string_view who,
                     std::uint64_t at);
    void check_statistics(std::size_t schemas, std::size_t channels);
    void compare(std::string_view field, std::uint64_t stated, std::uint64_t found);
    void add(Kind kind, std::uint64_t byte, const std::string& message, const std::string& field = {});

    Findings& findings_;
    std::map<std::uint64_t, Chunk> chunks_;  ///< by offset
    Chunk* last_ = nullptr;
    bool all_known_ = true;
    bool any_in_summary_ = false;
    std::uint64_t messages_ = 0, first_ = ~std::uint64_t{0}, end_ = 0;
    std::map<std::uint16_t, std::uint64_t> by_channel_;
    std::uint64_t attachments_ = 0, metadata_ = 0;
    std::optional<mcap::Statistics> statistics_;
    std::uint64_t statistics_offset_ = 0;
};

}  // namespace ositrace
