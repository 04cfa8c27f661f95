// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include <ositrace/frame.hpp>

namespace ositrace::mcap {

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

/// A record `net.asam.osi.trace` of versions alone: nothing is lost without it, because a writer makes it from the
/// data.
[[nodiscard]] bool states_versions_only(const MetadataRecord& record);

}  // namespace ositrace::mcap
