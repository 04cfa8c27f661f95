// SPDX-License-Identifier: MPL-2.0
// The scene of pictures and videos.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <QStringList>

#include "gui/scene/camera_controller.hpp"
#include "gui/scene/scene_state.hpp"

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
    std::optional<PlacedCamera> of_layout;        ///< replaces that of the controller
    /// It moves on from picture to picture, as in the window while playing; else it is placed for each picture alone.
    bool moves_on = false;
    [[nodiscard]] Camera place(const Picture& picture, PixelSize size);
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

/// `drive.osi and 1 more`
[[nodiscard]] QString caption_of(const std::vector<std::filesystem::path>& files);

}  // namespace ositrace::gui
