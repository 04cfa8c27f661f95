// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>

#include <ositrace/frame.hpp>

namespace ositrace {

/// `fits SensorView, not GroundTruth`, `fits TrafficUpdate or StreamingUpdate, not SensorView`, for a message that is
/// of another type or encoding than its channel (see recognize_other()).
[[nodiscard]] std::optional<std::string> other_type_of(Bytes payload, const Channel& channel);

}  // namespace ositrace
