// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include <QString>
#include <QWidget>

#include "gui/render/pick.hpp"
#include "gui/scene/scene_state.hpp"

namespace ositrace::gui {

/// A surface that shows a scene: with OpenGL in the window, with OpenGL beside it, or with Qt's painter.
class Canvas {
public:
    virtual ~Canvas() = default;
    [[nodiscard]] virtual QWidget& widget() = 0;
    /// Shows it soon, large clouds little by little; drops what is not drawn yet.
    virtual void show_state(const SceneState& state) = 0;
    /// What lies under a pixel of the widget, of what is shown.
    [[nodiscard]] virtual std::optional<Pick> pick(double x, double y) = 0;
    [[nodiscard]] virtual bool has_3d() const = 0;
    /// `llvmpipe ...; 4.5 ...`, `Qt's painter`
    [[nodiscard]] virtual QString description() const = 0;
    /// The last state is shown to its last point.
    [[nodiscard]] virtual bool is_complete() const = 0;
    /// What drawing it took.
    [[nodiscard]] virtual std::chrono::nanoseconds drawn_in() const = 0;

    /// Called from within painting when the last state is shown to its last point: only notes it.
    std::function<void()> on_complete = [] {};
};

/// The best that works here: never throws, `reason` says why it is not a better one.
[[nodiscard]] std::unique_ptr<Canvas> make_canvas(QWidget& parent, QString& reason);

}  // namespace ositrace::gui
