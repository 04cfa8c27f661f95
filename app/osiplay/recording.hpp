// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <string_view>

#include "app/osiplay/sink_kinds.hpp"

namespace ositrace::app {

/// What the models were given, too; what they hold, in every step.
inline constexpr std::array<std::string_view, 2> record_words{"inputs", "held"};

/// A recording; says at the end what it had no place for, and which channels will be read in another order.
[[nodiscard]] MadeSink make_recording(const SinkRequest& request, const SinkSurroundings& around);

}  // namespace ositrace::app
