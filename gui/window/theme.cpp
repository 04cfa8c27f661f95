// SPDX-License-Identifier: MPL-2.0
#include "gui/window/theme.hpp"

#include <QApplication>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>

#include "gui/widgets/path_icon.hpp"

namespace ositrace::gui {

namespace {

struct ThemeColours {
    QColor window, base, alternate, text, faint, button, mid, accent, link;
};

const ThemeColours dark_colours{{0x20, 0x23, 0x29}, {0x17, 0x19, 0x1d}, {0x1c, 0x1f, 0x24},
                                {0xe4, 0xe6, 0xea}, {0x95, 0x9b, 0xa6}, {0x2b, 0x2f, 0x37},
                                {0x4a, 0x50, 0x5b}, {0x36, 0x74, 0xbb}, {0x6c, 0xb2, 0xff}};
const ThemeColours light_colours{{0xf3, 0xf4, 0xf6}, {0xff, 0xff, 0xff}, {0xf8, 0xf9, 0xfa},
                                 {0x1c, 0x1f, 0x24}, {0x5f, 0x65, 0x6f}, {0xe8, 0xea, 0xed},
                                 {0xb4, 0xb9, 0xc2}, {0x2f, 0x6f, 0xbd}, {0x1a, 0x5f, 0xb4}};

QPalette palette_of(const ThemeColours& colours)
{
    QPalette palette;
    palette.setColor(QPalette::Window, colours.window);
    palette.setColor(QPalette::WindowText, colours.text);
    palette.setColor(QPalette::Base, colours.base);
    palette.setColor(QPalette::AlternateBase, colours.alternate);
    palette.setColor(QPalette::Text, colours.text);
    palette.setColor(QPalette::PlaceholderText, colours.faint);
    palette.setColor(QPalette::Button, colours.button);
    palette.setColor(QPalette::ButtonText, colours.text);
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::ToolTipBase, colours.button);
    palette.setColor(QPalette::ToolTipText, colours.text);
    palette.setColor(QPalette::Light, colours.mid.lighter(120));
    palette.setColor(QPalette::Midlight, colours.button.lighter(110));
    palette.setColor(QPalette::Mid, colours.mid);
    palette.setColor(QPalette::Dark, colours.base.darker(130));
    palette.setColor(QPalette::Shadow, colours.base.darker(180));
    palette.setColor(QPalette::Highlight, colours.accent);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, colours.link);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, colours.faint);
    return palette;
}

/// Fusion with icons of paths. It outlines a check box darker than the window, and fills a button that is on a little
/// darker, which are invisible in the dark theme: the outline has the colour of faint text, the button the colour of
/// what is selected.
class ClearControls final : public QProxyStyle {
public:
    ClearControls() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override
    {
        if (element == PE_PanelButtonTool && option->state & State_On) return draw_pressed(*option, *painter);
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (element != PE_IndicatorCheckBox) return;
        painter->save();
        painter->setPen(option->palette.color(QPalette::PlaceholderText));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
    }

    /// Those of docks are pixels in Qt, blurred on a screen of high resolution; Qt looks for that of a text field in
    /// 5 000 places of each icon theme.
    QIcon standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const override
    {
        switch (which) {
        case SP_TitleBarCloseButton:
        case SP_DockWidgetCloseButton: return path_icon("M 6 6 L 18 18 M 18 6 L 6 18");
        case SP_LineEditClearButton: return path_icon("M 8 8 L 16 16 M 16 8 L 8 16");
        case SP_TitleBarNormalButton: return path_icon("M 9 9 L 19 9 L 19 19 L 9 19 Z M 5 15 L 5 5 L 15 5");
        default: return QProxyStyle::standardIcon(which, option, widget);
        }
    }

private:
    static void draw_pressed(const QStyleOption& option, QPainter& painter)
    {
        constexpr double radius = 3;
        constexpr float fill = 0.3F;
        auto colour = option.palette.color(QPalette::Highlight);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(colour);
        colour.setAlphaF(fill);
        painter.setBrush(colour);
        painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
        painter.restore();
    }
};

}  // namespace

void apply_theme(QApplication& application, Theme theme)
{
    if (dynamic_cast<ClearControls*>(application.style()) == nullptr) QApplication::setStyle(new ClearControls);
    const auto palette = palette_of(theme == Theme::dark ? dark_colours : light_colours);
    if (QApplication::palette() != palette) QApplication::setPalette(palette);
}

Theme preferred_theme()
{
    const QPalette palette;
    return palette.color(QPalette::Window).lightnessF() < 0.5F ? Theme::dark : Theme::light;
}

}  // namespace ositrace::gui
