// SPDX-License-Identifier: MPL-2.0
// The records by which OSI-MCAP describes channels and the whole trace.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace_writer.hpp>

namespace ositrace::mcap {

/// The metadata of a channel with the versions of its data: what the channel states already as major.minor.patch is
/// kept, else the OSI version is that of the first payload, or of the schema when the payload claims none; the Protobuf
/// version is the canonical one.
struct ChannelMetadata {
    std::map<std::string, std::string> entries;
    bool version_assumed = false;           ///< it is that of the schema
    std::vector<ReplacedVersion> replaced;  ///< what the channel stated in another form; without its topic
};
[[nodiscard]] ChannelMetadata metadata_of(const ositrace::Channel& channel, Bytes first_payload);

/// The record `net.asam.osi.trace` of a file in the making.
class TraceRecord {
public:
    /// A record that the input had. Of several the first states each key; lists (authors, data_sources) are joined.
    void add(const MetadataRecord& record);
    /// The metadata of an OSI channel that is written.
    void cover(const std::map<std::string, std::string>& channel_metadata);

    /// There is something to be written.
    [[nodiscard]] bool wanted() const noexcept { return given_ || covers_; }
    /// With all mandatory keys; the smallest and the largest version are those of the channels.
    [[nodiscard]] MetadataRecord record() const;

private:
    struct Range {
        std::string smallest, largest;
        void take(const std::string& version);
        void put(std::map<std::string, std::string>& entries, std::string_view smallest_key,
                 std::string_view largest_key, std::string_view otherwise) const;
    };

    bool given_ = false, covers_ = false;
    std::map<std::string, std::string> entries_;
    Range osi_, protobuf_;
};

}  // namespace ositrace::mcap
