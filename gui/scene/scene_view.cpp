// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/scene_view.hpp"

#include <algorithm>

#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "gui/scene/labels.hpp"
#include "gui/scene/legend.hpp"
#include "gui/scene/scene_menu.hpp"

namespace ositrace::gui {

namespace {

constexpr int hover_rest = 120;     // milliseconds that the mouse rests before one looks what is under it
constexpr double click_reach = 4;   // pixels: more is a drag

}  // namespace

SceneView::SceneView(QWidget* parent) : QWidget(parent), canvas_(make_canvas(*this, canvas_reason_))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(&canvas_->widget());
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 120);
    hover_timer_.setSingleShot(true);
    hover_timer_.setInterval(hover_rest);
    connect(&hover_timer_, &QTimer::timeout, this, &SceneView::hover);
    if (!has_3d()) controller_.set_view(View::bird);
    canvas_->on_complete = [this] { QMetaObject::invokeMethod(this, &SceneView::drawn, Qt::QueuedConnection); };
    show_state();
}

SceneView::~SceneView() = default;

void SceneView::show_state()
{
    state_.camera = controller_.camera();
    canvas_->show_state(state_);
}

void SceneView::camera_moved()
{
    show_state();
    emit camera_changed();
}

void SceneView::set_picture(std::shared_ptr<const Picture> picture)
{
    state_.picture = std::move(picture);
    state_.hovered.reset();
    if (state_.picture) controller_.take(*state_.picture);
    show_state();
    if (underMouse() && !dragging_) hover_timer_.start();
}

void SceneView::set_caption(const QString& caption, const QStringList& notes)
{
    if (caption == state_.caption && notes == state_.notes) return;
    state_.caption = caption;
    state_.notes = notes;
    show_state();
}

void SceneView::set_options(const RenderOptions& options)
{
    if (options == state_.options) return;
    state_.options = options;
    show_state();
    emit options_changed();
}

void SceneView::set_shown(Category category, bool shown)
{
    auto options = state_.options;
    options.hidden.set(static_cast<std::size_t>(category), !shown);
    set_options(options);
}

void SceneView::set_theme(Theme theme)
{
    auto options = state_.options;
    options.theme = theme;
    set_options(options);
}

void SceneView::select(const std::optional<ThingKey>& thing)
{
    if (state_.options.selected == thing) return;
    state_.options.selected = thing;
    show_state();
}

void SceneView::set_camera(const Camera& camera)
{
    controller_.set_camera(camera);
    if (!has_3d()) controller_.set_view(View::bird);
    camera_moved();
}

void SceneView::set_view(View view)
{
    if (view == this->view()) return;
    if (view == View::orbit && !has_3d()) {
        set_caption(state_.caption, {QStringLiteral("3D needs OpenGL: %1").arg(canvas_reason_)});
        return;
    }
    controller_.set_view(view);
    camera_moved();
}

void SceneView::look_at(const ThingKey& key)
{
    const auto* thing = state_.picture ? state_.picture->find(key) : nullptr;
    if (!thing) return;
    controller_.focus(to_vector(thing->centre) + state_.picture->origin, length({double{thing->size[0]}, double{thing->size[1]}, double{thing->size[2]}}));
    camera_moved();
}

void SceneView::look_at_host()
{
    controller_.look_at_host();
    camera_moved();
}

void SceneView::reset_camera()
{
    controller_.reset();
    camera_moved();
}

void SceneView::follow(Follow how, const std::optional<ThingKey>& thing)
{
    controller_.follow(how, thing);
    if (state_.picture) controller_.take(*state_.picture);
    camera_moved();
}

void SceneView::set_labels(bool shown)
{
    state_.labels = shown;
    show_state();
    emit options_changed();
}

void SceneView::set_legend(bool shown)
{
    state_.legend = shown;
    show_state();
    emit options_changed();
}

void SceneView::set_measuring(bool on)
{
    if (measuring_ == on) return;
    measuring_ = on;
    state_.measured.clear();
    setCursor(on ? Qt::CrossCursor : Qt::ArrowCursor);
    show_state();
    emit measuring_changed(on);
}

QString SceneView::renderer_description() const
{
    return canvas_reason_.isEmpty() ? canvas_->description() : QStringLiteral("%1 (%2)").arg(canvas_->description(), canvas_reason_);
}

bool SceneView::rotates(Qt::MouseButton button) const noexcept
{
    const bool from_above = view() == View::bird;
    const auto rotating = from_above != swapped_ ? Qt::RightButton : Qt::LeftButton;
    return button == rotating;
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
        if (state_.hovered) {
            state_.hovered.reset();
            show_state();
        }
        hover_timer_.start();
        return;
    }
    const auto way = at - pressed_at_;
    if (!dragging_ && std::max(std::abs(way.x()), std::abs(way.y())) < click_reach) return;
    dragging_ = true;
    const auto button = event->buttons() & Qt::LeftButton ? Qt::LeftButton : event->buttons() & Qt::RightButton ? Qt::RightButton : Qt::MiddleButton;
    if (rotates(button)) {
        controller_.rotate(at.x() - dragged_to_.x(), at.y() - dragged_to_.y());
    } else {
        controller_.pan(dragged_to_.x(), dragged_to_.y(), at.x(), at.y(), pixels());
    }
    dragged_to_ = at;
    camera_moved();
}

void SceneView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!dragging_ && event->button() == Qt::RightButton) show_scene_menu(*this, event->globalPosition().toPoint());
    if (!dragging_ && !double_clicked_ && event->button() == Qt::LeftButton) click(event->position());
}

void SceneView::click(QPointF at)
{
    if (const auto category = legend_row_at(state_, at)) {
        set_shown(*category, !state_.options.shows(*category));
    } else if (measuring_) {
        measure(at);
    } else {
        emit picked(canvas_->pick(at.x(), at.y()));
    }
}

void SceneView::measure(QPointF at)
{
    if (!state_.picture) return;
    std::optional<GlobalPoint> place;
    if (const auto pick = canvas_->pick(at.x(), at.y())) {
        place = pick->place;
    } else {
        const ViewTransform transform(camera(), state_.picture->origin, pixels());
        const double level = camera().target[2] - state_.picture->origin[2];
        if (const auto ground = transform.on_level(at.x(), at.y(), level)) place = *ground + state_.picture->origin;
    }
    if (!place) return;
    if (state_.measured.size() == 2) state_.measured.clear();
    state_.measured.push_back(*place);
    show_state();
}

void SceneView::mouseDoubleClickEvent(QMouseEvent* event)
{
    double_clicked_ = true;
    dragging_ = false;
    pressed_at_ = dragged_to_ = event->position();
    if (event->button() != Qt::LeftButton || measuring_ || legend_row_at(state_, event->position())) return;
    const auto pick = canvas_->pick(event->position().x(), event->position().y());
    if (!pick) {
        reset_camera();
    } else if (event->modifiers() & Qt::AltModifier && pick->thing) {
        follow(Follow::position, pick->key);
        look_at(pick->key);
    } else {
        controller_.focus(pick->place, pick->thing && pick->thing->size[0] > 0 ? double{pick->thing->size[0]} : 5);
        camera_moved();
    }
}

void SceneView::wheelEvent(QWheelEvent* event)
{
    controller_.zoom(event->position().x(), event->position().y(), event->angleDelta().y() / 120.0, pixels());
    event->accept();
    camera_moved();
}

void SceneView::contextMenuEvent(QContextMenuEvent* event)
{
    // X11 asks when the right button goes down, and that may begin a drag: its release asks again.
    if (event->reason() == QContextMenuEvent::Mouse) return event->accept();
    show_scene_menu(*this, event->globalPos());
}

void SceneView::hover()
{
    if (dragging_ || !state_.picture) return;
    const auto pick = canvas_->pick(hover_at_.x(), hover_at_.y());
    if (!pick) return;
    Hovered hovered{.x = hover_at_.x(), .y = hover_at_.y()};
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
    if (!state_.hovered) return;
    state_.hovered.reset();
    show_state();
}

void SceneView::resizeEvent(QResizeEvent*) { show_state(); }


}  // namespace ositrace::gui
