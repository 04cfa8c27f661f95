// SPDX-License-Identifier: MPL-2.0
// OSI's top-level messages. A new type is a value of the enum and, at the same place, a row in
// formats/core/message_type.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <ositrace/encoding.hpp>
#include <ositrace/export.hpp>

namespace ositrace {

enum class MessageType : std::uint8_t {
    sensor_view,
    sensor_view_configuration,
    ground_truth,
    host_vehicle_data,
    sensor_data,
    traffic_command,
    traffic_command_update,
    traffic_update,
    motion_request,
    streaming_update,
};

/// Source: OSI 3.8.0, trace file naming and the ten messages.
struct MessageTypeRow {
    MessageType type;
    std::string_view name;                            ///< `SensorView`
    std::string_view full_name;                       ///< `osi3.SensorView`
    std::string_view code;                            ///< in file names and on the command line: `sv`
    std::uint32_t version_field;                      ///< number of the InterfaceVersion field
    std::uint32_t timestamp_field;                    ///< number of the Timestamp field; 0 = the message has none
    std::array<std::string_view, 2> file_identifier;  ///< of its FlatBuffers form, by Layout; frozen
};

/// The rows, in the order of the enum.
[[nodiscard]] OSITRACE_API std::span<const MessageTypeRow> message_types() noexcept;
[[nodiscard]] OSITRACE_API const MessageTypeRow& row_of(MessageType type) noexcept;
[[nodiscard]] OSITRACE_API std::optional<MessageType> message_type_by_code(std::string_view code) noexcept;
[[nodiscard]] OSITRACE_API std::optional<MessageType> message_type_by_full_name(std::string_view full_name) noexcept;

}  // namespace ositrace
