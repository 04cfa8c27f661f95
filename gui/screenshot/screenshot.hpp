// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gui/render/camera.hpp"
#include "gui/render/options.hpp"
#include "gui/scene/camera_controller.hpp"

namespace ositrace::gui {

struct ScreenshotRequest {
    std::vector<std::filesystem::path> files;
    std::filesystem::path output;  ///< `-`: standard output
    bool overwrite = false;
    PixelSize size{1280, 720};
    View view = View::orbit;
    std::optional<Camera> camera;      ///< how one looks; the place is that of the trace
    Follow follow = Follow::position;  ///< pose: from above, the host drives upwards
    std::string time;                  ///< as people type it; empty: the first
    std::optional<MessageType> type;   ///< of files that do not say it
    RenderOptions options;             ///< theme, what is hidden, what colours clouds
    bool labels = true;
    bool legend = true;
};

/// Makes a PNG of a moment of traces, without a display. Before any QApplication: it makes its own.
/// The file appears complete or not at all. Says on standard error what went wrong; returns what the program is to exit
/// with: 0 done, 1 could not (no such time, nothing to show, no such directory), 2 a request that cannot be meant.
[[nodiscard]] int take_screenshot(const ScreenshotRequest& request);

}  // namespace ositrace::gui
