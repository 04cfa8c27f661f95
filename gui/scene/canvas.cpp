// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/canvas.hpp"

#include <ositrace/error.hpp>

#include "gui/scene/egl_canvas.hpp"
#include "gui/scene/gl_canvas.hpp"
#include "gui/scene/painter_canvas.hpp"

namespace ositrace::gui {

std::unique_ptr<Canvas> make_canvas(QWidget& parent, QString& reason)
{
    // For tests, and for drivers that are there but broken.
    const auto wanted = qEnvironmentVariable("OSIVIEW_CANVAS");
    if (wanted == QStringLiteral("painter")) {
        reason = QStringLiteral("OSIVIEW_CANVAS asks for the painter");
        return std::make_unique<PainterCanvas>(&parent);
    }
    if (wanted != QStringLiteral("egl") && opengl_works(reason)) return std::make_unique<GlCanvas>(&parent);
    try {
        return std::make_unique<EglCanvas>(&parent);
    } catch (const Error& error) {
        if (!reason.isEmpty()) reason += QStringLiteral("; ");
        reason += QString::fromUtf8(error.what());
    }
    return std::make_unique<PainterCanvas>(&parent);
}

}  // namespace ositrace::gui
