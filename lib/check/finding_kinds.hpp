// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>

#include <ositrace/check.hpp>

namespace ositrace {

/// The rows of finding_kinds(), in their order.
enum class Kind : std::uint8_t {
    // framing
    truncated,
    oversize,
    tail_of_zeros,
    garbage,
    empty_frame,
    no_frames,
    // content
    not_readable,
    other_type,
    unknown_fields,
    missing_version,
    version_changes,
    // name
    name_form,
    name_timestamp,
    name_type,
    name_osi_version,
    name_protobuf_version,
    name_frames,
    name_extension,
    // times
    time_missing,
    time_nanos,
    time_overflow,
    time_negative,
    time_equal,
    time_backward,
    time_gap,
    time_rate,
    // ids
    id_duplicate,
    id_invalid,
    id_changes_kind,
    id_changes_type,
    // references
    reference_host,
    reference_lane,
    reference_boundary,
    reference_logical_lane,
    reference_object,
    reference_sensor,
    // values
    value_finite,
    // OSI-MCAP
    mcap_record,
    mcap_data_crc,
    mcap_summary_crc,
    mcap_no_index,
    mcap_chunk_times,
    mcap_message_index,
    mcap_statistics,
    mcap_record_in_chunk,
    mcap_behind_data_end,
    mcap_message_outside_chunk,
    mcap_compression,
    mcap_no_metadata,
    mcap_metadata_repeated,
    mcap_key_repeated,
    mcap_metadata_key,
    mcap_metadata_version,
    mcap_metadata_time,
    mcap_metadata_recommended,
    mcap_reserved_name,
    mcap_schema_id,
    mcap_schema_encoding,
    mcap_schema_name,
    mcap_schema_data,
    mcap_schema_in_summary,
    mcap_channel_in_summary,
    mcap_channel_version,
    mcap_channel_description,
    mcap_channel_data_version,
    mcap_topic_repeated,
    mcap_message_encoding,
    mcap_osi_range,
    mcap_protobuf_range,
    mcap_publish_time,
    mcap_log_time,
};

[[nodiscard]] const FindingKind& row_of(Kind kind) noexcept;

}  // namespace ositrace
