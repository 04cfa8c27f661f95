// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/canvas.hpp"

#include <optional>

#include <ositrace/error.hpp>

#include "gui/scene/egl_canvas.hpp"
#include "gui/scene/gl_canvas.hpp"
#include "gui/scene/painter_canvas.hpp"

namespace ositrace::gui {

namespace {

void add_reason(QString& reasons, const QString& reason)
{
    if (reasons.contains(reason)) return;
    if (!reasons.isEmpty()) reasons += QStringLiteral("; ");
    reasons += reason;
}

/// For tests, and for drivers that are there but broken.
std::optional<CanvasKind> asked_for(QString& reason)
{
    const auto wanted = qEnvironmentVariable("OSIVIEW_CANVAS");
    if (wanted == QStringLiteral("window")) return CanvasKind::window;
    if (wanted == QStringLiteral("egl")) return CanvasKind::egl;
    if (wanted != QStringLiteral("painter")) return std::nullopt;
    add_reason(reason, QStringLiteral("OSIVIEW_CANVAS asks for the painter"));
    return CanvasKind::painter;
}

}  // namespace

std::unique_ptr<Canvas> make_canvas(QWidget& parent, CanvasKinds failed, QString& reason)
{
    const auto asked = asked_for(reason);
    const auto may_be = [&](CanvasKind kind) {
        return !failed.test(static_cast<std::size_t>(kind)) && kind >= asked.value_or(kind);
    };
    auto window = WindowOpenGl::none;
    if (may_be(CanvasKind::window)) {
        QString why_not;
        window = window_opengl(why_not);
        if (window == WindowOpenGl::none) add_reason(reason, why_not);
    }
    if (window == WindowOpenGl::by_card || (window != WindowOpenGl::none && asked == CanvasKind::window))
        return std::make_unique<GlCanvas>(&parent);
    try {
        if (may_be(CanvasKind::egl)) return std::make_unique<EglCanvas>(&parent);
    } catch (const Error& error) {
        add_reason(reason, QString::fromUtf8(error.what()));
    }
    if (window == WindowOpenGl::by_processor) return std::make_unique<GlCanvas>(&parent);
    return std::make_unique<PainterCanvas>(&parent);
}

}  // namespace ositrace::gui
