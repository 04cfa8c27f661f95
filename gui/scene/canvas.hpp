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

/// From the preferred one to the one that works everywhere.
enum class CanvasKind : std::uint8_t {
    window,   ///< the OpenGL of the window system
    egl,      ///< OpenGL without a window system
    painter,  ///< Qt's painter: the bird's eye view only
};

/// A widget that shows a scene.
class Canvas {
public:
    virtual ~Canvas() = default;
    [[nodiscard]] virtual CanvasKind kind() const = 0;
    [[nodiscard]] virtual QWidget& widget() = 0;
    /// Schedules the drawing, large clouds in slices; drops an earlier drawing that is not complete.
    virtual void show_state(const SceneState& state) = 0;
    /// The object under a pixel of the widget.
    [[nodiscard]] virtual std::optional<Pick> pick(double x, double y, PickOrder order) = 0;
    /// `llvmpipe ...; 4.5 ...`, `Qt's painter`
    [[nodiscard]] virtual QString description() const = 0;
    /// The last state is visible, its clouds at least coarsely.
    [[nodiscard]] virtual bool is_seen() const = 0;
    /// The last state is visible completely.
    [[nodiscard]] virtual bool is_complete() const = 0;
    /// Duration of drawing it.
    [[nodiscard]] virtual std::chrono::nanoseconds drawn_in() const = 0;

    [[nodiscard]] bool has_3d() const { return kind() != CanvasKind::painter; }

    /// Called during painting when the last state is complete: must return at once.
    std::function<void()> on_complete = [] {};
    /// Called during painting with what the labels took: must return at once.
    std::function<void(std::chrono::nanoseconds)> on_labels = [](std::chrono::nanoseconds) {};
    /// Called once, during painting or picking, when OpenGL fails: the canvas must be replaced, but not within this
    /// call.
    std::function<void(const QString& why)> on_failure = [](const QString&) {};
};

/// The OpenGL that the window system provides.
enum class WindowOpenGl : std::uint8_t {
    none,
    by_processor,  ///< Mesa's llvmpipe or similar: every repaint of a panel draws the whole window
    by_card,
};

/// Creates a context to find out, once. `reason`: why there is no OpenGL 3.3. Needs a QGuiApplication.
[[nodiscard]] WindowOpenGl window_opengl(QString& reason);

/// With the OpenGL of the window system. Only if window_opengl() finds it: otherwise Qt 6.4 crashes.
[[nodiscard]] std::unique_ptr<Canvas> make_window_canvas(QWidget& parent);

/// A set of kinds.
using CanvasKinds = std::bitset<static_cast<std::size_t>(CanvasKind::painter) + 1>;
[[nodiscard]] inline CanvasKinds with(CanvasKinds kinds, CanvasKind one)
{
    return kinds.set(static_cast<std::size_t>(one));
}

/// The preferred canvas that works here and has not `failed`, or the painter: never throws. Adds to `reason` why no
/// better canvas is used.
[[nodiscard]] std::unique_ptr<Canvas> make_canvas(QWidget& parent, CanvasKinds failed, QString& reason);

}  // namespace ositrace::gui
