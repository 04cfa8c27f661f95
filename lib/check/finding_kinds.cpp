// SPDX-License-Identifier: MPL-2.0
#include "lib/check/finding_kinds.hpp"

#include <algorithm>
#include <array>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

using enum Severity;

/// The version is that of OSI when the rule was defined. `.alt` is reserved for names that are no domains (RFC 9476),
/// so nobody else has this one.
constexpr std::string_view our_prefix = "ositrace.alt:osi:3.8.0:";
constexpr std::string_view asam_prefix = "asam.net:osi:3.0.0:";
constexpr bool of_asam = true;

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

constexpr FindingKind omega_prime(std::string_view rule, Severity severity, std::string_view description)
{
    return {rule, severity, description, "omega-prime", false, Profile::omega_prime};
}

constexpr std::array finding_rows{
    FindingKind{"framing.complete", error, "the file ends at the end of a frame", single},
    FindingKind{"framing.length_in_range", error,
                "a frame is not longer than the limit (2^31 - 1 bytes, or --max-message)", single},
    FindingKind{"framing.no_trailing_zeros", error, "no preallocated zeros follow the last frame", single},
    FindingKind{"framing.only_messages", error, "the file contains length-prefixed OSI messages and nothing else",
                single},
    FindingKind{"framing.no_empty_frame", warning, "no message is empty", single},
    FindingKind{"framing.has_frames", warning, "a trace has at least one frame", ""},

    FindingKind{"deserialization.possible", error, "every message can be deserialized completely", single, of_asam},
    FindingKind{"deserialization.expected_type", error, "every message has the type and encoding of its channel",
                single, of_asam},
    FindingKind{"deserialization.no_unknown_fields", info, "every field is defined in the schema", ""},
    FindingKind{"deserialization.version_is_set", error, "the OSI version of every top-level message is set",
                header_version, of_asam},
    FindingKind{"deserialization.version_is_constant", warning, "all messages of a channel have the same OSI version",
                header_version},

    FindingKind{"file_name.convention", info, "the file name follows the naming convention", naming},
    FindingKind{"file_name.timestamp", warning, "the timestamp in the file name is a valid date and time", naming},
    FindingKind{"file_name.type", error, "the type in the file name is the type of the messages", naming},
    FindingKind{"file_name.osi_version", warning, "the OSI version in the file name is the version of the messages",
                naming},
    FindingKind{"file_name.protobuf_version", warning,
                "the Protobuf version in the file name is the metadata's min_protobuf_version", naming},
    FindingKind{"file_name.number_of_frames", warning,
                "the number of frames in the file name is the number of frames in the file", naming},
    FindingKind{"file_name.extension", warning, "the extension matches container, compression and encoding of the file",
                naming},

    FindingKind{"timestamp.is_set", error, "the timestamp of every message is set, if its type has one", header_time},
    FindingKind{"timestamp.nanos_in_range", error, "nanos is less than 10^9", timestamp},
    FindingKind{"timestamp.in_range", error, "a timestamp fits into 64-bit nanoseconds", timestamp},
    FindingKind{"timestamp.not_negative", warning, "a timestamp is not negative (MCAP cannot store negative times)",
                timestamp},
    FindingKind{"timestamp.not_repeated", warning, "a timestamp differs from the previous one", header_time},
    FindingKind{"timestamp.not_decreasing", error, "timestamps do not decrease", header_time},
    FindingKind{"timestamp.no_gap", warning,
                "no frame is missing: a time step is at most 1.5 times the usual step around it", ""},
    FindingKind{"timestamp.constant_rate", info, "the frame rate does not change permanently", ""},

    FindingKind{"id.unique_in_frame", error, "an id is unique within a frame", identifier},
    FindingKind{"id.valid", error, "an id is not 2^64 - 1, which is reserved for 'no id'", identifier},
    FindingKind{"id.constant_kind", warning, "an id belongs to objects of one kind in all frames", identifier},
    FindingKind{"id.constant_type", warning, "the type of a moving object does not change", identifier},

    FindingKind{"reference.host_vehicle", error, "host_vehicle_id refers to a moving object of the frame",
                "OSI 3.8.0, GroundTruth.host_vehicle_id"},
    FindingKind{"reference.lane", error, "a lane id refers to a lane of this or an earlier frame",
                "OSI 3.8.0, osi_lane.proto"},
    FindingKind{"reference.lane_boundary", error,
                "a lane boundary id refers to a lane boundary of this or an earlier frame",
                "OSI 3.8.0, osi_lane.proto"},
    FindingKind{
        "reference.logical_lane", error,
        "an id of a logical lane, logical lane boundary or reference line refers to one of this or an earlier frame",
        "OSI 3.8.0, osi_logicallane.proto"},
    FindingKind{"reference.object", error, "an object id refers to an object of this or an earlier frame", identifier},
    FindingKind{"reference.sensor", error, "a sensor id refers to a sensor that the message describes",
                "OSI 3.8.0, osi_sensordata.proto"},

    FindingKind{"value.is_finite", error,
                "positions, dimensions, orientations and movements are neither NaN nor infinite", ""},

    FindingKind{
        "map.readable", warning,
        "the map that a trace without lanes names, or that is found or given, can be read completely and has lanes",
        "OSI 3.8.0, GroundTruth.map_reference"},
    FindingKind{"map.found", info, "the map that a trace with lanes names is in or beside it",
                "OSI 3.8.0, GroundTruth.map_reference"},
    FindingKind{
        "map.fits", warning,
        "at least half of the moving objects of a frame are within 10 m of a lane of the map, also in height, and its "
        "projection is that of the trace",
        "OSI 3.8.0, GroundTruth.map_reference"},
    FindingKind{"map.projection", info, "the projections of the map and the trace can be compared",
                "OSI 3.8.0, GroundTruth.proj_string"},
    FindingKind{"map.lanes", warning, "the lane boundaries of the trace are at most 0.2 m from those of the map",
                "OSI 3.8.0, GroundTruth.map_reference"},

    FindingKind{"mcap.valid_file", error, "the file is a valid, undamaged MCAP file", multi},
    FindingKind{"mcap.has_osi_channel", error, "if the file has channels, one of them has OSI messages", ""},
    FindingKind{"mcap.data_crc", error, "the CRC in DataEnd, if not 0, is the CRC of the data section", multi},
    FindingKind{"mcap.summary_crc", error, "the CRC in the Footer, if not 0, is the CRC of the summary", multi},
    FindingKind{"mcap.chunk_index", error, "the summary contains a correct ChunkIndex of every chunk", multi},
    FindingKind{"mcap.chunk_times", error,
                "a chunk and its ChunkIndex contain the first and last log time of its messages", multi},
    FindingKind{"mcap.message_index", error,
                "the message indexes of a chunk, if it has any, list channel, log time and offset of every message",
                multi},
    FindingKind{"mcap.statistics", error, "the counts and times in Statistics, if present, are those of the file",
                multi},
    FindingKind{"mcap.chunk_content", error, "a chunk contains Schema, Channel and Message records only", multi},
    FindingKind{"mcap.data_end_is_last", error, "no record of the data section follows DataEnd", multi},
    FindingKind{"mcap.repeated_record", error, "Schema or Channel records with the same id are identical", multi},
    FindingKind{"mcap.message_in_chunk", error, "every message is in a chunk", multi},
    FindingKind{"mcap.compression", error, "chunks are uncompressed or compressed with lz4 or zstd", multi},
    FindingKind{"mcap.metadata_is_set", error, "the file has a metadata record net.asam.osi.trace", multi_metadata},
    FindingKind{"mcap.metadata_unique", error, "the file has only one metadata record net.asam.osi.trace",
                multi_metadata},
    FindingKind{"mcap.key_unique", error,
                "a key is unique within a metadata record and within the metadata of a channel (readers use the last)",
                multi},
    FindingKind{"mcap.metadata_mandatory_key", error, "net.asam.osi.trace contains the five mandatory keys",
                multi_metadata},
    FindingKind{"mcap.metadata_version_format", error,
                "versions in net.asam.osi.trace have the format major.minor.patch", multi_metadata},
    FindingKind{"mcap.metadata_time_format", error,
                "zero_time and creation_time have the format of an XML Schema dateTimeStamp", multi_metadata},
    FindingKind{"mcap.metadata_recommended_key", info, "net.asam.osi.trace contains the recommended keys",
                multi_metadata},
    FindingKind{"mcap.reserved_name", warning,
                "names and keys that start with net.asam.osi are defined by the standard", multi_metadata},
    FindingKind{"mcap.schema_id", error, "the schema of a channel of OSI messages exists, and its id is not 0",
                multi_schema},
    FindingKind{"mcap.schema_encoding", error, "the encoding of an OSI schema is protobuf", multi_schema},
    FindingKind{"mcap.schema_name", error, "the name of an OSI schema is the full name of a top-level message",
                multi_schema},
    FindingKind{"mcap.schema_data", error,
                "the data of an OSI schema is a FileDescriptorSet that contains the message and all imports",
                multi_schema},
    FindingKind{"mcap.schema_in_summary", error, "every OSI schema is repeated in the summary", multi_schema},
    FindingKind{"mcap.channel_in_summary", error, "every channel is repeated in the summary", multi_channel},
    FindingKind{"mcap.channel_mandatory_key", error, "the metadata of an OSI channel contains the mandatory keys",
                multi_channel},
    FindingKind{"mcap.channel_version_format", error, "versions of a channel have the format major.minor.patch",
                multi_channel},
    FindingKind{"mcap.channel_recommended_key", info, "the metadata of an OSI channel contains the recommended key",
                multi_channel},
    FindingKind{"mcap.channel_osi_version", error,
                "the OSI version in the metadata of a channel is the version of its messages", multi_channel},
    FindingKind{"mcap.topic_unique", error, "the topic of a channel is unique", multi_channel},
    FindingKind{"mcap.message_encoding", error, "the message encoding of an OSI channel is protobuf", multi_channel},
    FindingKind{"mcap.osi_version_range", error,
                "min_osi_version to max_osi_version contains the version of every message and channel", multi_metadata},
    FindingKind{"mcap.protobuf_version_range", error,
                "min_protobuf_version to max_protobuf_version contains the version of every channel", multi_metadata},
    FindingKind{"mcap.publish_time", error, "the publish time of a message is its OSI timestamp", multi_message},
    FindingKind{"mcap.log_time", info,
                "the log time of a message is its publish time, unless it records the transmission", multi_message},

    omega_prime("omega_prime.mcap", error, "the file is an MCAP file"),
    omega_prime("omega_prime.ground_truth", error, "one channel holds GroundTruth"),
    omega_prime("omega_prime.topic", warning, "the topics are /ground_truth and /ground_truth_map"),
    omega_prime("omega_prime.osi_version", error,
                "the OSI version of every GroundTruth is the same, and 3.7.0 or newer"),
    omega_prime("omega_prime.frequency", error, "a time step is at most 0.1 s"),
    omega_prime("omega_prime.map", error,
                "an OpenDRIVE map is in the channel /ground_truth_map, or beside the trace in the file that "
                "map_reference names"),
    omega_prime("omega_prime.open_drive_version", warning, "the map is OpenDRIVE 1.8"),
    omega_prime("omega_prime.map_reference_is_equal", error,
                "map_reference is the same in every GroundTruth and in the message of the map"),
    omega_prime("omega_prime.map_reference_is_set", error, "map_reference of every GroundTruth is set"),
    omega_prime("omega_prime.country_code_is_set", error, "country_code of every GroundTruth is set"),
    omega_prime("omega_prime.version_is_set", error, "version of every GroundTruth is set"),
    omega_prime("omega_prime.proj_frame_offset_is_set", error,
                "proj_frame_offset of every GroundTruth is set, with position and yaw"),
    omega_prime("omega_prime.proj_string_is_set", info,
                "proj_string of every GroundTruth is set (required of real data)"),
    omega_prime("omega_prime.timestamp_is_set", error, "timestamp of every GroundTruth is set"),
    omega_prime("omega_prime.host_vehicle_id_is_set", error, "host_vehicle_id of every GroundTruth is set"),
    omega_prime("omega_prime.moving_object_id_is_set", error, "id of every moving object is set"),
    omega_prime("omega_prime.moving_object_dimension_is_set", error, "base.dimension of every moving object is set"),
    omega_prime("omega_prime.moving_object_position_is_set", error, "base.position of every moving object is set"),
    omega_prime("omega_prime.moving_object_orientation_is_set", error,
                "base.orientation of every moving object is set"),
    omega_prime("omega_prime.moving_object_velocity_is_set", error, "base.velocity of every moving object is set"),
    omega_prime("omega_prime.moving_object_acceleration_is_set", error,
                "base.acceleration of every moving object is set"),
    omega_prime("omega_prime.moving_object_type_is_set", error, "type of every moving object is set"),
    omega_prime("omega_prime.vehicle_type_is_set", error, "vehicle_classification.type of every vehicle is set"),
    omega_prime("omega_prime.vehicle_role_is_set", error, "vehicle_classification.role of every vehicle is set"),
    omega_prime("omega_prime.traffic_light_id_is_set", error, "id of every traffic light is set"),
    omega_prime("omega_prime.traffic_light_color_is_set", error, "classification.color of every traffic light is set"),
    omega_prime("omega_prime.traffic_light_icon_is_set", error, "classification.icon of every traffic light is set"),
    omega_prime("omega_prime.traffic_light_mode_is_set", error, "classification.mode of every traffic light is set"),
    omega_prime("omega_prime.traffic_light_counter_is_set", error,
                "classification.counter of every traffic light is set"),
    omega_prime("omega_prime.traffic_light_is_out_of_service_is_set", error,
                "classification.is_out_of_service of every traffic light is set"),
    omega_prime("omega_prime.traffic_light_source_reference_is_set", error,
                "source_reference of every traffic light refers to the map (net.asam.opendrive)"),
    omega_prime("omega_prime.numbers_are_set", warning,
                "every number in a required message is set (readers take 0 for one that is not)"),
    omega_prime("omega_prime.moving_object_id_is_unique", error, "moving objects of a frame have different ids"),
    omega_prime("omega_prime.moving_object_without_gap", error,
                "a moving object is in every frame from its first to its last one, with the same id"),
    omega_prime("omega_prime.moving_object_constant_type", error, "the type of a moving object does not change"),
    omega_prime("omega_prime.moving_object_constant_dimension", error,
                "the dimension of a moving object does not change"),
    omega_prime("omega_prime.moving_object_dimension_in_range", error,
                "length and width of a moving object are greater than 0, its height is not negative"),
    omega_prime("omega_prime.moving_object_orientation_in_range", error,
                "the angles of a moving object are from -pi to pi"),
};

static_assert(finding_rows.size() ==
              static_cast<std::size_t>(Kind::omega_prime_moving_object_orientation_in_range) + 1);

struct DamageRow {
    Damage damage;
    Kind broken;
};

constexpr std::array damage_rows{
    DamageRow{Damage::bad_data_crc, Kind::mcap_data_crc},
    DamageRow{Damage::bad_summary_crc, Kind::mcap_summary_crc},
    DamageRow{Damage::chunk_index, Kind::mcap_chunk_index},
    DamageRow{Damage::chunk_times, Kind::mcap_chunk_times},
    DamageRow{Damage::message_index, Kind::mcap_message_index},
    DamageRow{Damage::statistics, Kind::mcap_statistics},
    DamageRow{Damage::message_content, Kind::deserialization_possible},
    DamageRow{Damage::record_in_chunk, Kind::mcap_chunk_content},
    DamageRow{Damage::after_data_end, Kind::mcap_data_end_is_last},
    DamageRow{Damage::preallocated_tail, Kind::framing_no_trailing_zeros},
    DamageRow{Damage::empty_tail, Kind::framing_no_trailing_zeros},
};

constexpr std::array<std::string_view, 3> severity_names{"error", "warning", "info"};

}  // namespace

std::string_view name_of(Severity severity) noexcept { return severity_names[static_cast<std::size_t>(severity)]; }

std::string FindingKind::id() const { return std::string(of_asam ? asam_prefix : our_prefix).append(rule); }

std::span<const FindingKind> finding_kinds() noexcept { return finding_rows; }

const FindingKind& row_of(Kind kind) noexcept { return finding_rows[static_cast<std::size_t>(kind)]; }

Kind broken_by(const Error& error, bool is_mcap) noexcept
{
    const auto row = std::ranges::find(damage_rows, error.damage(), &DamageRow::damage);
    if (row != damage_rows.end()) return row->broken;
    if (is_mcap) return error.cause() == Cause::unsupported ? Kind::mcap_compression : Kind::mcap_valid_file;
    if (error.cause() == Cause::truncated) return Kind::framing_complete;
    return error.cause() == Cause::limit ? Kind::framing_length_in_range : Kind::framing_only_messages;
}

}  // namespace ositrace
