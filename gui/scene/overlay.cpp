// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/overlay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <QFontMetricsF>
#include <QLineF>
#include <QLinearGradient>

#include "gui/scene/labels.hpp"
#include "gui/scene/legend.hpp"
#include "gui/scene/overlay_style.hpp"
#include "gui/scene/rulers.hpp"
#include "gui/scene/visibility.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

QString describe_distance(const GlobalPoint& from, const GlobalPoint& to)
{
    const auto way = to - from;
    return QStringLiteral("%1 m  (dx %2, dy %3, dz %4)")
        .arg(fixed_text(length(way), 2), fixed_text(way[0], 2), fixed_text(way[1], 2), fixed_text(way[2], 2));
}

QString describe_ends(const MeasuredEnd& from, const MeasuredEnd& to)
{
    const auto text = [](const MeasuredEnd& end) { return end.what.isEmpty() ? QStringLiteral("a place") : end.what; };
    if (from.what.isEmpty() && to.what.isEmpty()) return {};
    return QStringLiteral("from %1 to %2").arg(text(from), text(to));
}

namespace {

constexpr double margin = 10;
constexpr double beside_orientation = 94;

constexpr double scale_bar_height = 26;  // pixels that the scale occupies at the bottom

/// 1, 2 or 5 times a power of ten, at most `most`.
double round_length(double most)
{
    const double power = std::pow(10, std::floor(std::log10(most)));
    for (const double times : {5.0, 2.0}) {
        if (times * power <= most) return times * power;
    }
    return power;
}

/// The length of a round distance on the screen: from above, and in 3D at the camera's target. Returns its area.
QRectF paint_scale_bar(QPainter& painter, QSize size, const ViewTransform& view, const SceneState& state)
{
    const double metres_per_pixel = view.metres_per_pixel_at(state.camera.target - state.picture->origin);
    if (!(metres_per_pixel > 0) || !std::isfinite(metres_per_pixel)) return {};
    const double metres = round_length(140 * metres_per_pixel), pixels = metres / metres_per_pixel;
    const auto theme = state.options.theme;
    const QRectF panel(10, size.height() - 10 - 20, pixels + 74, 20);
    paint_panel(painter, panel, theme);
    const double y = panel.center().y() + 3, x = panel.left() + 8;
    painter.setPen(QPen(text_colour(theme), 1.5));
    painter.drawPolyline(
        QPolygonF{QPointF(x, y - 6), QPointF(x, y), QPointF(x + pixels, y), QPointF(x + pixels, y - 6)});
    painter.setFont(overlay_font(TextSize::small));
    const auto text = metres >= 1000 ? QStringLiteral("%1 km").arg(metres / 1000) : QStringLiteral("%1 m").arg(metres);
    painter.drawText(QRectF(x + pixels + 6, panel.top(), 60, panel.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
    return panel;
}

/// The directions of x, y and z of the world, at the top right. Returns its area.
QRectF paint_orientation(QPainter& painter, QSize size, const ViewTransform& view, Theme theme)
{
    constexpr double reach = 22;
    const QPointF middle(size.width() - 47, 47);
    struct Axis {
        const char* name;
        Vector direction;
        QColor colour;
    };
    const bool dark = theme == Theme::dark;
    std::array<Axis, 3> axes{Axis{"x", {1, 0, 0}, dark ? QColor(245, 90, 80) : QColor(195, 35, 25)},
                             Axis{"y", {0, 1, 0}, dark ? QColor(60, 185, 75) : QColor(20, 115, 40)},
                             Axis{"z", {0, 0, 1}, dark ? QColor(95, 155, 250) : QColor(30, 95, 210)}};
    // Axes that point away from the eye are painted first.
    std::sort(axes.begin(), axes.end(), [&](const Axis& a, const Axis& b) {
        return dot(a.direction, view.forward()) > dot(b.direction, view.forward());
    });
    const QRectF panel(middle.x() - 37, middle.y() - 37, 74, 74);
    painter.setPen(Qt::NoPen);
    painter.setBrush(panel_colour(theme));
    painter.drawEllipse(panel);
    painter.setFont(overlay_font(TextSize::small, true));
    const auto on_screen = [&](const Axis& axis) {
        return QPointF(dot(axis.direction, view.right()) * reach, -dot(axis.direction, view.up()) * reach);
    };
    for (const auto& axis : axes) {  // the ends that have no name
        auto faint = axis.colour;
        faint.setAlphaF(0.35F);
        painter.setPen(QPen(faint, 2));
        painter.drawLine(middle, middle - on_screen(axis));
    }
    for (const auto& axis : axes) {
        const auto along = on_screen(axis);
        if (std::hypot(along.x(), along.y()) < 3) continue;  // towards the eye
        painter.setPen(QPen(axis.colour, 2));
        painter.drawLine(middle, middle + along);
        const auto text = middle + 1.35 * along;
        painter.drawText(QRectF(text.x() - 8, text.y() - 8, 16, 16), Qt::AlignCenter, QString::fromLatin1(axis.name));
    }
    return panel;
}

/// Which clouds have the colours of the bar, if others are shown, too: `lidar detections`
QString coloured_text(const Picture& picture, const RenderOptions& options, const CloudColouring& colouring)
{
    QStringList coloured;
    bool has_others = false;
    for (const auto& cloud : picture.clouds) {
        if (!options.shows(cloud->key) || cloud->points.empty()) continue;
        const auto name = name_of(cloud->key.category);
        const auto text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
        const bool has_field = field_of(*cloud, colouring) != nullptr;
        has_others = has_others || !has_field;
        if (has_field && !coloured.contains(text)) coloured += text;
    }
    return has_others ? coloured.join(QStringLiteral(", ")) : QString();
}

/// The colours of the clouds: which ones, field, unit, range; at the bottom right. Returns its area.
QRectF paint_cloud_bar(QPainter& painter, QSize size, const SceneState& state)
{
    const auto colouring = colouring_of(*state.picture, state.options);
    if (!colouring) return {};
    constexpr double width = 220, line = 16, beside = 240;  // for the scale
    if (size.width() < width + 2 * margin) return {};
    auto title = QString::fromStdString(colouring->field);
    if (!colouring->unit.empty()) title += QStringLiteral(" [%1]").arg(QString::fromStdString(colouring->unit));
    QStringList lines{title};
    if (const auto clouds = coloured_text(*state.picture, state.options, *colouring); !clouds.isEmpty())
        lines.prepend(clouds);
    const double titles = line * static_cast<double>(lines.size()), height = titles + 36;
    const double below = size.width() < width + margin + beside ? scale_bar_height : 0;
    const auto theme = state.options.theme;
    const QRectF panel(size.width() - width - margin, size.height() - height - margin - below, width, height);
    paint_panel(painter, panel, theme);
    const QRectF bar(panel.left() + 10, panel.top() + titles + 5, width - 20, 9);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 16; ++i) gradient.setColorAt(i / 16.0, to_qcolor(turbo(static_cast<float>(i) / 16)));
    painter.setBrush(gradient);
    painter.setPen(Qt::NoPen);
    painter.drawRect(bar);
    const auto font = overlay_font(TextSize::small);
    painter.setFont(font);
    painter.setPen(text_colour(theme));
    QRectF text(bar.left(), panel.top() + 3, bar.width(), line);
    for (const auto& each : lines) {
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(each, Qt::ElideRight, text.width()));
        text.translate(0, line);
    }
    const QRectF numbers(bar.left(), bar.bottom() + 1, bar.width(), 17);
    const auto number = [](double value) { return QString::number(value, 'g', 4); };
    const auto from = static_cast<double>(colouring->from), to = static_cast<double>(colouring->to);
    painter.drawText(numbers, Qt::AlignLeft | Qt::AlignVCenter, number(from));
    painter.drawText(numbers, Qt::AlignHCenter | Qt::AlignVCenter, number((from + to) / 2));
    painter.drawText(numbers, Qt::AlignRight | Qt::AlignVCenter, number(to));
    return panel;
}

/// Texts below each other, centred at a place.
void paint_text_panel(QPainter& painter, QPointF middle, const QStringList& lines, Theme theme, bool bold = true)
{
    const auto font = overlay_font(TextSize::normal, bold);
    const QFontMetricsF metrics(font);
    double width = 0;
    for (const auto& line : lines) width = std::max(width, metrics.horizontalAdvance(line));
    QRectF area(0, 0, width + 14, metrics.height() * static_cast<double>(lines.size()) + 6);
    area.moveCenter(middle);
    paint_panel(painter, area, theme);
    painter.setFont(font);
    painter.setPen(text_colour(theme));
    painter.drawText(area, Qt::AlignCenter, lines.join(QLatin1Char('\n')));
}

/// The places that were clicked, the line between them, and what the next click would measure to.
void paint_measured(QPainter& painter, const ViewTransform& view, const SceneState& state)
{
    const auto theme = state.options.theme;
    const auto colour = to_qcolor(highlight_of(theme));
    const auto position_of = [&](const MeasuredEnd& end) -> std::optional<QPointF> {
        const auto at = view.project(end.place - state.picture->origin);
        return at ? std::optional(QPointF(at->x, at->y)) : std::nullopt;
    };
    std::vector<QPointF> ends;
    for (const auto& end : state.measured) {
        const auto at = position_of(end);
        if (!at) continue;
        ends.push_back(*at);
        painter.setPen(QPen(QColor(0, 0, 0, 160), 1));
        painter.setBrush(colour);
        painter.drawEllipse(ends.back(), 4, 4);
    }
    constexpr double ring = 7, below = 22;
    if (state.next_end) {
        if (const auto at = position_of(*state.next_end)) {
            painter.setPen(QPen(colour, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(*at, ring, ring);
            paint_text_panel(painter, *at + QPointF(0, below), {state.next_end->what}, theme, false);
        }
    }
    if (state.measured.size() == 1 && ends.size() == 1 && !state.next_end && !state.measured[0].what.isEmpty())
        paint_text_panel(painter, ends[0] + QPointF(0, below), {state.measured[0].what}, theme, false);
    if (ends.size() < 2) return;
    painter.setPen(QPen(halo_of(colour), 4));
    painter.drawLine(ends[0], ends[1]);
    painter.setPen(QPen(colour, 2, Qt::DashLine));
    painter.drawLine(ends[0], ends[1]);
    QStringList lines{describe_distance(state.measured[0].place, state.measured[1].place)};
    if (const auto what = describe_ends(state.measured[0], state.measured[1]); !what.isEmpty()) lines += what;
    paint_text_panel(painter, (ends[0] + ends[1]) / 2 - QPointF(0, 8 + 8 * static_cast<double>(lines.size())), lines,
                     theme);
}

/// The place under the mouse, beside the scale.
QRectF paint_coordinates(QPainter& painter, const QRectF& scale, const SceneState& state)
{
    if (!state.under_mouse) return {};
    const auto font = overlay_font(TextSize::small);
    const auto text = coordinates_text(*state.under_mouse);
    const QRectF panel(scale.right() + 6, scale.top(), QFontMetricsF(font).horizontalAdvance(text) + 16,
                       scale.height());
    paint_panel(painter, panel, state.options.theme);
    painter.setFont(font);
    painter.setPen(text_colour(state.options.theme));
    painter.drawText(panel, Qt::AlignCenter, text);
    return panel;
}

/// With a halo below.
template <class Draw>
void draw_twice(QPainter& painter, const QColor& colour, Draw draw)
{
    painter.setPen(QPen(halo_of(colour), 4));
    draw();
    painter.setPen(QPen(colour, 2));
    draw();
}

/// Lines between paired objects that are apart on the screen, rings around missed objects, crosses at ghosts.
void paint_marks(QPainter& painter, const ViewTransform& view, const SceneState& state)
{
    constexpr double least_length = 2, reach = 9;  // pixels
    const auto theme = state.options.theme;
    for (const auto& mark : state.marks) {
        const auto at = view.project(mark.at - state.picture->origin);
        if (!at) continue;
        const QPointF from(at->x, at->y);
        painter.setBrush(Qt::NoBrush);
        if (mark.kind == SceneMark::Kind::missed) {
            draw_twice(painter, warning_colour(theme), [&] { painter.drawEllipse(from, reach, reach); });
        } else if (mark.kind == SceneMark::Kind::ghost) {
            draw_twice(painter, error_colour(theme), [&] {
                painter.drawLine(from - QPointF(reach, reach) * 0.7, from + QPointF(reach, reach) * 0.7);
                painter.drawLine(from - QPointF(reach, -reach) * 0.7, from + QPointF(reach, -reach) * 0.7);
            });
        } else if (const auto other = view.project(mark.other - state.picture->origin)) {
            const QPointF to(other->x, other->y);
            if (QLineF(from, to).length() < least_length) continue;
            draw_twice(painter, to_qcolor(highlight_of(theme)), [&] {
                painter.drawLine(from, to);
                painter.drawEllipse(to, 2.5, 2.5);
            });
        }
    }
}

/// The names of the coordinate frames beside their origins; of those at one place one below the other.
void paint_frame_names(QPainter& painter, const ViewTransform& view, const SceneState& state)
{
    constexpr std::size_t most = 200;
    constexpr int most_below = 12;
    const auto font = overlay_font(TextSize::small);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    std::vector<QRectF> taken;
    for (const auto& frame : state.picture->axes) {
        const auto at = view.project(to_vector(frame.centre));
        if (!state.options.shows_source(frame.source) || !at || taken.size() == most) continue;
        const auto text = QString::fromStdString(frame.name);
        QRectF place(at->x + 8, at->y + 4, metrics.horizontalAdvance(text) + 6, metrics.height());
        const auto is_taken = [&] {
            return std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(place); });
        };
        for (int i = 0; i != most_below && is_taken(); ++i) place.translate(0, metrics.height());
        taken.push_back(place);
        paint_panel(painter, place, state.options.theme);
        painter.setPen(text_colour(state.options.theme));
        painter.drawText(place, Qt::AlignCenter, text);
    }
}

QRectF paint_caption(QPainter& painter, QSize size, const SceneState& state)
{
    if (state.caption.isEmpty()) return {};
    const auto font = overlay_font(TextSize::title, true);
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

/// At the bottom, above the scale: why something cannot be shown. Long notes are wrapped.
QRectF paint_notes(QPainter& painter, QSize size, const SceneState& state)
{
    QRectF all;
    constexpr std::size_t most = 8;
    const auto theme = state.options.theme;
    std::vector<std::pair<QString, QColor>> notes;
    if (const auto why = why_nothing_is_seen(state, size); !why.isEmpty())
        notes.emplace_back(why, warning_colour(theme));
    for (const auto& text : state.notes) notes.emplace_back(text, text_colour(theme));
    if (state.picture) {
        if (const auto why = why_not_coloured(*state.picture, state.options.cloud_field); !why.empty())
            notes.emplace_back(QString::fromStdString(why), warning_colour(theme));
        for (const auto& note : state.picture->notes)
            if (state.options.shows_source(note.source))
                notes.emplace_back(QString::fromStdString(note.text), colour_of(note.kind, theme));
        // Several sources may say the same.
        for (auto note = notes.begin(); note != notes.end();)
            note = std::find(notes.begin(), note, *note) == note ? std::next(note) : notes.erase(note);
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

std::chrono::nanoseconds paint_overlay(QPainter& painter, QSize size, const SceneState& state)
{
    std::chrono::nanoseconds of_labels{};
    if (size.isEmpty()) return of_labels;
    painter.setRenderHint(QPainter::Antialiasing);
    std::vector<QRectF> occupied{paint_caption(painter, size, state), paint_notes(painter, size, state)};
    if (state.picture) {
        const ViewTransform view(state.camera, state.picture->origin, {size.width(), size.height()});
        paint_lit_lights(painter, view, state);
        paint_marks(painter, view, state);
        if (state.hovered && state.hovered->thing) paint_outline(painter, view, state, *state.hovered->thing);
        if (state.legend) {
            occupied.push_back(paint_legend(painter, size, state));
            occupied.push_back(paint_cloud_bar(painter, size, state));
        }
        occupied.push_back(paint_scale_bar(painter, size, view, state));
        occupied.push_back(paint_coordinates(painter, occupied.back(), state));
        occupied.push_back(paint_orientation(painter, size, view, state.options.theme));
        const auto numbers = axis_numbers(view, state, occupied);
        paint_axis_numbers(painter, numbers, state.options.theme);
        for (const auto& each : numbers) occupied.push_back(each.area);
        if (state.labels) {
            const auto begun = std::chrono::steady_clock::now();
            paint_labels(painter, placed_labels(view, state, occupied), state.options.theme);
            of_labels = std::chrono::steady_clock::now() - begun;
        }
        if (state.options.axes) paint_frame_names(painter, view, state);
        paint_measured(painter, view, state);
    }
    if (state.hovered && !state.hovered->lines.isEmpty()) paint_hovered(painter, size, state);
    return of_labels;
}

QImage overlay_image(QSize size, double pixel_ratio, const SceneState& state, std::chrono::nanoseconds* of_labels)
{
    QImage image(size * pixel_ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixel_ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    const auto took = paint_overlay(painter, size, state);
    if (of_labels != nullptr) *of_labels = took;
    return image;
}

}  // namespace ositrace::gui
