// SPDX-License-Identifier: MPL-2.0
// What is where in an MCAP file, as its summary states it, or as found by reading the file where it has none.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "formats/mcap/records.hpp"
#include "lib/io/random_access.hpp"
#include "lib/mcap/mcap_channels.hpp"

namespace ositrace {

/// Messages that are read together: a chunk, or records that follow each other outside of chunks.
struct McapSegment {
    bool chunk = true;
    std::uint64_t offset = 0;    ///< of the first record in the file (of the Chunk record itself)
    std::uint64_t length = 0;    ///< of the records with their prefixes
    std::uint64_t unpacked = 0;  ///< bytes of a chunk's records as announced
    std::uint64_t start = 0;     ///< the earliest log time
    std::uint64_t end = 0;       ///< the latest log time
    std::uint64_t messages = 0;
    /// Messages by channel (place in the trace), ascending.
    std::vector<std::pair<std::uint32_t, std::uint64_t>> counts;
    std::uint64_t index_offset = 0;  ///< of its MessageIndex records
    std::uint64_t index_length = 0;  ///< 0: it has none
    /// Where in McapIndex::saved the Message records are, of which each has the place of its channel as id; nullopt:
    /// in the file.
    std::optional<std::uint64_t> saved_at = {};

    [[nodiscard]] std::uint64_t count_of(std::uint32_t channel) const noexcept;
};

struct McapIndex {
    explicit McapIndex(const OpenOptions& options) : channels(options) {}

    std::string profile;
    std::string library;
    std::string chunk_compression;
    McapChannels channels;
    std::optional<mcap::Statistics> statistics;  ///< of the summary
    std::vector<McapSegment> segments;           ///< in file order, not overlapping
    std::vector<MetadataRecord> metadata;
    std::vector<Attachment> attachments;
    std::uint64_t application_records = 0;
    std::optional<Error> damage;                ///< why nothing is known after the last segment
    bool walked = false;                        ///< the file was read from its beginning
    std::shared_ptr<const RandomAccess> saved;  ///< messages of damaged chunks; null: there are none
};

/// `number of messages in a chunk: found 2, its message index lists 1`
[[nodiscard]] Error contradicts_index(std::uint64_t found, std::uint64_t listed, Location where = {});

/// Of a message and its place in the unpacked chunk: sums of them tell whether two lists hold the same messages.
[[nodiscard]] std::uint64_t hash_of(std::uint16_t channel, std::uint64_t log_time, std::uint64_t offset) noexcept;

/// Does DataEnd state a CRC of the data section? True, too, where that is not known. Reads the end of the file.
[[nodiscard]] bool may_state_data_crc(const RandomAccess& file);

/// Cost: with a complete summary its length, else the file's. With OpenOptions::skip_bad_frames the file is read from
/// end to end, and what is whole of its damaged chunks is kept in a temporary file. Throws Error (io, malformed ...)
/// naming the file when not even the beginning can be read.
[[nodiscard]] McapIndex read_mcap_index(const std::shared_ptr<const RandomAccess>& file, const OpenOptions& options);

/// What the summary section of a file states.
struct McapSummary {
    McapIndex index;                              ///< schemas and channels always; the rest where it is complete
    bool complete = false;                        ///< every message of the file is in a chunk that the index knows
    std::map<std::uint64_t, McapSegment> chunks;  ///< by offset; where it is not complete
};

/// nullopt: there is none, or none that can be trusted. Reads the end of the file, and metadata and fronts of
/// attachments. Throws Error (io).
[[nodiscard]] std::optional<McapSummary> read_mcap_summary(const std::shared_ptr<const RandomAccess>& file,
                                                           const OpenOptions& options);

/// The channel records of the summary that the Footer leads to, if its checksum is right. Throws Error (io).
[[nodiscard]] McapChannelRecords summary_channel_records(const RandomAccess& file);

/// What helps to read a damaged file.
struct McapStated {
    McapDeclarations declared;
    std::map<std::uint64_t, std::uint64_t> chunks;  ///< lengths of their records by offset
};

/// What the summary states, as far as it can be read, also if the Footer does not lead to it because bytes are missing
/// or added before it: then that after the last DataEnd record. Throws Error (io).
[[nodiscard]] McapStated stated_by_summary(const RandomAccess& file);

}  // namespace ositrace
