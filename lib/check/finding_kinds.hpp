// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>

#include <ositrace/check.hpp>
#include <ositrace/error.hpp>

namespace ositrace {

/// The rows of finding_kinds() in finding_kinds.cpp, in their order. A new rule is a value here, a row there, and a
/// test where its facts are known: of frames and times in channel_check.cpp, of the contents of messages in
/// content_check.cpp, of the map in map_check.cpp, of file names in check_trace.cpp, of MCAP records in mcap_check.cpp,
/// of a profile in profile_check.cpp.
enum class Kind : std::uint8_t {
    // framing
    framing_complete,
    framing_length_in_range,
    framing_no_trailing_zeros,
    framing_only_messages,
    framing_no_empty_frame,
    framing_has_frames,
    // content
    deserialization_possible,
    deserialization_expected_type,
    deserialization_no_unknown_fields,
    deserialization_version_is_set,
    deserialization_version_is_constant,
    // name
    file_name_convention,
    file_name_timestamp,
    file_name_type,
    file_name_osi_version,
    file_name_protobuf_version,
    file_name_number_of_frames,
    file_name_extension,
    // times
    timestamp_is_set,
    timestamp_nanos_in_range,
    timestamp_in_range,
    timestamp_not_negative,
    timestamp_not_repeated,
    timestamp_not_decreasing,
    timestamp_no_gap,
    timestamp_constant_rate,
    // ids
    id_unique_in_frame,
    id_valid,
    id_constant_kind,
    id_constant_type,
    // references
    reference_host_vehicle,
    reference_lane,
    reference_lane_boundary,
    reference_logical_lane,
    reference_object,
    reference_sensor,
    // values
    value_is_finite,
    // map
    map_readable,
    map_found,
    map_fits,
    map_projection,
    map_lanes,
    // OSI-MCAP
    mcap_valid_file,
    mcap_has_osi_channel,
    mcap_data_crc,
    mcap_summary_crc,
    mcap_chunk_index,
    mcap_chunk_times,
    mcap_message_index,
    mcap_statistics,
    mcap_chunk_content,
    mcap_data_end_is_last,
    mcap_repeated_record,
    mcap_message_in_chunk,
    mcap_compression,
    mcap_metadata_is_set,
    mcap_metadata_unique,
    mcap_key_unique,
    mcap_metadata_mandatory_key,
    mcap_metadata_version_format,
    mcap_metadata_time_format,
    mcap_metadata_recommended_key,
    mcap_reserved_name,
    mcap_schema_id,
    mcap_schema_encoding,
    mcap_schema_name,
    mcap_schema_data,
    mcap_schema_in_summary,
    mcap_channel_in_summary,
    mcap_channel_mandatory_key,
    mcap_channel_version_format,
    mcap_channel_recommended_key,
    mcap_channel_osi_version,
    mcap_topic_unique,
    mcap_message_encoding,
    mcap_osi_version_range,
    mcap_protobuf_version_range,
    mcap_publish_time,
    mcap_log_time,
    // the omega-prime profile
    omega_prime_mcap,
    omega_prime_ground_truth,
    omega_prime_topic,
    omega_prime_osi_version,
    omega_prime_frequency,
    omega_prime_map,
    omega_prime_open_drive_version,
    omega_prime_map_reference_is_equal,
    omega_prime_map_reference_is_set,
    omega_prime_country_code_is_set,
    omega_prime_version_is_set,
    omega_prime_proj_frame_offset_is_set,
    omega_prime_proj_string_is_set,
    omega_prime_timestamp_is_set,
    omega_prime_host_vehicle_id_is_set,
    omega_prime_moving_object_id_is_set,
    omega_prime_moving_object_dimension_is_set,
    omega_prime_moving_object_position_is_set,
    omega_prime_moving_object_orientation_is_set,
    omega_prime_moving_object_velocity_is_set,
    omega_prime_moving_object_acceleration_is_set,
    omega_prime_moving_object_type_is_set,
    omega_prime_vehicle_type_is_set,
    omega_prime_vehicle_role_is_set,
    omega_prime_traffic_light_id_is_set,
    omega_prime_traffic_light_color_is_set,
    omega_prime_traffic_light_icon_is_set,
    omega_prime_traffic_light_mode_is_set,
    omega_prime_traffic_light_counter_is_set,
    omega_prime_traffic_light_is_out_of_service_is_set,
    omega_prime_traffic_light_source_reference_is_set,
    omega_prime_numbers_are_set,
    omega_prime_moving_object_id_is_unique,
    omega_prime_moving_object_without_gap,
    omega_prime_moving_object_constant_type,
    omega_prime_moving_object_constant_dimension,
    omega_prime_moving_object_dimension_in_range,
    omega_prime_moving_object_orientation_in_range,
};

[[nodiscard]] const FindingKind& row_of(Kind kind) noexcept;
/// What a damaged place of a file breaks. `is_mcap`: it is an MCAP file, or else its frames are length-prefixed.
[[nodiscard]] Kind broken_by(const Error& error, bool is_mcap) noexcept;

}  // namespace ositrace
