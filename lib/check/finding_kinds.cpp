// SPDX-License-Identifier: MPL-2.0
#include "lib/check/finding_kinds.hpp"

#include <array>

namespace ositrace {

namespace {

using enum Severity;

constexpr std::string_view id_prefix = "asam.net:osi:3.8.0:";

constexpr std::string_view single = "OSI 3.8.0, trace file formats: single-channel binary trace file";
constexpr std::string_view naming = "OSI 3.8.0, trace file naming conventions";
constexpr std::string_view multi = "OSI 3.8.0, trace file formats: multi-channel trace file (MCAP)";
constexpr std::string_view multi_metadata =
    "OSI 3.8.0, multi-channel trace file: file-wide metadata net.asam.osi.trace";
constexpr std::string_view multi_schema = "OSI 3.8.0, multi-channel trace file: schema records";
constexpr std::string_view multi_channel = "OSI 3.8.0, multi-channel trace file: channel records";
constexpr std::string_view multi_message = "OSI 3.8.0, multi-channel trace file: message records";
constexpr std::string_view header_version = "OSI 3.8.0, version field of the top-level messages";
constexpr std::string_view header_time = "OSI 3.8.0, timestamp field of the top-level messages";
constexpr std::string_view timestamp = "OSI 3.8.0, osi_common.proto: Timestamp";
constexpr std::string_view identifier = "OSI 3.8.0, osi_common.proto: Identifier";

constexpr std::array rows{
    FindingKind{"framing.truncated", error, "the file ends where a frame ends", single},
    FindingKind{"framing.oversize", error, "a frame is not longer than the limit (2^31 - 1 bytes; --max-message)",
                single},
    FindingKind{"framing.tail_of_zeros", error, "a file ends with its last frame, not with preallocated zeros", single},
    FindingKind{"framing.garbage", error, "nothing but length-prefixed messages stands in the file", single},
    FindingKind{"framing.empty_frame", warning, "a message has content", single},
    FindingKind{"framing.no_frames", warning, "a trace has frames", ""},

    FindingKind{"deserialization.possible", error, "every message can be read from its first byte to its last", single},
    FindingKind{"deserialization.expected_type", error, "every message is of the type and encoding of its channel",
                single},
    FindingKind{"deserialization.unknown_fields", info, "the schema knows every field", ""},
    FindingKind{"deserialization.version_is_set", error, "every top-level message carries its OSI version",
                header_version},
    FindingKind{"deserialization.version_is_constant", warning, "all messages of a channel have one OSI version",
                header_version},

    FindingKind{"name.form", info, "the file name follows the naming convention", naming},
    FindingKind{"name.timestamp", warning, "the time in the file name is one of the calendar", naming},
    FindingKind{"name.type", error, "the type in the file name is that of the messages", naming},
    FindingKind{"name.osi_version", warning, "the OSI version in the file name is that of the messages", naming},
    FindingKind{"name.protobuf_version", warning,
                "the Protobuf version in the file name is the metadata's min_protobuf_version", naming},
    FindingKind{"name.frames", warning, "the number of frames in the file name is that of the file", naming},
    FindingKind{"name.extension", warning, "the extension says what is in the file", naming},

    FindingKind{"timestamp.is_set", error, "every message of a type with a timestamp carries one", header_time},
    FindingKind{"timestamp.nanos_in_range", error, "nanos are less than 10^9", timestamp},
    FindingKind{"timestamp.fits", error, "a time fits into 64 bits of nanoseconds", timestamp},
    FindingKind{"timestamp.not_negative", warning, "times are not negative (an MCAP file cannot keep them)", timestamp},
    FindingKind{"timestamp.not_repeated", warning, "a frame is later than the one before", header_time},
    FindingKind{"timestamp.not_backward", error, "times do not go backward", header_time},
    FindingKind{"timestamp.no_gap", warning, "no frame is missing: a step is at most 1.5 times the usual one around it",
                ""},
    FindingKind{"timestamp.constant_rate", info, "the time between frames does not change for good", ""},

    FindingKind{"id.unique_in_frame", error, "an id is given once in a frame", identifier},
    FindingKind{"id.valid", error, "an id is not 2^64 - 1, which means none", identifier},
    FindingKind{"id.keeps_kind", warning, "an id stays with one kind of thing", identifier},
    FindingKind{"id.keeps_type", warning, "a moving object stays of one type", identifier},

    FindingKind{"reference.host_vehicle", error, "host_vehicle_id names a moving object of the frame",
                "OSI 3.8.0, GroundTruth.host_vehicle_id"},
    FindingKind{"reference.lane", error, "a lane id names a lane of this or an earlier frame",
                "OSI 3.8.0, osi_lane.proto"},
    FindingKind{"reference.lane_boundary", error, "a boundary id names a lane boundary of this or an earlier frame",
                "OSI 3.8.0, osi_lane.proto"},
    FindingKind{"reference.logical_lane", error,
                "ids of logical lanes, their boundaries and reference lines name one of this or an earlier frame",
                "OSI 3.8.0, osi_logicallane.proto"},
    FindingKind{"reference.object", error, "the id of an object names one of this or an earlier frame", identifier},
    FindingKind{"reference.sensor", error, "a sensor id names a sensor that the message describes",
                "OSI 3.8.0, osi_sensordata.proto"},

    FindingKind{"value.is_finite", error, "no number of a position, size, orientation or movement is NaN or infinite",
                ""},

    FindingKind{"mcap.record", error, "the file is a valid MCAP file", multi},
    FindingKind{"mcap.data_crc", error, "the CRC of the data section, where DataEnd states one, is right", multi},
    FindingKind{"mcap.summary_crc", error, "the CRC of the summary, where the Footer states one, is right", multi},
    FindingKind{"mcap.chunk_index", error, "the summary has an index of every chunk", multi},
    FindingKind{"mcap.chunk_times", error, "a chunk and its index state the first and last log time of its messages",
                multi},
    FindingKind{"mcap.message_index", error,
                "the message index of a chunk, where it has one, lists its messages with channel, log time and place",
                multi},
    FindingKind{"mcap.statistics", error, "the Statistics, where there are some, count what is in the file", multi},
    FindingKind{"mcap.record_in_chunk", error, "a chunk holds schemas, channels and messages only", multi},
    FindingKind{"mcap.behind_data_end", error, "nothing of the data section stands behind DataEnd", multi},
    FindingKind{"mcap.message_in_chunk", error, "every message stands in a chunk", multi},
    FindingKind{"mcap.compression", error, "chunks are uncompressed, lz4 or zstd", multi},
    FindingKind{"mcap.metadata_is_set", error, "there is a metadata record net.asam.osi.trace", multi_metadata},
    FindingKind{"mcap.metadata_once", error, "there is one metadata record net.asam.osi.trace", multi_metadata},
    FindingKind{"mcap.key_once", error,
                "a metadata record and the metadata of a channel give a key once (readers take the last)", multi},
    FindingKind{"mcap.metadata_mandatory_key", error, "the metadata has its five mandatory keys", multi_metadata},
    FindingKind{"mcap.metadata_version_form", error, "versions are major.minor.patch", multi_metadata},
    FindingKind{"mcap.metadata_time_form", error, "zero_time and creation_time are XML Schema dateTimeStamps",
                multi_metadata},
    FindingKind{"mcap.metadata_recommended_key", info, "the metadata has its recommended keys", multi_metadata},
    FindingKind{"mcap.reserved_name", warning, "names and keys that begin with net.asam.osi are those of the standard",
                multi_metadata},
    FindingKind{"mcap.schema_id", error, "a channel of OSI messages has a schema, of an id other than 0", multi_schema},
    FindingKind{"mcap.schema_encoding", error, "the schema of OSI messages is encoded as protobuf", multi_schema},
    FindingKind{"mcap.schema_name", error, "a schema is named as the top-level message it describes", multi_schema},
    FindingKind{"mcap.schema_data", error,
                "a schema is a FileDescriptorSet that describes its message, imports included", multi_schema},
    FindingKind{"mcap.schema_in_summary", error, "schemas stand in the summary too", multi_schema},
    FindingKind{"mcap.channel_in_summary", error, "channels stand in the summary too", multi_channel},
    FindingKind{"mcap.channel_version", error,
                "a channel says OSI and Protobuf version of its data, as major.minor.patch", multi_channel},
    FindingKind{"mcap.channel_description", info, "a channel describes itself", multi_channel},
    FindingKind{"mcap.channel_osi_version", error, "the OSI version of a channel is that of its messages",
                multi_channel},
    FindingKind{"mcap.topic_unique", error, "a topic has one channel", multi_channel},
    FindingKind{"mcap.message_encoding", error, "OSI messages are encoded as protobuf", multi_channel},
    FindingKind{"mcap.osi_version_range", error, "min_osi_version to max_osi_version spans the data", multi_metadata},
    FindingKind{"mcap.protobuf_version_range", error, "min_protobuf_version to max_protobuf_version spans the channels",
                multi_metadata},
    FindingKind{"mcap.publish_time", error, "the publish time of a message is its OSI timestamp", multi_message},
    FindingKind{"mcap.log_time", info, "the log time is the publish time, unless transmission times matter",
                multi_message},
};

static_assert(rows.size() == static_cast<std::size_t>(Kind::mcap_log_time) + 1);

constexpr std::array<std::string_view, 3> severity_names{"error", "warning", "info"};

}  // namespace

std::string_view name_of(Severity severity) noexcept { return severity_names[static_cast<std::size_t>(severity)]; }

std::string FindingKind::id() const { return std::string(id_prefix).append(rule); }

std::span<const FindingKind> finding_kinds() noexcept { return rows; }

const FindingKind& row_of(Kind kind) noexcept { return rows[static_cast<std::size_t>(kind)]; }

}  // namespace ositrace
