// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace_writer.hpp>

namespace ositrace::mcap {

/// `protobuf`, `flatbuffer`, or what a foreign channel says.
[[nodiscard]] std::string message_encoding_of(const ositrace::Channel& channel);

/// The schema record of a channel: the one it came with as long as it is of the channel's encoding, else made from its
/// schema: a FileDescriptorSet with imports for Protobuf, a `.bfbs` of `osi3_flat.<type>` for FlatBuffers. Null when
/// there is none to be had.
[[nodiscard]] std::shared_ptr<const SchemaRecord> schema_record_of(const ositrace::Channel& channel);

/// The metadata of a channel with the versions of its data: what the channel states already as major.minor.patch is
/// kept, else the OSI version is that of the first payload, or of the schema when the payload claims none; the Protobuf
/// version is the canonical one.
struct ChannelMetadata {
    std::map<std::string, std::string> entries;
    bool version_assumed = false;           ///< it is that of the schema
    std::vector<ReplacedVersion> replaced;  ///< what the channel stated in another form; without its topic
};
[[nodiscard]] ChannelMetadata metadata_of(const ositrace::Channel& channel, Bytes first_payload);

}  // namespace ositrace::mcap
