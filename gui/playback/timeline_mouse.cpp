// SPDX-License-Identifier: MPL-2.0
// Mouse input of the timeline.
#include <algorithm>
#include <cmath>
#include <utility>

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include "gui/playback/timeline_mark.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

using namespace timeline_sizes;

void TimelineWidget::mousePressEvent(QMouseEvent* event)
{
    if (!extent_) return;
    drag_from_ = event->pos();
    drag_scale_ = scale_;
    if (event->button() == Qt::MiddleButton) {
        drag_ = Drag::pan;
    } else if (event->button() == Qt::LeftButton && event->pos().x() < names_width - margin) {
        if (const auto source = source_at(event->pos())) emit channel_chosen(*source);
    } else if (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier)) {
        drag_ = Drag::section;
    } else if (event->button() == Qt::LeftButton && choose_mark(event->pos())) {
        return;
    } else if (event->button() == Qt::LeftButton) {
        drag_ = Drag::scrub;
        emit scrubbing_changed(true);
        emit scrubbed(scale_.time_at(event->position().x()));
    }
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event)
{
    const auto x = event->position().x();
    hover_ = x >= scale_.left() ? std::optional(event->pos().x()) : std::nullopt;
    if (drag_ == Drag::scrub) emit scrubbed(scale_.time_at(x));
    if (drag_ == Drag::pan && extent_) show_scale(drag_scale_.panned(x - drag_from_.x(), *extent_));
    if (drag_ == Drag::section) {
        const auto [from, to] = std::minmax(
            {scale_.time_at(drag_from_.x()), scale_.time_at(x)});  // an initializer list returns values, not references
        emit section_chosen(TimeSection{from, to});
    }
    update();
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event)
{
    const auto drag = std::exchange(drag_, Drag::none);
    if (drag == Drag::scrub) emit scrubbing_changed(false);
    if (drag == Drag::section && std::abs(event->pos().x() - drag_from_.x()) < 3) emit section_chosen(std::nullopt);
    update();
}

void TimelineWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (extent_ && event->button() == Qt::LeftButton && zoomed_) {
        zoomed_ = false;
        fit_scale();
    }
}

void TimelineWidget::wheelEvent(QWheelEvent* event)
{
    if (!extent_) return;
    if (event->position().x() < names_width && lane_bar_->isVisible()) {
        QApplication::sendEvent(lane_bar_, event);
        return;
    }
    const auto turned = event->angleDelta();
    if (turned.y() != 0) show_scale(scale_.zoomed(std::pow(1.2, turned.y() / 120.0), event->position().x(), *extent_));
    if (turned.x() != 0) show_scale(scale_.panned(turned.x() / 2.0, *extent_));
    event->accept();
}

void TimelineWidget::leaveEvent(QEvent*)
{
    hover_.reset();
    update();
}

bool TimelineWidget::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tip_at(help->pos()), this);
    return true;
}

std::vector<MarkGroup> TimelineWidget::groups_at(int x) const
{
    auto groups = grouped(marks_, scale_);
    std::erase_if(groups, [&](const MarkGroup& group) { return std::abs(group.x - x) > mark_reach; });
    return groups;
}

/// False: there is none at this place.
bool TimelineWidget::choose_mark(const QPoint& place)
{
    if (place.y() < ruler_height || place.y() >= ruler_height + marks_height) return false;
    const auto groups = groups_at(place.x());
    if (groups.empty()) return false;
    emit mark_chosen(TimelineMark(groups.front().first()));  // a copy: marks may change
    return true;
}

QString TimelineWidget::tip_at(const QPoint& place) const
{
    if (!extent_) return {};
    const auto source = source_at(place);
    if (place.x() < names_width) return source ? QString::fromStdString((*channels_)[*source].name) : QString();
    const auto time = scale_.time_at(place.x());
    constexpr Nanoseconds usual = std::chrono::milliseconds(1);
    const bool is_finer = shifted(scale_.time_at(place.x() + 1), -time) < usual;  // than a pixel can say
    QStringList lines{is_finer ? seconds_text(time) : seconds_text(time, usual)};
    if (ruler_zero(extent_) != Nanoseconds(0))
        lines.front() += tr(", %1 from the start").arg(tick_text(time, Nanoseconds(1)));
    for (const auto& group : groups_at(place.x())) lines += tip_of(group, *channels_);
    if (source) {
        if (const auto number = (*channels_)[*source].last_until(time))
            lines += tr("%1: message %2").arg(QString::fromStdString((*channels_)[*source].name)).arg(*number);
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace ositrace::gui
