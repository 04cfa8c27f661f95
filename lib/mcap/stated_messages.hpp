// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "formats/mcap/record_parser.hpp"

namespace ositrace {

/// Messages of a chunk: how many, the sum of their hashes, which their order does not change, and their log times.
struct ChunkMessages {
    std::uint64_t count = 0, sum = 0;
    std::uint64_t first = ~std::uint64_t{0}, last = 0;

    /// `offset`: of its record in the unpacked chunk.
    void add(const mcap::Message& message, std::uint64_t offset);
};

/// Of messages outside of the times that their chunk states, without a place.
[[nodiscard]] Error outside_of_chunk(std::uint64_t first, std::uint64_t last, std::uint64_t start, std::uint64_t end);

/// Does an MCAP file hold the messages that it states? Compares those of each chunk with its message indexes, with its
/// own times and with those of its ChunkIndex, and the number of all with the Statistics record, from which a chunk
/// that is there twice hides none of a chunk that only its ChunkIndex mentions. One thread at a time.
///
/// An index that lists other messages than its chunk holds, and no more, is damage only where readers would use it:
/// where it agrees with the Statistics. Memory: a few numbers for each chunk.
class StatedMessages {
public:
    /// `has_observer`: it reports wrong times and Statistics itself, and wants to know of each wrong index.
    StatedMessages(std::filesystem::path file, bool has_observer) : file_(std::move(file)), has_observer_(has_observer)
    {
    }

    /// Message indexes that follow are those of this chunk. A chunk may be begun again.
    void begin_chunk(std::uint64_t offset, std::uint64_t length);
    /// Chunks from here on are read again.
    void go_back(std::uint64_t offset);
    void add_index(const mcap::RawRecord& record);
    /// What was found in a chunk. `is_whole`: all of its messages were read. `next_frame`: number of the one after it.
    void found(std::uint64_t chunk, const ChunkMessages& messages, bool is_whole, std::uint64_t next_frame);
    /// The last chunk is gone, if nothing was found in it so far.
    void lose_last(std::uint64_t next_frame);
    /// Damage of the last chunk: reported by compare_chunks(), with the messages that its indexes list and it lacks.
    void set_damage(SkippedBytes damage) { chunks_.back().damage = std::move(damage); }
    /// Damage of the chunks whose message indexes were all read.
    [[nodiscard]] std::vector<SkippedBytes> compare_chunks();
    /// Of a chunk whose messages were all read: those outside of the times that it states. Readers that look for a time
    /// would not find them. A file whose chunks all state zeros states nothing. The Error has no place.
    [[nodiscard]] std::optional<Error> compare_times(const mcap::Chunk& chunk, std::uint64_t offset,
                                                     const ChunkMessages& messages);

    /// Throws Error (malformed) without a place: its times leave out messages of the chunk. `file_begin`: where its
    /// offsets count from.
    void add(const mcap::ChunkIndex& index, std::uint64_t file_begin);
    void add_statistics(const mcap::RawRecord& record);
    /// Do the Statistics count the same twice, so that they are right without a checksum that confirms them?
    [[nodiscard]] bool statistics_agree() const;
    /// At the Footer: the first index that readers use and that is wrong. `damaged`: the data, so records are missing.
    [[nodiscard]] std::optional<SkippedBytes> wrong_index(const Location& footer, bool damaged) const;
    /// Messages that the Statistics count and the file lacks, once. `found`: messages; `lost`: those that were
    /// reported; `moved`: the summary is not where the Footer states, so records were removed or added. Else messages
    /// that the Statistics leave out are read all the same.
    [[nodiscard]] std::optional<SkippedBytes> compare_statistics(std::uint64_t found, std::uint64_t lost, bool moved);

private:
    /// What a Chunk record and its ChunkIndex both state: its times and its size.
    using Stated = std::array<std::uint64_t, 3>;
    struct WholeChunk {
        Stated stated;
        ChunkMessages messages;
    };
    struct Indexed {
        std::uint64_t chunks = 0, messages = 0;  ///< messages: of one of them
    };
    [[nodiscard]] std::uint64_t hidden() const;

    struct Chunk {
        std::uint64_t offset = 0, length = 0;
        ChunkMessages listed = {};                ///< by its indexes
        std::optional<ChunkMessages> found = {};  ///< in it; unknown until it is unpacked
        bool is_whole = false;
        std::uint64_t next_frame = 0;
        std::optional<SkippedBytes> damage = {};
    };

    std::filesystem::path file_;
    bool has_observer_;
    std::deque<Chunk> chunks_;       ///< whose message indexes were not all read
    std::uint64_t all_listed_ = 0;   ///< messages, by the message indexes that were compared
    std::uint64_t all_indexed_ = 0;  ///< and by the lengths of these that the summary states
    std::optional<SkippedBytes> wrong_index_;
    bool states_times_ = false;                  ///< some chunk does
    std::map<std::uint64_t, WholeChunk> whole_;  ///< by offset
    std::map<Stated, Indexed> indexed_;
    std::optional<mcap::Statistics> statistics_;
    std::uint64_t statistics_offset_ = 0;
};

}  // namespace ositrace
