// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "lib/mcap/mcap_channels.hpp"
#include "lib/mcap/mcap_limits.hpp"
#include "lib/mcap/message_judge.hpp"
#include "lib/mcap/record_cursor.hpp"

namespace ositrace {

/// A record whose opcode or length is wrong, and what it is.
struct Repair {
    Error problem;  ///< without a place
    mcap::RecordPrefix right;
    bool is_sure = true;
};

/// What came out of a damaged chunk.
struct SalvagedChunk {
    std::vector<mcap::RawRecord> messages;  ///< their contents are in memory of the owner
    std::shared_ptr<const void> owner;      ///< null: in the chunk itself
    std::uint64_t lost_bytes = 0;           ///< of the record: the share of the unpacked chunk that is not kept
    bool proven = false;                    ///< by the CRC: no message is damaged
    std::string compression;                ///< as its record has it
};

/// Knows damaged records of an MCAP file by their contents, by what is around them and by the summary. It changes
/// nothing, and the reader decides what happens. One thread at a time.
class McapRepair {
public:
    /// All of them are those of the reader, and stay.
    McapRepair(RecordCursor& cursor, McapChannels& channels, const McapLimits& limits)
        : cursor_(cursor), channels_(channels), limits_(limits)
    {
    }

    /// Of the file, at which offsets with which lengths.
    void know_chunks(std::map<std::uint64_t, std::uint64_t> stated_by_summary)
    {
        chunks_ = std::move(stated_by_summary);
    }

    /// The current record covers a chunk that the summary names.
    [[nodiscard]] std::optional<Repair> length_before_chunk() const;
    /// The current record, which MCAP does not define, or not in the summary, has the content of one that differs in
    /// one bit of the opcode. An application may use those from 0x80 on: it is sure only of a chunk that the summary
    /// names.
    [[nodiscard]] std::optional<Repair> opcode(const std::stop_token& stop);
    /// The current record, which was read, covers those that follow it. Of a Message see MessageJudge.
    [[nodiscard]] std::optional<Repair> length(const mcap::RawRecord& record);
    /// The same of a record in a chunk.
    [[nodiscard]] std::optional<Repair> length_in_chunk(const mcap::RawRecord& record);
    /// Of a message that no checksum confirms. `searched`: it was found by a search after damage, where any bytes may
    /// look like a record: throws Error (malformed) unless it looks like the others.
    void check_message(const mcap::RawRecord& record, bool searched);
    /// Unpacks as much of a damaged chunk as possible and reads its records. It keeps messages of known channels that
    /// follow another record, or that a search after damage finds, if they look whole. If the CRC is right
    /// nevertheless, it keeps all; if the chunk has no CRC, it also keeps messages of foreign channels that follow
    /// another record. Schemas and channels in the chunk are added to those of the reader. `content`: of the Chunk
    /// record, which may be cut off. nullopt: its front cannot be read.
    [[nodiscard]] std::optional<SalvagedChunk> salvage(Bytes content);

private:
    [[nodiscard]] bool is_message(const mcap::RawRecord& record);
    [[nodiscard]] std::optional<std::size_t> length_of_message(const mcap::RawRecord& record);

    RecordCursor& cursor_;
    McapChannels& channels_;
    const McapLimits& limits_;
    MessageJudge judge_;
    std::map<std::uint64_t, std::uint64_t> chunks_;
};

/// Channels that no record declares, or one that cannot be used: their messages are lost.
class UndeclaredChannels {
public:
    /// `bytes`: of the record that cannot be used. `problem`: with its place.
    void add_channel(std::uint16_t id, std::uint64_t bytes, const Error& problem);
    void add_message(std::uint16_t channel, std::uint64_t bytes, const Location& place);
    /// One for each channel, from its first message on.
    [[nodiscard]] std::vector<SkippedBytes> take();

private:
    struct Lost {
        SkippedBytes bytes;
        bool has_record = false;
    };
    std::map<std::uint16_t, Lost> lost_;
};

}  // namespace ositrace
