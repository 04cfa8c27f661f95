// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>

#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

/// May messages be added to the trace of a channel, as of a live source? A file that grows is another trace each time.
[[nodiscard]] bool grows(const OpenChannel& channel) noexcept;

/// Waits until a channel that grows has message `number`, and a moment longer, so that several are read together.
/// False: it does not grow any more, or a stop was requested. Any thread but the GUI thread.
[[nodiscard]] bool wait_for_messages(const OpenChannel& channel, std::uint64_t number, const std::stop_token& stop,
                                     std::chrono::nanoseconds moment = std::chrono::milliseconds(100));

}  // namespace ositrace::gui
