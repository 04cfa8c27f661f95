// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// Writes a result to standard output (buffered). Throws Error (io).
void print(std::string_view text);
/// Writes a line about a complete output. If that fails, only a warning is printed: the work is done.
void print_summary(std::string_view text, Messages& messages);
/// Results are safe only when this has returned. Throws Error (io).
void flush_output();

}  // namespace ositrace::app
