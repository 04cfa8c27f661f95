// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QString>
#include <QStringList>

#include "gui/render/camera.hpp"
#include "gui/render/options.hpp"

namespace ositrace::gui {

/// What the mouse rests on.
struct Hovered {
    QStringList lines;  ///< what is known of it
    double x = 0;       ///< pixels
    double y = 0;
    std::optional<ThingKey> thing;
};

/// Everything that the scene shows: what the renderer draws, and what is written over it.
struct SceneState {
    std::shared_ptr<const Picture> picture;  ///< null: nothing is open
    Camera camera;
    RenderOptions options;

    bool labels = true;
    bool legend = true;
    QString caption;    ///< on top: file and time
    QStringList notes;  ///< beside those of the picture: what the window has to say
    std::optional<Hovered> hovered;
    std::vector<GlobalPoint> measured;  ///< at most two places
};

}  // namespace ositrace::gui
