// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <string_view>

#include "app/osiplay/sink_kinds.hpp"

namespace ositrace::app {

inline constexpr std::array<std::string_view, 4> fmu_options{"--set", "--connect", "--timeout", "--in-process"};

inline constexpr std::array<std::string_view, 2> fmu_words{"name", "outputs"};

/// `fmu:MODEL.fmu?name=NAME&outputs=FILE`. What the model says goes to the messages, after its name.
[[nodiscard]] MadeSink make_fmu(const SinkRequest& request, const SinkSurroundings& around);

}  // namespace ositrace::app
