// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <ositrace/trace.hpp>

namespace ositrace::gui {

/// How the viewer opens files: all that the library reads, `.txth` and JSON lines where the program was built with libprotobuf.
/// `type`: see OpenOptions.
[[nodiscard]] OpenOptions viewer_open_options(std::optional<MessageType> type);

/// Does it read those texts?
[[nodiscard]] bool reads_text() noexcept;

}  // namespace ositrace::gui
