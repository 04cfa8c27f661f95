// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <QString>

#include "gui/screenshot/screenshot.hpp"
#include "gui/window/view_options.hpp"

namespace ositrace::gui {

/// The picture of the scene that a command line asks for, drawn as its layout says. Empty with `why` when the layout
/// cannot be read.
[[nodiscard]] std::optional<ScreenshotRequest> picture_request(const ViewOptions& options, QString& why);

}  // namespace ositrace::gui
