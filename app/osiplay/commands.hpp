// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include "app/terminal/command.hpp"

namespace ositrace::app {

/// `osiplay TRACE`, without a verb.
[[nodiscard]] std::unique_ptr<Command> play_command();

}  // namespace ositrace::app
