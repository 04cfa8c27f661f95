// SPDX-License-Identifier: MPL-2.0
// What the commands for pictures and videos share.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <QApplication>
#include <QStringList>

#include "gui/screenshot/arranged_scene.hpp"
#include "gui/window/view_options.hpp"

namespace ositrace::gui {

/// The scene as the layout and the options of the command line arrange it; the options take precedence. Throws Error
/// (io) if the layout cannot be read.
[[nodiscard]] ArrangedScene arranged_scene(const ViewOptions& options);

/// Without a display; a picture has exactly the requested size.
[[nodiscard]] QApplication offscreen_application();

[[nodiscard]] std::vector<std::filesystem::path> paths_of(const QStringList& files);

/// Throws Error (usage) if the clouds of the picture cannot be coloured by the requested field.
void refuse_colouring(const SceneState& state, const Picture& picture);

/// Runs a command and prints the error that it throws. Returns the exit status of the program: 0 done, 1 failed,
/// 2 invalid usage.
[[nodiscard]] int exit_status_of(const std::function<void()>& command);

/// `osiview: ` and the text, to standard error.
void print_error(const std::string& line);

}  // namespace ositrace::gui
