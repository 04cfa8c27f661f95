// SPDX-License-Identifier: MPL-2.0
// osi3.MapAsamOpenDrive: the message in which the omega-prime profile has the map of a trace. OSI itself does not have
// it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

inline constexpr std::string_view map_message_type = "osi3.MapAsamOpenDrive";
inline constexpr std::string_view map_topic = "/ground_truth_map";

struct MapMessage {
    std::string reference;  ///< as the ground truth has it in map_reference
    std::string xml;
};

/// `/ground_truth_map` with its schema.
[[nodiscard]] Channel map_channel();

/// Throws Error (malformed).
[[nodiscard]] MapMessage read_map_message(Bytes payload);
[[nodiscard]] std::shared_ptr<const ByteBuffer> map_message(std::string_view reference, std::string_view xml);

}  // namespace ositrace
