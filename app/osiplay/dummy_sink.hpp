// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <string_view>

#include "app/osiplay/sink_kinds.hpp"

namespace ositrace::app {

inline constexpr std::array<std::string_view, 1> dummy_options{"--set"};

/// `dummy`: the dummy sensor.
[[nodiscard]] MadeSink make_dummy(const SinkRequest& request, const SinkSurroundings& around);

}  // namespace ositrace::app
