// SPDX-License-Identifier: MPL-2.0
// The inputs of a model before its first step (OSMP), built from the first frames of a trace.
#pragma once

#include <string>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// Replaces `out` by a GroundTruth (in Protobuf) with what is static in the ground truth of a GroundTruth or a
/// SensorView: the map, the fields that describe the whole trace, and its time. False, and `out` empty, where there is
/// no ground truth. Throws Error (malformed, limit).
OSITRACE_API bool static_ground_truth(Bytes payload, const Channel& channel, ByteBuffer& out);

/// Replaces `out` by the answer (in Protobuf) to a model's request for a SensorViewConfiguration (in Protobuf): the
/// request, with the sensor id and the mounting position that the SensorView has, `step` as the cycle time, and without
/// the kinds of sensors whose data the SensorView does not hold. Returns the names of what was requested and left out.
/// Throws Error (malformed).
OSITRACE_API std::vector<std::string> answer_configuration(Bytes request, Bytes sensor_view, const Channel& channel,
                                                           Nanoseconds step, ByteBuffer& out);

}  // namespace ositrace
