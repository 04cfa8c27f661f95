// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QString>
#include <QStringList>

#include "gui/render/camera.hpp"
#include "gui/render/options.hpp"

namespace ositrace::gui {

/// The object under the mouse.
struct Hovered {
    QStringList lines;  ///< its description
    double x = 0;       ///< pixels
    double y = 0;
    std::optional<ThingKey> thing;
};

/// A result of a comparison in the scene.
struct SceneMark {
    enum class Kind : std::uint8_t {
        pair,    ///< a line from `at` to `other`
        missed,  ///< a ring
        ghost,   ///< a cross
    };
    Kind kind = Kind::pair;
    GlobalPoint at{};
    GlobalPoint other{};
    friend bool operator==(const SceneMark&, const SceneMark&) = default;
};

/// An end of a measured line.
struct MeasuredEnd {
    GlobalPoint place{};
    QString what;  ///< what it was snapped to: `front bumper of 12 car`; empty: nothing
};

/// Everything that the scene shows: the picture and its overlay.
struct SceneState {
    std::shared_ptr<const Picture> picture;  ///< null: nothing is open
    Camera camera;
    RenderOptions options;

    bool labels = true;
    bool legend = true;
    std::optional<bool> legend_folded;  ///< to one line; empty: while a long one would hide much of the scene
    QString caption;                    ///< at the top: file and time
    QStringList notes;                  ///< notes of the window, besides those of the picture
    std::optional<Hovered> hovered;
    std::vector<MeasuredEnd> measured;       ///< at most two
    std::optional<MeasuredEnd> next_end;     ///< what a click would measure to now
    std::optional<GlobalPoint> under_mouse;  ///< on the ground, in the bird's eye view
    std::vector<SceneMark> marks;
};

}  // namespace ositrace::gui
