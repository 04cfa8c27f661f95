// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QToolButton>

namespace ositrace::gui {

[[nodiscard]] inline QToolButton* tool_button(const char* name, const QString& text, const QString& tip)
{
    auto* const made = new QToolButton;
    made->setObjectName(QLatin1String(name));
    made->setText(text);
    made->setToolTip(tip);
    return made;
}

}  // namespace ositrace::gui
