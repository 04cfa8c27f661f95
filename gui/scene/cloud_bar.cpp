// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/cloud_bar.hpp"

#include <QFontMetricsF>
#include <QLinearGradient>

#include "gui/scene/orientation.hpp"
#include "gui/scene/overlay_style.hpp"

namespace ositrace::gui {

QRectF paint_cloud_bar(QPainter& painter, QSize size, const SceneState& state)
{
    const auto colouring = colouring_of(*state.picture, state.options);
    if (!colouring) return {};
    constexpr double width = 220, height = 52, margin = 10, beside = 240;  // for the scale
    if (size.width() < width + 2 * margin) return {};
    const double below = size.width() < width + margin + beside ? scale_bar_height : 0;
    const auto theme = state.options.theme;
    const QRectF panel(size.width() - width - margin, size.height() - height - margin - below, width, height);
    paint_panel(painter, panel, theme);
    const QRectF bar(panel.left() + 10, panel.top() + 21, width - 20, 9);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 16; ++i) gradient.setColorAt(i / 16.0, to_qcolor(turbo(static_cast<float>(i) / 16)));
    painter.setBrush(gradient);
    painter.setPen(Qt::NoPen);
    painter.drawRect(bar);
    const auto font = overlay_font(11);
    painter.setFont(font);
    painter.setPen(text_colour(theme));
    auto title = QString::fromStdString(colouring->field);
    if (!colouring->unit.empty()) title += QStringLiteral(" [%1]").arg(QString::fromStdString(colouring->unit));
    title = QFontMetricsF(font).elidedText(title, Qt::ElideLeft, bar.width());
    painter.drawText(QRectF(bar.left(), panel.top() + 3, bar.width(), 16), Qt::AlignLeft | Qt::AlignVCenter, title);
    const QRectF numbers(bar.left(), bar.bottom() + 1, bar.width(), 17);
    const auto number = [](double value) { return QString::number(value, 'g', 4); };
    const auto from = static_cast<double>(colouring->from), to = static_cast<double>(colouring->to);
    painter.drawText(numbers, Qt::AlignLeft | Qt::AlignVCenter, number(from));
    painter.drawText(numbers, Qt::AlignHCenter | Qt::AlignVCenter, number((from + to) / 2));
    painter.drawText(numbers, Qt::AlignRight | Qt::AlignVCenter, number(to));
    return panel;
}

}  // namespace ositrace::gui
