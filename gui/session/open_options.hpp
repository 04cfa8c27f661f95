// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <optional>

#include <ositrace/trace.hpp>

namespace ositrace::gui {

/// How the viewer opens files: all that the library reads, `.txth` and JSON lines where the program was built with
/// libprotobuf. `type`: see OpenOptions.
[[nodiscard]] OpenOptions viewer_open_options(std::optional<MessageType> type);

/// Of every file that is opened from now on; the library's default before. Before any thread opens one.
void set_max_message_bytes(std::size_t bytes) noexcept;

/// Does it read those texts?
[[nodiscard]] bool reads_text() noexcept;

}  // namespace ositrace::gui
