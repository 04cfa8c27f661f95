// SPDX-License-Identifier: MPL-2.0
// Mouse input of plots.
#include <algorithm>
#include <cmath>
#include <utility>

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include "gui/plot/plot_view.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr int reach = 4;            // pixels beside the cursor
constexpr int least_drag = 4;       // pixels: less is a click
constexpr double curve_reach = 12;  // pixels beside a curve, for its tooltip

}  // namespace

bool PlotView::is_on_cursor(const QPoint& place) const
{
    return !x_line_ && area_.contains(place) && std::abs(now_.time.x_of(time_) - place.x()) <= reach;
}

std::optional<std::size_t> PlotView::axis_at(const QPoint& place) const
{
    for (std::size_t i = 0; i != now_.axes.size(); ++i) {
        const auto& axis = now_.axes[i];
        if (place.x() >= axis.left && place.x() < axis.left + axis.width && place.y() <= area_.bottom()) return i;
    }
    return std::nullopt;
}

void PlotView::seek_to(const QPoint& place)
{
    if (!x_line_) emit seek_requested(now_.time.time_at(place.x()));
}

void PlotView::mousePressEvent(QMouseEvent* event)
{
    emit pressed();
    if (!extent_) return;
    drag_from_ = drag_now_ = event->pos();
    drag_plan_ = now_;
    const auto modifiers = event->modifiers();
    if (event->button() == Qt::MiddleButton ||
        (event->button() == Qt::LeftButton && modifiers.testFlag(Qt::ControlModifier))) {
        drag_ = Drag::pan;
    } else if (event->button() == Qt::LeftButton) {
        drag_ = modifiers.testFlag(Qt::ShiftModifier) || is_on_cursor(event->pos()) ? Drag::seek : Drag::zoom;
        if (drag_ == Drag::seek && modifiers.testFlag(Qt::ShiftModifier)) seek_to(event->pos());
    }
}

void PlotView::mouseMoveEvent(QMouseEvent* event)
{
    drag_now_ = event->pos();
    if (drag_ == Drag::none) setCursor(is_on_cursor(event->pos()) ? Qt::SplitHCursor : Qt::ArrowCursor);
    if (drag_ == Drag::seek) seek_to(event->pos());
    if (drag_ == Drag::pan) move_by(event->pos() - drag_from_);
    if (drag_ == Drag::zoom) update();
}

void PlotView::mouseReleaseEvent(QMouseEvent* event)
{
    const auto drag = std::exchange(drag_, Drag::none);
    update();
    if (drag != Drag::zoom) return;
    const auto moved = event->pos() - drag_from_;
    if (moved.manhattanLength() < least_drag) {
        if (area_.contains(event->pos())) seek_to(event->pos());
    } else {
        zoom_to(QRect(drag_from_, event->pos()).normalized());
    }
}

/// A flat rectangle zooms the time, an upright one the values.
void PlotView::zoom_to(const QRect& rectangle)
{
    const auto chosen = rectangle.intersected(area_);
    if (chosen.isEmpty()) return;
    constexpr int least_side = 8;
    if (chosen.height() >= least_side)
        for (const auto& axis : now_.axes)
            chosen_ranges_[axis.unit] = {axis.scale.value_at(chosen.bottom()), axis.scale.value_at(chosen.top())};
    if (chosen.width() >= least_side && x_line_)
        chosen_x_ = ValueRange{now_.x.value_at(chosen.left()), now_.x.value_at(chosen.right())};
    if (chosen.width() >= least_side && !x_line_)
        return set_visible({now_.time.time_at(chosen.left()), now_.time.time_at(chosen.right())});
    plan_again();
}

void PlotView::move_by(const QPoint& distance)
{
    for (const auto& axis : drag_plan_.axes)
        if (distance.y() != 0 && chosen_ranges_.contains(axis.unit))
            chosen_ranges_[axis.unit] = axis.scale.panned(-distance.y());
    if (x_line_) {
        chosen_x_ = drag_plan_.x.panned(-distance.x());
        return plan_again();
    }
    set_visible(drag_plan_.time.panned(distance.x(), *extent_).section());
}

void PlotView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) show_all();
}

void PlotView::wheelEvent(QWheelEvent* event)
{
    event->accept();
    if (!extent_) return;
    const auto place = event->position();
    const auto factor = std::pow(1.2, event->angleDelta().y() / 120.0);
    const auto axis = axis_at(place.toPoint());
    const bool is_below = place.y() > area_.bottom();
    for (std::size_t i = 0; i != now_.axes.size(); ++i)
        if (axis ? *axis == i : !is_below && x_line_)
            chosen_ranges_[now_.axes[i].unit] = now_.axes[i].scale.zoomed(factor, place.y());
    if (axis) return plan_again();
    if (x_line_) {
        chosen_x_ = now_.x.zoomed(factor, place.x());
        return plan_again();
    }
    set_visible(now_.time.zoomed(factor, place.x(), *extent_).section());
}

void PlotView::contextMenuEvent(QContextMenuEvent* event)
{
    if (!extent_ || lines_.empty()) return;
    QMenu menu;
    menu.addAction(tr("Show all"), this, &PlotView::show_all);
    menu.addAction(tr("Zoom to the section"), this, [this] { show_section(*section_); })
        ->setEnabled(section_.has_value());
    menu.addAction(tr("Play what is visible"), this, [this] { emit section_chosen(visible_); });
    emit menu_opened(&menu);
    menu.addSeparator();
    add_save_actions(menu);
    menu.exec(event->globalPos());
}

bool PlotView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tip_at(help->pos()), this);
    return true;
}

/// The time, and the value of the nearest curve.
QString PlotView::tip_at(const QPoint& place) const
{
    if (!extent_ || x_line_ || !area_.contains(place)) return {};
    const auto time = now_.time.time_at(place.x());
    auto text = seconds_text(time);
    auto nearest = curve_reach;
    for (std::size_t i = 0; i != lines_.size(); ++i) {
        const auto value = is_drawn(i) ? lines_[i].value(time) : std::nullopt;
        if (!value) continue;
        const auto distance = std::abs(place_of(i, time, *value).y() - place.y());
        if (distance > nearest) continue;
        nearest = distance;
        text = QStringLiteral("%1\n%2 = %3 %4")
                   .arg(seconds_text(time), lines_[i].name, lines_[i].value_text(time), lines_[i].unit);
    }
    return text;
}

}  // namespace ositrace::gui
