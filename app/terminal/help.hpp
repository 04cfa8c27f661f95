// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

#include "app/terminal/command.hpp"

namespace ositrace::app {

[[nodiscard]] std::string help_of(const Program& program);
[[nodiscard]] std::string help_of(const Program& program, const Command& command, const Options& options);

}  // namespace ositrace::app
