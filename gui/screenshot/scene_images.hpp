// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string>

#include <QImage>
#include <QSize>

#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// Draws scenes with their overlays into images of one size, without a window. By EGL; if EGL fails or cannot draw that
/// many pixels, by Qt's painter, from above. One thread; needs a QGuiApplication.
class SceneImages {
public:
    explicit SceneImages(QSize size);
    ~SceneImages();
    /// The state must have a picture. Equal states give equal images. A scene that equals the previous one is not drawn
    /// again, only its overlay.
    [[nodiscard]] QImage draw(SceneState state);
    /// Why Qt's painter draws; empty: it does not.
    [[nodiscard]] const std::string& why_painted() const noexcept { return why_painted_; }

private:
    struct OpenGl;
    [[nodiscard]] QImage drawn(const SceneState& state);

    QSize size_;
    std::unique_ptr<OpenGl> opengl_;  ///< null: Qt's painter draws
    std::string why_painted_;
    SceneState shown_;  ///< the scene of `scene_`
    QImage scene_;      ///< without its overlay
};

}  // namespace ositrace::gui
