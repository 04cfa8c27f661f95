// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

#include <ositrace/error.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/check/findings.hpp"
#include "lib/check/mcap_index_check.hpp"
#include "lib/io/seekable_file.hpp"
#include "lib/mcap/chunk_decoder.hpp"
#include "lib/mcap/file_records.hpp"

namespace ositrace {

/// The clauses of OSI-MCAP that the records of a file can break, the messages' contents aside.
class McapCheck {
public:
    McapCheck(const SeekableFile& file, std::size_t max_message_bytes, Findings& findings);
    /// Why the walk through the records ended before the file; nullopt: it did not. Throws Error only when it was
    /// cancelled.
    [[nodiscard]] std::optional<Error> run(const std::stop_token& stop);

private:
    struct SchemaFacts {
        std::string name, encoding;
        bool in_summary = false;
        std::uint64_t offset = 0;
    };
    struct ChannelFacts {
        std::string topic, encoding;
        std::uint16_t schema = 0;
        bool in_summary = false;
        std::uint64_t offset = 0;
        std::map<std::string, std::string> metadata;
    };

    void look_at_stop() const;
    void visit(FileRecords& records);
    void visit_chunk(FileRecords& records);
    void visit_messages(const mcap::Chunk& chunk, std::uint64_t offset);
    void note_unchecked();
    void visit_metadata(const mcap::Metadata& record, std::uint64_t offset);
    void check_keys(const mcap::StringPairs& entries, std::uint64_t offset, std::string_view channel);
    void take_schema(const mcap::Schema& schema, std::uint64_t offset);
    void take_channel(const mcap::Channel& channel, std::uint64_t offset);
    void check_schema(const mcap::Schema& schema, std::uint64_t offset);
    void check_channel(const ChannelFacts& channel);
    void check_osi_channel(const ChannelFacts& channel, const SchemaFacts& schema);
    void check_crc(Kind kind, std::uint64_t from, std::uint64_t end, std::uint32_t stated, std::uint64_t at);
    void check_summary();
    void add(Kind kind, std::optional<std::uint64_t> byte, const std::string& message, std::string_view channel = {},
             std::string field = {});

    const SeekableFile& file_;
    std::size_t max_message_bytes_;
    Findings& findings_;
    ChunkDecoder decoder_;
    std::stop_token stop_;
    std::optional<Error> broken_chunk_;  ///< the first
    bool in_summary_ = false;
    std::map<std::uint16_t, SchemaFacts> schemas_;
    std::map<std::uint16_t, ChannelFacts> channels_;
    std::map<std::string, std::uint16_t> topics_;
    McapIndexCheck index_;
    std::uint64_t trace_records_ = 0;
};

}  // namespace ositrace
