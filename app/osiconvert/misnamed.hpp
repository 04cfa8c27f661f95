// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <ositrace/trace.hpp>

#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// Warns of a file whose name says another type than its messages have: the content decides, and who named it may have
/// meant another file.
void tell_misnamed(const TraceInfo& info, Messages& messages);

}  // namespace ositrace::app
