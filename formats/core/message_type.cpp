// SPDX-License-Identifier: MPL-2.0
#include <ositrace/message_type.hpp>

namespace ositrace {

namespace {

constexpr std::array message_type_rows{
    MessageTypeRow{MessageType::sensor_view, "SensorView", "osi3.SensorView", "sv", 1, 2, {"OSVN", "OSVD"}},
    MessageTypeRow{MessageType::sensor_view_configuration,
                   "SensorViewConfiguration",
                   "osi3.SensorViewConfiguration",
                   "svc",
                   1,
                   0,
                   {"OSCN", "OSCD"}},
    MessageTypeRow{MessageType::ground_truth, "GroundTruth", "osi3.GroundTruth", "gt", 1, 2, {"OGTN", "OGTD"}},
    MessageTypeRow{
        MessageType::host_vehicle_data, "HostVehicleData", "osi3.HostVehicleData", "hvd", 9, 10, {"OHVN", "OHVD"}},
    MessageTypeRow{MessageType::sensor_data, "SensorData", "osi3.SensorData", "sd", 1, 2, {"OSDN", "OSDD"}},
    MessageTypeRow{MessageType::traffic_command, "TrafficCommand", "osi3.TrafficCommand", "tc", 1, 2, {"OTCN", "OTCD"}},
    MessageTypeRow{MessageType::traffic_command_update,
                   "TrafficCommandUpdate",
                   "osi3.TrafficCommandUpdate",
                   "tcu",
                   1,
                   2,
                   {"OCUN", "OCUD"}},
    MessageTypeRow{MessageType::traffic_update, "TrafficUpdate", "osi3.TrafficUpdate", "tu", 1, 2, {"OTUN", "OTUD"}},
    MessageTypeRow{MessageType::motion_request, "MotionRequest", "osi3.MotionRequest", "mr", 1, 2, {"OMRN", "OMRD"}},
    MessageTypeRow{
        MessageType::streaming_update, "StreamingUpdate", "osi3.StreamingUpdate", "su", 1, 2, {"OSUN", "OSUD"}},
};

std::optional<MessageType> find_by(std::string_view MessageTypeRow::* member, std::string_view key) noexcept
{
    for (const auto& row : message_type_rows)
        if (row.*member == key) return row.type;
    return std::nullopt;
}

}  // namespace

std::span<const MessageTypeRow> message_types() noexcept { return message_type_rows; }

const MessageTypeRow& row_of(MessageType type) noexcept { return message_type_rows[static_cast<std::size_t>(type)]; }

std::optional<MessageType> message_type_by_code(std::string_view code) noexcept
{
    return find_by(&MessageTypeRow::code, code);
}

std::optional<MessageType> message_type_by_full_name(std::string_view full_name) noexcept
{
    return find_by(&MessageTypeRow::full_name, full_name);
}

}  // namespace ositrace
