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

#include "gui/screenshot/arranged_scene.hpp"
#include "gui/screenshot/scene_images.hpp"

namespace ositrace::gui {

/// What all views show at a time.
struct SceneMoment {
    std::shared_ptr<const Picture> picture;  ///< not null
    Nanoseconds time{};
    QString files;         ///< see caption_of()
    QStringList channels;  ///< of the picture, in the order of ThingKey::source
    QStringList notes;
    std::vector<SceneMark> marks;
};

/// Draws the views of a scene beside each other into images of one size. The cameras move on from image to image. One
/// thread; needs a QGuiApplication.
class ArrangedImages {
public:
    ArrangedImages(ArrangedScene scene, QSize size);
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
    [[nodiscard]] static QImage draw_view(Drawn& drawn, const SceneMoment& moment);

    QSize size_;
    std::vector<Drawn> views_;  ///< one or two
};

}  // namespace ositrace::gui
