// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>

#include <ositrace/message_type.hpp>
#include <ositrace/performance_log.hpp>

namespace ositrace {

/// Called at the stages of a model's step, when they happen. A source:
/// start_source_calculation, start_serialize, stop_serialize; a sensor: start_deserialize, stop_deserialize,
/// start_serialize, stop_serialize. `bytes`: of the message that is read or was written, 0 while that is not known.
using ModelObserver = std::function<void(PerformanceEvent event, MessageType message, std::uint64_t bytes)>;

}  // namespace ositrace
