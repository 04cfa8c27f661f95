// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/scene_view.hpp"

#include <QVBoxLayout>

namespace ositrace::gui {

namespace {

constexpr int hover_rest = 120;  // milliseconds without mouse movement before the object under the mouse is described

}  // namespace

SceneView::SceneView(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    create_canvas();
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 120);
    hover_timer_.setSingleShot(true);
    hover_timer_.setInterval(hover_rest);
    connect(&hover_timer_, &QTimer::timeout, this, &SceneView::hover);
    show_state();
}

SceneView::~SceneView() = default;

void SceneView::create_canvas()
{
    canvas_ = make_canvas(*this, failed_canvases_, canvas_reason_);
    layout()->addWidget(&canvas_->widget());
    if (!has_3d()) controller_.set_view(View::bird);
    canvas_->on_complete = [this] { QMetaObject::invokeMethod(this, &SceneView::drawn, Qt::QueuedConnection); };
    canvas_->on_failure = [this](const QString& why) {
        QMetaObject::invokeMethod(this, [this, why] { replace_canvas(why); }, Qt::QueuedConnection);
    };
}

void SceneView::replace_canvas(const QString& why)
{
    if (!canvas_reason_.contains(why))
        canvas_reason_ += (canvas_reason_.isEmpty() ? QString() : QStringLiteral("; ")) + why;
    failed_canvases_ = with(failed_canvases_, canvas_->kind());
    canvas_.reset();
    create_canvas();
    camera_moved();
    emit canvas_replaced();
}

void SceneView::show_state()
{
    state_.camera = state_.picture ? controller_.camera_for(*state_.picture) : controller_.camera();
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
    if (state_.picture)
        controller_.set_picture(*state_.picture);
    else
        controller_.drop_picture();
    show_state();
    if (underMouse() && !dragging_) hover_timer_.start();
}

void SceneView::set_marks(std::vector<SceneMark> marks)
{
    if (marks == state_.marks) return;
    state_.marks = std::move(marks);
    show_state();
}

void SceneView::set_tints(std::vector<ThingTint> tints)
{
    if (tints == state_.options.tints) return;
    state_.options.tints = std::move(tints);
    show_state();
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

void SceneView::set_channels(const QStringList& names)
{
    channels_ = names;
    hide_sources();
}

QStringList SceneView::shown_channels() const
{
    QStringList names;
    for (const auto& name : channels_)
        if (!hidden_channels_.contains(name)) names += name;
    return names;
}

void SceneView::set_hidden_channels(const QStringList& names)
{
    hidden_channels_ = names;
    hide_sources();
}

void SceneView::set_channel_shown(const QString& name, bool shown)
{
    hidden_channels_.removeAll(name);
    if (!shown) hidden_channels_ += name;
    hide_sources();
}

void SceneView::hide_sources()
{
    auto options = state_.options;
    options.hidden_sources = hidden_sources(channels_, hidden_channels_);
    set_options(options);
}

std::vector<std::uint32_t> hidden_sources(const QStringList& channels, const QStringList& hidden)
{
    std::vector<std::uint32_t> sources;
    for (qsizetype i = 0; i != channels.size(); ++i)
        if (hidden.contains(channels[i])) sources.push_back(static_cast<std::uint32_t>(i));
    return sources;
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
    look_at_place(to_vector(thing->centre) + state_.picture->origin, length(to_vector(thing->size)));
}

void SceneView::look_at_place(const GlobalPoint& place, double metres)
{
    controller_.focus(place, metres);
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

void SceneView::expect_new_scene()
{
    if (controller_.followed()) follow(controller_.follows(), {});  // it was in the scene before
    controller_.expect_new_scene();
}

void SceneView::walk(double ahead, double left)
{
    controller_.walk(ahead, left);
    camera_moved();
}

void SceneView::follow(Follow how, const std::optional<ThingKey>& thing)
{
    controller_.follow(how, thing);
    if (state_.picture) controller_.set_picture(*state_.picture);
    camera_moved();
    emit follow_changed();
}

void SceneView::follow(const std::optional<ThingKey>& thing)
{
    follow(turns_ ? Follow::pose : Follow::position, thing);
}

void SceneView::follow_nothing() { follow(Follow::none, {}); }

void SceneView::set_turning(bool on)
{
    turns_ = on;
    if (follows() != Follow::none) return follow(followed());
    emit follow_changed();
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

void SceneView::measure_from(const GlobalPoint& place)
{
    set_measuring(true);
    state_.measured = {place};
    show_state();
}

QString SceneView::renderer_description() const
{
    return canvas_reason_.isEmpty() ? canvas_->description()
                                    : QStringLiteral("%1 (%2)").arg(canvas_->description(), canvas_reason_);
}

void SceneView::resizeEvent(QResizeEvent*)
{
    const auto before = camera();
    controller_.set_size(pixels());
    if (camera() != before)
        camera_moved();
    else
        show_state();
}

}  // namespace ositrace::gui
