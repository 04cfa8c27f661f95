// SPDX-License-Identifier: MPL-2.0
// What the commands for pictures and videos share.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <QStringList>

#include "gui/screenshot/arranged_scene.hpp"
#include "gui/window/view_options.hpp"

namespace ositrace::gui {

/// The scene as the layout and the options of the command line arrange it; the options take precedence. Throws Error
/// (io) if the layout cannot be read.
[[nodiscard]] ArrangedScene arranged_scene(const ViewOptions& options);

[[nodiscard]] std::vector<std::filesystem::path> paths_of(const QStringList& files);

/// Throws Error (usage) if the clouds of the picture cannot be coloured by the requested field.
void refuse_colouring(const SceneState& state, const Picture& picture);

/// `osiview: ` and the text, to standard error.
void print_error(const std::string& line);

}  // namespace ositrace::gui
