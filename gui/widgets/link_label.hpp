// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QEvent>
#include <QLabel>

namespace ositrace::gui {

/// A text with links, whose colour follows the theme: a document has the one that it was made with.
class LinkLabel : public QLabel {
public:
    using QLabel::QLabel;

protected:
    void changeEvent(QEvent* event) override
    {
        QLabel::changeEvent(event);
        if (event->type() != QEvent::PaletteChange || text().isEmpty()) return;
        const auto shown = text();
        clear();  // the same text would be kept as it is
        setText(shown);
    }
};

}  // namespace ositrace::gui
