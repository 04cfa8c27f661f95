// SPDX-License-Identifier: MPL-2.0
// Painting of the timeline.
#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPalette>
#include <QRect>

#include "gui/playback/time_scale.hpp"
#include "gui/playback/timeline_mark.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/session/open_channel.hpp"
#include "gui/widgets/theme_colours.hpp"

namespace ositrace::gui {

namespace {

/// Messages further apart than this number of steps leave a gap.
constexpr double gap_steps = 2.5;
constexpr double least_tick_distance = 4;

struct LaneColours {
    QColor bar;
    QColor tick;
};

LaneColours colours_of(const QPalette& palette, bool active, bool shown)
{
    auto bar = active ? palette.color(QPalette::Highlight) : palette.color(QPalette::Mid);
    auto tick = active ? palette.color(QPalette::Highlight) : palette.color(QPalette::WindowText);
    bar.setAlphaF(shown ? 0.55F : 0.2F);
    tick.setAlphaF(shown ? 0.9F : 0.35F);
    return {bar, tick};
}

/// In nanoseconds; as double, because the difference of two times of a file may not fit in Nanoseconds.
double between(Nanoseconds from, Nanoseconds to) noexcept
{
    return static_cast<double>(to.count()) - static_cast<double>(from.count());
}

/// Is this time between two messages without a gap?
bool is_covered(const OpenChannel& channel, Nanoseconds time, double longest)
{
    const auto number = channel.last_until(time);
    if (!number) return false;
    const auto begin = channel.time_of(*number);
    if (*number + 1 >= channel.times->count) return between(begin, time) <= longest;
    return between(begin, channel.time_of(*number + channel.times->stride)) <=
           longest * static_cast<double>(channel.times->stride);
}

bool has_message(const OpenChannel& channel, Nanoseconds from, Nanoseconds to)
{
    const auto last = channel.last_until(to > from ? to - Nanoseconds(1) : from);
    return last && channel.time_of(*last) >= from;
}

/// The messages of a channel in its lane of the timeline: a bar, interrupted by gaps, and ticks if there is room.
/// Linear in the pixels, not in the messages.
void paint_channel_lane(QPainter& painter, const QRect& lane, const OpenChannel& channel, const TimeScale& scale,
                        const QPalette& palette, bool active)
{
    const auto step = channel.times->typical_step();
    const auto colours = colours_of(palette, active, channel.shown);
    const auto bar = lane.adjusted(0, lane.height() / 4, 0, -lane.height() / 4);
    const auto longest = step ? gap_steps * static_cast<double>(step->count()) : 0.0;
    const bool room = !step || scale.x_of(shifted(scale.section().from, *step)) - scale.left() >= least_tick_distance;
    for (int x = lane.left(); x <= lane.right(); ++x) {
        const auto from = scale.time_at(x);
        const auto to = scale.time_at(x + 1);
        const bool message = has_message(channel, from, to);
        if (message || is_covered(channel, from, longest)) painter.fillRect(x, bar.top(), 1, bar.height(), colours.bar);
        if (message && room) painter.fillRect(x, lane.top() + 2, 1, lane.height() - 4, colours.tick);
    }
}

}  // namespace

using namespace timeline_sizes;

namespace {

constexpr double least_label_distance = 90;
constexpr int cursor_reach = 6,
              beside_cursor = cursor_reach + 2;  // keeps the time beside a tick readable while the cursor is on it

const QColor found_colour(0xf5, 0x3d, 0xd7);

}  // namespace

void TimelineWidget::paintEvent(QPaintEvent*)
{
    if (background_.isNull()) paint_background();
    QPainter painter(this);
    painter.drawPixmap(0, 0, background_);
    if (!extent_) return;
    painter.setClipRect(lanes().adjusted(-1, -ruler_height - marks_height, 1, 0));
    paint_section(painter);
    paint_progress(painter);
    paint_cursor(painter);
}

void TimelineWidget::paint_background()
{
    background_ = QPixmap(size() * devicePixelRatioF());
    background_.setDevicePixelRatio(devicePixelRatioF());
    background_.fill(palette().color(QPalette::Window));
    QPainter painter(&background_);
    painter.setFont(font());
    painter.fillRect(lanes(), palette().color(QPalette::Base));
    if (!extent_) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(lanes(), Qt::AlignCenter, tr("The messages of a trace appear here"));
        return;
    }
    paint_ruler(painter);
    paint_names(painter);
    painter.setClipRect(lanes());
    for (std::size_t i = 0; i != channels_->size(); ++i)
        paint_channel_lane(painter, lane(i), (*channels_)[i], scale_, palette(), i == active_);
    paint_found(painter);
    painter.setClipping(false);
    paint_marks(painter);
}

/// What was found: a bar at the bottom of the lane, at least two pixels wide. Linear in the pixels.
void TimelineWidget::paint_found(QPainter& painter) const
{
    if (found_.empty() || found_source_ >= channels_->size()) return;
    constexpr int height = 6, least_width = 2;
    const auto row = lane(found_source_);
    const QRect bar(row.left(), row.bottom() - height, row.width(), height);
    for (int x = bar.left(); x <= bar.right(); ++x) {
        const auto from = scale_.time_at(x), to = scale_.time_at(x + 1);
        const auto next = std::ranges::upper_bound(found_, from, {}, &TimeSection::to);
        if (next != found_.end() && next->from < to) painter.fillRect(x, bar.top(), least_width, height, found_colour);
    }
}

void TimelineWidget::paint_ruler(QPainter& painter) const
{
    const auto step = scale_.tick_step(least_label_distance);
    const QFontMetrics metrics(font());
    for (const auto tick : scale_.ticks(least_label_distance, ruler_zero(extent_))) {
        const auto x = static_cast<int>(std::lround(scale_.x_of(tick)));
        painter.setPen(palette().color(QPalette::Mid));
        painter.drawLine(x, ruler_height - 5, x, height() - margin / 2);
        const auto text = tick_text(tick, step);
        if (x + beside_cursor + metrics.horizontalAdvance(text) > width()) continue;
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(x + beside_cursor, metrics.ascent() + 2, text);
    }
}

void TimelineWidget::paint_names(QPainter& painter) const
{
    const QFontMetrics metrics(font());
    painter.setClipRect(rect().adjusted(0, lanes().top(), 0, -margin / 2));
    for (std::size_t i = 0; i != channels_->size(); ++i) {
        const auto row = lane(i);
        const QRect place(margin, row.top(), names_width - 2 * margin, row.height());
        auto colour = palette().color((*channels_)[i].shown ? QPalette::WindowText : QPalette::PlaceholderText);
        painter.setPen(i == active_ ? palette().color(QPalette::Link) : colour);
        painter.drawText(
            place, Qt::AlignVCenter | Qt::AlignRight,
            metrics.elidedText(QString::fromStdString((*channels_)[i].name), Qt::ElideMiddle, place.width()));
    }
}

void TimelineWidget::paint_marks(QPainter& painter) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    // How long they last: a bar below the ruler.
    for (const auto& each : marks_) {
        if (!each.until) continue;
        const auto from = std::max(scale_.x_of(each.time), scale_.left());
        const auto to = std::min(scale_.x_of(*each.until), scale_.left() + scale_.width());
        if (to <= from) continue;
        auto colour = colour_of(each);
        colour.setAlphaF(0.5F);
        painter.fillRect(QRectF(from, ruler_height, std::max(to - from, 1.0), marks_height / 2.0), colour);
    }
    for (const auto& group : grouped(marks_, scale_)) {
        const double top = ruler_height, x = group.x;
        // A mark for several is broader.
        const double shoulder = group.marks.size() == 1 ? top : top + marks_height / 2.0;
        painter.setBrush(colour_of(group.first()));
        painter.drawPolygon(QPolygonF({{x - mark_reach, top},
                                       {x + mark_reach, top},
                                       {x + mark_reach, shoulder},
                                       {x, top + marks_height - 1},
                                       {x - mark_reach, shoulder}}));
    }
}

void TimelineWidget::paint_section(QPainter& painter) const
{
    if (!section_) return;
    const auto colour = palette().color(section_applies_ ? QPalette::Highlight : QPalette::Mid);
    const auto from = scale_.x_of(section_->from);
    const auto to = scale_.x_of(section_->to);
    auto outside = palette().color(QPalette::Window);
    outside.setAlphaF(0.65F);
    const QRectF area = lanes();
    if (section_applies_) {
        painter.fillRect(QRectF(area.topLeft(), QPointF(std::max(from, area.left()), area.bottom())), outside);
        painter.fillRect(QRectF(QPointF(std::min(to, area.right()), area.top()), area.bottomRight() + QPointF(1, 0)),
                         outside);
    }
    painter.fillRect(QRectF(QPointF(from, ruler_height - 3), QPointF(to, ruler_height)), colour);
    painter.setPen(QPen(colour, 2));
    for (const auto x : {from, to}) painter.drawLine(QPointF(x, ruler_height - 3), QPointF(x, area.bottom()));
}

void TimelineWidget::paint_progress(QPainter& painter) const
{
    if (progress_ && *progress_ >= 1) return;
    const auto area = lanes();
    const QString text =
        progress_ ? tr("reading the index: %1 %").arg(static_cast<int>(*progress_ * 100)) : tr("reading the index");
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(area.adjusted(0, -marks_height - 4, -4, 0), Qt::AlignRight | Qt::AlignTop, text);
    if (progress_)
        painter.fillRect(QRectF(area.left(), area.bottom() - 1, area.width() * *progress_, 2),
                         palette().color(QPalette::Highlight));
}

void TimelineWidget::paint_cursor(QPainter& painter) const
{
    if (hover_ && (drag_ == Drag::none || drag_ == Drag::scrub)) {  // the cursor follows when the picture is ready
        auto colour = palette().color(QPalette::WindowText);
        colour.setAlphaF(0.35F);
        painter.setPen(colour);
        painter.drawLine(*hover_, ruler_height, *hover_, height());
    }
    const auto x = scale_.x_of(time_);
    const auto colour = colour_of(Tone::time, palette());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.5));
    painter.drawLine(QPointF(x, 6), QPointF(x, height()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF(
        {{x - cursor_reach, 2}, {x + cursor_reach, 2}, {x + cursor_reach, 8}, {x, 14}, {x - cursor_reach, 8}}));
}

}  // namespace ositrace::gui
