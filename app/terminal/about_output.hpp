// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

#include <ositrace/trace_writer.hpp>

#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// Warns of channels whose OSI version the data do not state or change, of messages without times, and of channels that
/// will be read in another order than they were written in: true where that happened and `order_counts`, as in a
/// recording, which has no other file to show the order.
bool tell_about(const TraceWriter& out, const std::filesystem::path& file, Messages& messages,
                bool order_counts = false);

}  // namespace ositrace::app
