// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <optional>

#include <ositrace/trace.hpp>

namespace ositrace::gui {

/// How the viewer opens files: every format of the library; `.txth` and JSON lines if the program was built with
/// libprotobuf. `type`: see OpenOptions.
[[nodiscard]] OpenOptions viewer_open_options(std::optional<MessageType> type);

/// Sets the limit for all files opened from now on, instead of the library's default. Call it before any thread opens a
/// file.
void set_max_message_bytes(std::size_t bytes) noexcept;

/// Can it open `.txth` and JSON lines?
[[nodiscard]] bool reads_text() noexcept;

}  // namespace ositrace::gui
