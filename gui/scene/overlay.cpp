// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/overlay.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <QFontMetricsF>

#include "gui/scene/cloud_bar.hpp"
#include "gui/scene/labels.hpp"
#include "gui/scene/legend.hpp"
#include "gui/scene/measure.hpp"
#include "gui/scene/orientation.hpp"
#include "gui/scene/overlay_style.hpp"

namespace ositrace::gui {

namespace {

constexpr double margin = 10;
constexpr double beside_orientation = 94;

QRectF paint_caption(QPainter& painter, QSize size, const SceneState& state)
{
    if (state.caption.isEmpty()) return {};
    const auto font = overlay_font(13, true);
    const QFontMetricsF metrics(font);
    const double left = legend_right(state, size) + margin, room = size.width() - beside_orientation - left,
                 around = 20;
    constexpr double smallest = 60;
    if (room < smallest) return {};
    const auto text = metrics.elidedText(state.caption, Qt::ElideMiddle, room - around);
    const double width = metrics.horizontalAdvance(text) + around;
    const QRectF panel(std::clamp((size.width() - width) / 2, left, left + room - width), margin, width,
                       metrics.height() + 8);
    paint_panel(painter, panel, state.options.theme);
    painter.setFont(font);
    painter.setPen(text_colour(state.options.theme));
    painter.drawText(panel, Qt::AlignCenter, text);
    return panel;
}

QColor colour_of(PictureNote::Kind kind, Theme theme)
{
    if (kind == PictureNote::Kind::broken) return error_colour(theme);
    return kind == PictureNote::Kind::left_out ? warning_colour(theme) : text_colour(theme);
}

/// At the bottom, above the scale: what cannot be shown says why. Long ones are wrapped.
QRectF paint_notes(QPainter& painter, QSize size, const SceneState& state)
{
    QRectF all;
    constexpr std::size_t most = 8;
    const auto theme = state.options.theme;
    std::vector<std::pair<QString, QColor>> notes;
    for (const auto& text : state.notes) notes.emplace_back(text, text_colour(theme));
    if (state.picture) {
        if (const auto why = why_not_coloured(*state.picture, state.options.cloud_field); !why.empty())
            notes.emplace_back(QString::fromStdString(why), warning_colour(theme));
        for (const auto& note : state.picture->notes)
            notes.emplace_back(QString::fromStdString(note.text), colour_of(note.kind, theme));
    }
    if (notes.size() > most) {
        const auto more = QStringLiteral("and %1 more").arg(notes.size() - (most - 1));
        notes.resize(most - 1);
        notes.emplace_back(more, faint_text(theme));
    }
    const auto font = overlay_font();
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    double bottom = size.height() - margin - scale_bar_height;
    const double width = std::clamp(size.width() - 340.0, 120.0, 620.0);
    for (auto note = notes.rbegin(); note != notes.rend(); ++note) {
        const auto area = metrics.boundingRect(QRectF(0, 0, width, size.height()), Qt::TextWordWrap, note->first);
        const QRectF panel(margin, bottom - area.height() - 8, area.width() + 16, area.height() + 6);
        paint_panel(painter, panel, theme);
        painter.setPen(note->second);
        painter.drawText(panel.adjusted(8, 3, -6, -3), Qt::TextWordWrap, note->first);
        bottom = panel.top() - 3;
        all |= panel;
    }
    return all;
}

void paint_hovered(QPainter& painter, QSize size, const SceneState& state)
{
    const auto& lines = state.hovered->lines;
    const auto font = overlay_font();
    const QFontMetricsF metrics(font);
    double width = 0;
    for (const auto& line : lines) width = std::max(width, metrics.horizontalAdvance(line));
    QRectF panel(state.hovered->x + 16, state.hovered->y + 12, width + 16,
                 metrics.height() * static_cast<double>(lines.size()) + 8);
    if (panel.right() > size.width()) panel.moveRight(state.hovered->x - 12);
    if (panel.bottom() > size.height()) panel.moveBottom(state.hovered->y - 8);
    paint_panel(painter, panel, state.options.theme);
    painter.setFont(font);
    painter.setPen(text_colour(state.options.theme));
    for (qsizetype i = 0; i < lines.size(); ++i) {
        painter.drawText(
            QPointF(panel.left() + 8, panel.top() + 4 + metrics.ascent() + static_cast<double>(i) * metrics.height()),
            lines[i]);
    }
}

}  // namespace

void paint_overlay(QPainter& painter, QSize size, const SceneState& state)
{
    if (size.isEmpty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    std::vector<QRectF> taken{paint_caption(painter, size, state), paint_notes(painter, size, state)};
    if (state.picture) {
        const ViewTransform view(state.camera, state.picture->origin, {size.width(), size.height()});
        if (state.hovered && state.hovered->thing) paint_outline(painter, view, state, *state.hovered->thing);
        if (state.legend) {
            taken.push_back(paint_legend(painter, size, state));
            taken.push_back(paint_cloud_bar(painter, size, state));
        }
        taken.push_back(paint_scale_bar(painter, size, view, state));
        taken.push_back(paint_orientation(painter, size, view, state.options.theme));
        if (state.labels) paint_labels(painter, placed_labels(view, state, std::move(taken)), state.options.theme);
        paint_measured(painter, view, state);
    }
    if (state.hovered && !state.hovered->lines.isEmpty()) paint_hovered(painter, size, state);
}

QImage overlay_image(QSize size, double pixel_ratio, const SceneState& state)
{
    QImage image(size * pixel_ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixel_ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    paint_overlay(painter, size, state);
    return image;
}

}  // namespace ositrace::gui
