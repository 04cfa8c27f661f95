// SPDX-License-Identifier: MPL-2.0
// Mouse input of a scene.
#include "gui/scene/scene_view.hpp"

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include "gui/render/tessellate.hpp"
#include "gui/scene/labels.hpp"
#include "gui/scene/legend.hpp"
#include "gui/scene/snapping.hpp"

namespace ositrace::gui {

namespace {
constexpr double click_reach = 4;  // pixels: more is a drag
}

bool SceneView::rotates(Qt::MouseButton button) const noexcept
{
    const bool from_above = view() == View::bird;
    return button == (from_above ? Qt::RightButton : Qt::LeftButton);
}

void SceneView::mousePressEvent(QMouseEvent* event)
{
    hover_timer_.stop();
    state_.hovered.reset();
    pressed_at_ = dragged_to_ = event->position();
    dragging_ = false;
    double_clicked_ = false;
}

void SceneView::mouseMoveEvent(QMouseEvent* event)
{
    const auto at = event->position();
    if (event->buttons() == Qt::NoButton) {
        hover_at_ = at;
        const bool described = state_.hovered.has_value();
        state_.hovered.reset();
        if (point_at(at) || described) show_state();
        hover_timer_.start();
        return;
    }
    const auto way = at - pressed_at_;
    if (!dragging_ && std::max(std::abs(way.x()), std::abs(way.y())) < click_reach) return;
    dragging_ = true;
    const auto button = event->buttons() & Qt::LeftButton    ? Qt::LeftButton
                        : event->buttons() & Qt::RightButton ? Qt::RightButton
                                                             : Qt::MiddleButton;
    if (rotates(button)) {
        controller_.rotate(at.x() - dragged_to_.x(), at.y() - dragged_to_.y());
    } else {
        controller_.pan(dragged_to_.x(), dragged_to_.y(), at.x(), at.y());
    }
    dragged_to_ = at;
    camera_moved();
}

void SceneView::mouseReleaseEvent(QMouseEvent* event)
{
    const auto at = event->position();
    if (!dragging_ && event->button() == Qt::RightButton)
        show_menu(event->globalPosition().toPoint(), canvas_->pick(at.x(), at.y(), PickOrder::body_first));
    if (!dragging_ && !double_clicked_ && event->button() == Qt::LeftButton)
        click(at, event->modifiers().testFlag(Qt::AltModifier));
}

/// A second click at the same place, or Alt, selects the point on a body.
PickOrder SceneView::order_of_click(QPointF at, bool with_alt)
{
    const bool again = body_clicked_at_ && std::max(std::abs(at.x() - body_clicked_at_->x()),
                                                    std::abs(at.y() - body_clicked_at_->y())) < click_reach;
    return again || with_alt ? PickOrder::point_first : PickOrder::body_first;
}

void SceneView::click(QPointF at, bool with_alt)
{
    if (const auto row = legend_row_at(state_, size(), at)) {
        const bool shows = !is_shown(*row, state_.options);
        if (!row->type || shows) set_shown(row->category, shows);
        if (row->type) set_lane_type_shown(*row->type, shows);
    } else if (legend_head(state_, size()).contains(at)) {
        state_.legend_folded = !is_legend_folded(state_, size());
        show_state();
    } else if (measuring_) {
        measure(at);
    } else {
        const auto order = order_of_click(at, with_alt);
        const auto pick = canvas_->pick(at.x(), at.y(), order);
        body_clicked_at_ = pick && order == PickOrder::body_first ? std::optional(at) : std::nullopt;
        emit picked(pick);
    }
}

void SceneView::measure(QPointF at)
{
    if (!state_.picture) return;
    auto end = snapped_place(transform(), state_, at);
    if (!end) {
        if (const auto pick = canvas_->pick(at.x(), at.y(), PickOrder::point_first))
            end = MeasuredEnd{pick->place, {}};
        else if (const auto ground = ground_at(at))
            end = MeasuredEnd{*ground, {}};
    }
    if (!end) return;
    if (state_.measured.size() == 2) state_.measured.clear();
    state_.measured.push_back(*end);
    state_.next_end.reset();
    show_state();
}

/// As it is drawn.
ViewTransform SceneView::transform() const
{
    return {state_.camera, state_.picture ? state_.picture->origin : GlobalPoint{}, pixels()};
}

std::optional<GlobalPoint> SceneView::ground_at(QPointF at) const
{
    if (!state_.picture) return std::nullopt;
    const auto level = static_cast<double>(ground_level(*state_.picture));
    const auto ground = transform().on_level(at.x(), at.y(), level);
    return ground ? std::optional(*ground + state_.picture->origin) : std::nullopt;
}

/// What the overlay says of the place under the mouse. Returns false if it stays the same.
bool SceneView::point_at(QPointF at)
{
    const bool had = state_.under_mouse || state_.next_end;
    state_.under_mouse = view() == View::bird ? ground_at(at) : std::nullopt;
    state_.next_end = measuring_ ? snapped_place(transform(), state_, at) : std::nullopt;
    return had || state_.under_mouse || state_.next_end;
}

void SceneView::mouseDoubleClickEvent(QMouseEvent* event)
{
    double_clicked_ = true;
    dragging_ = false;
    pressed_at_ = dragged_to_ = event->position();
    if (event->button() != Qt::LeftButton || measuring_ || legend_row_at(state_, size(), event->position()) ||
        legend_head(state_, size()).contains(event->position()))
        return;
    const auto pick = canvas_->pick(event->position().x(), event->position().y(), PickOrder::body_first);
    if (!pick) {
        reset_camera();
    } else if (event->modifiers() & Qt::AltModifier && pick->thing) {
        look_at(pick->key);
        follow(pick->key);
    } else {
        look_at_place(pick->place,
                      pick->thing && pick->thing->size[0] > 0 ? static_cast<double>(pick->thing->size[0]) : 5);
    }
}

void SceneView::wheelEvent(QWheelEvent* event)
{
    controller_.zoom(event->position().x(), event->position().y(), event->angleDelta().y() / 120.0);
    event->accept();
    camera_moved();
}

void SceneView::contextMenuEvent(QContextMenuEvent* event)
{
    // X11 requests the menu when the right button is pressed, which may start a drag: the menu opens when it is
    // released.
    if (event->reason() == QContextMenuEvent::Mouse) return event->accept();
    show_menu(event->globalPos(), std::nullopt);
}

void SceneView::hover()
{
    if (dragging_ || !state_.picture || !hover_at_) return;
    const auto pick = canvas_->pick(hover_at_->x(), hover_at_->y(), PickOrder::body_first);
    if (!pick) return;
    Hovered hovered{.x = hover_at_->x(), .y = hover_at_->y()};
    if (pick->thing) {
        hovered.lines = describe(*pick->thing);
        hovered.thing = pick->key;
    } else if (pick->cloud) {
        hovered.lines = describe_point(*pick->cloud, pick->point);
    }
    state_.hovered = hovered;
    show_state();
}

void SceneView::leaveEvent(QEvent*)
{
    hover_timer_.stop();
    hover_at_.reset();
    if (!state_.hovered && !state_.under_mouse && !state_.next_end) return;
    state_.hovered.reset();
    state_.under_mouse.reset();
    state_.next_end.reset();
    show_state();
}

}  // namespace ositrace::gui
