// SPDX-License-Identifier: MPL-2.0
// The scene of pictures and videos that the command line requests.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <QStringList>

#include "gui/scene/camera_controller.hpp"
#include "gui/scene/scene_state.hpp"
#include "gui/session/session.hpp"
#include "gui/session/snapshot.hpp"
#include "gui/window/view_options.hpp"

namespace ositrace::gui {

/// A picture of a time is the same alone and in a video.
[[nodiscard]] inline CameraController behind_host()
{
    CameraController controller;
    controller.set_shows_all(false);
    return controller;
}

/// The camera of pictures in a row.
struct PictureCamera {
    CameraController controller = behind_host();  ///< before the first picture
    std::optional<Camera> of_layout;              ///< direction and distance, which replace those of the controller
    /// It moves on from picture to picture, as in the window while playing; else it is placed for each picture alone.
    bool moves_on = false;
    [[nodiscard]] Camera place(const Picture& picture);
};

/// A view of the scene.
struct ArrangedView {
    SceneState state;  ///< without what a SceneMoment and the camera determine
    PictureCamera camera;
    QStringList hidden_channels;  ///< in this view only
};

/// As in the window: one view, or two beside each other.
struct ArrangedScene {
    ArrangedView first;
    std::optional<ArrangedView> second;
    double first_share = 0.5;  ///< of the width, with a second view
    Nanoseconds trail{};       ///< of moving objects; 0: none
};

/// The scene as the layout and the options of the command line arrange it; the options take precedence. Throws Error
/// (io) if the layout cannot be read.
[[nodiscard]] ArrangedScene arranged_scene(const ViewOptions& options);

[[nodiscard]] std::vector<std::filesystem::path> paths_of(const QStringList& files);
/// `drive.osi and 1 more`
[[nodiscard]] QString caption_of(const std::vector<std::filesystem::path>& files);

/// Throws Error (io) if a file could not be opened, even if its first messages are known; a file that is damaged later
/// is shown up to the damage.
void refuse_unopened(const Session& session);
/// Throws Error (usage) if the clouds of the picture cannot be coloured by the requested field.
void refuse_colouring(const SceneState& state, const Picture& picture);

/// `osiview: ` and the text, to standard error.
void print_error(const std::string& line);

}  // namespace ositrace::gui
