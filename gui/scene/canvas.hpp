// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include <QString>
#include <QWidget>

#include "gui/render/pick.hpp"
#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// From the best to the one that works everywhere.
enum class CanvasKind : std::uint8_t {
    window,   ///< the OpenGL of the window system
    egl,      ///< OpenGL that no window system knows of
    painter,  ///< Qt's painter: the bird's eye only
};

/// A surface that shows a scene.
class Canvas {
public:
    virtual ~Canvas() = default;
    [[nodiscard]] virtual CanvasKind kind() const = 0;
    [[nodiscard]] virtual QWidget& widget() = 0;
    /// Shows it soon, large clouds little by little; drops what is not drawn yet.
    virtual void show_state(const SceneState& state) = 0;
    /// What lies under a pixel of the widget, of what is shown.
    [[nodiscard]] virtual std::optional<Pick> pick(double x, double y, PickOrder order) = 0;
    /// `llvmpipe ...; 4.5 ...`, `Qt's painter`
    [[nodiscard]] virtual QString description() const = 0;
    /// The last state is shown, its clouds at least coarsely.
    [[nodiscard]] virtual bool is_seen() const = 0;
    /// The last state is shown to its last point.
    [[nodiscard]] virtual bool is_complete() const = 0;
    /// What drawing it took.
    [[nodiscard]] virtual std::chrono::nanoseconds drawn_in() const = 0;

    [[nodiscard]] bool has_3d() const { return kind() != CanvasKind::painter; }

    /// Called from within painting when the last state is shown to its last point: only notes it.
    std::function<void()> on_complete = [] {};
    /// Called once, from within painting or picking, when OpenGL fails: another canvas has to stand in, later.
    std::function<void(const QString& why)> on_failure = [](const QString&) {};
};

/// A set of them.
using CanvasKinds = std::bitset<static_cast<std::size_t>(CanvasKind::painter) + 1>;
[[nodiscard]] inline CanvasKinds with(CanvasKinds kinds, CanvasKind one)
{
    return kinds.set(static_cast<std::size_t>(one));
}

/// The best that works here and is none of those that `failed`, or the painter: never throws. Adds to `reason` why it
/// is not a better one.
[[nodiscard]] std::unique_ptr<Canvas> make_canvas(QWidget& parent, CanvasKinds failed, QString& reason);

}  // namespace ositrace::gui
