// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/canvas.hpp"

#include <algorithm>

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
CanvasKind asked_for(QString& reason)
{
    const auto wanted = qEnvironmentVariable("OSIVIEW_CANVAS");
    if (wanted == QStringLiteral("egl")) return CanvasKind::egl;
    if (wanted != QStringLiteral("painter")) return CanvasKind::window;
    add_reason(reason, QStringLiteral("OSIVIEW_CANVAS asks for the painter"));
    return CanvasKind::painter;
}

}  // namespace

std::unique_ptr<Canvas> make_canvas(QWidget& parent, CanvasKind best, QString& reason)
{
    best = std::max(best, asked_for(reason));
    if (best == CanvasKind::window) {
        QString why_not;
        if (opengl_works(why_not)) return std::make_unique<GlCanvas>(&parent);
        add_reason(reason, why_not);
    }
    try {
        if (best <= CanvasKind::egl) return std::make_unique<EglCanvas>(&parent);
    } catch (const Error& error) {
        add_reason(reason, QString::fromUtf8(error.what()));
    }
    return std::make_unique<PainterCanvas>(&parent);
}

}  // namespace ositrace::gui
