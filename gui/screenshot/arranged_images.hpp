// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <QImage>
#include <QRect>
#include <QSize>
#include <QString>
#include <QStringList>

#include "gui/scene/scene_state.hpp"
#include "gui/screenshot/arranged_scene.hpp"

namespace ositrace::gui {

/// Draws scenes with their overlays into images of one size, without a window. By EGL; if EGL fails or cannot draw that
/// many pixels, by Qt's painter, from above. One thread; needs a QGuiApplication.
class SceneImages {
public:
    /// `size` in pixels of the image; a pixel of texts and lines is `scale` of them.
    explicit SceneImages(QSize size, double scale = 1);
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
    double scale_;
    std::unique_ptr<OpenGl> opengl_;  ///< null: Qt's painter draws
    std::string why_painted_;
    SceneState shown_;  ///< the scene of `scene_`
    QImage scene_;      ///< without its overlay
};

/// What all views show at a time.
struct SceneMoment {
    std::shared_ptr<const Picture> picture;  ///< not null
    Nanoseconds time{};
    QString files;         ///< see caption_of(); empty: the images have no caption
    QStringList channels;  ///< of the picture, in the order of ThingKey::source
    QStringList notes;
    std::vector<SceneMark> marks;
};

/// Draws the views of a scene beside each other into images of one size. The cameras move on from image to image. One
/// thread; needs a QGuiApplication.
class ArrangedImages {
public:
    /// See SceneImages.
    ArrangedImages(ArrangedScene scene, QSize size, double scale = 1);
    /// See SceneImages::draw().
    [[nodiscard]] QImage draw(const SceneMoment& moment);
    /// Why Qt's painter draws; empty: it does not.
    [[nodiscard]] std::string why_painted() const;

private:
    struct Drawn {
        ArrangedView view;
        QRect area;
        std::unique_ptr<SceneImages> images;
    };
    [[nodiscard]] QImage draw_view(Drawn& drawn, const SceneMoment& moment) const;

    QSize size_;
    double scale_;
    std::vector<Drawn> views_;  ///< one or two
};

}  // namespace ositrace::gui
