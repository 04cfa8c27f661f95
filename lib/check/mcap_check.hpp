// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <ositrace/encoding.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/schema.hpp>

#include "lib/check/findings.hpp"
#include "lib/mcap/mcap_observer.hpp"

namespace ositrace {

/// The clauses of OSI-MCAP that the records of a file can break, apart from the contents of messages. It sees the
/// records while the frames are read.
class McapCheck final : public McapObserver {
public:
    explicit McapCheck(Findings& findings);

    void begin(std::uint64_t first) override;
    [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }
    void record(const mcap::RawRecord& record, bool in_summary) override;
    void record_in_chunk(const mcap::RawRecord& record, std::uint64_t chunk) override;
    void unreadable_chunk(std::uint64_t chunk) override { index_.unreadable_chunk(chunk); }
    void go_back(std::uint64_t offset) override { index_.go_back(offset); }
    void finish() override;

private:
    struct SchemaFacts {
        std::string name;
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

    void note_unchecked();
    void read_metadata(const mcap::Metadata& record, std::uint64_t offset);
    void check_trace_record(const mcap::Metadata& record, std::uint64_t offset);
    void check_keys(const mcap::StringPairs& entries, std::uint64_t offset, std::string_view channel);
    void read_schema(const mcap::SchemaFields& schema, std::uint64_t offset, bool in_summary);
    void read_channel(const mcap::ChannelFields& channel, std::uint64_t offset, bool in_summary);
    void check_schema(const mcap::SchemaFields& schema, std::uint64_t offset);
    void check_channel(const ChannelFacts& channel);
    void check_osi_channel(const ChannelFacts& channel);
    void check_summary();
    void add(Kind kind, std::optional<std::uint64_t> byte, const std::string& message, std::string_view channel = {},
             std::string_view field = {});

    Findings& findings_;
    McapIndexCheck index_;
    std::map<std::uint16_t, SchemaFacts> schemas_;
    std::map<std::uint16_t, ChannelFacts> channels_;
    std::map<std::string, std::uint16_t, std::less<>> topics_;
    std::uint64_t trace_records_ = 0;
    bool has_begun_ = false;
};

/// Do the version ranges of the file's metadata span what channels and messages state? `osi_versions`: of the messages.
void check_version_ranges(const TraceInfo& info, const std::set<OsiVersion>& osi_versions, Findings& findings);

}  // namespace ositrace
