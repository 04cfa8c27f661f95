// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/scene_view.hpp"

#include <QVBoxLayout>

namespace ositrace::gui {

namespace {

constexpr int flight_step = 16;  // milliseconds
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
    flight_timer_.setTimerType(Qt::PreciseTimer);
    flight_timer_.setInterval(flight_step);
    connect(&flight_timer_, &QTimer::timeout, this, &SceneView::fly_on);
    show_state();
}

SceneView::~SceneView() = default;

void SceneView::create_canvas()
{
    canvas_ = make_canvas(*this, failed_canvases_, canvas_reason_);
    layout()->addWidget(&canvas_->widget());
    if (!has_3d()) controller_.set_view(View::bird);
    canvas_->on_complete = [this] { QMetaObject::invokeMethod(this, &SceneView::drawn, Qt::QueuedConnection); };
    canvas_->on_labels = [this](std::chrono::nanoseconds took) {
        if (label_limit_.is_exceeded_by(took))
            QMetaObject::invokeMethod(this, &SceneView::drop_labels, Qt::QueuedConnection);
    };
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
    if (flight_) state_.camera = flight_->at(CameraFlight::Time::clock::now(), state_.camera);
    canvas_->show_state(state_);
}

void SceneView::camera_moved()
{
    show_state();
    emit camera_changed();
}

/// Moves the camera by a command.
template <class Move>
void SceneView::fly(Move move)
{
    const auto from = state_.camera;
    move();
    const bool flies = flies_ && isVisible() && state_.picture && camera() != from;
    flight_ = flies ? std::optional<CameraFlight>({from, CameraFlight::Time::clock::now()}) : std::nullopt;
    if (flies) flight_timer_.start();
    camera_moved();
}

/// Not faster than it is drawn.
void SceneView::fly_on()
{
    const bool has_ended = !flight_ || flight_->has_ended(CameraFlight::Time::clock::now());
    if (has_ended) return end_flight();
    if (canvas_->is_seen()) show_state();
}

void SceneView::end_flight()
{
    flight_timer_.stop();
    if (!flight_) return;
    flight_.reset();
    show_state();
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

void SceneView::set_lane_type_shown(Look type, bool shown)
{
    auto options = state_.options;
    std::erase(options.hidden_lane_types, type);
    if (!shown) options.hidden_lane_types.push_back(type);
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

void SceneView::set_camera(const Camera& camera, bool flies)
{
    const auto set = [&] {
        controller_.set_camera(camera);
        if (!has_3d()) controller_.set_view(View::bird);
    };
    if (flies) return fly(set);
    flight_.reset();
    set();
    camera_moved();
}

void SceneView::restore_camera(const PlacedCamera& placed)
{
    fly([&] {
        controller_.restore(placed);
        if (!has_3d()) controller_.set_view(View::bird);
    });
}

void SceneView::set_view(View view)
{
    if (view == this->view()) return;
    if (view == View::orbit && !has_3d()) {
        set_caption(state_.caption, {QStringLiteral("3D needs OpenGL: %1").arg(canvas_reason_)});
        return;
    }
    fly([&] { controller_.set_view(view); });
    emit follow_changed();  // whether it turns depends on the view
}

void SceneView::look_at(const ThingKey& key)
{
    const auto* thing = state_.picture ? state_.picture->find(key) : nullptr;
    if (!thing) return;
    look_at_place(to_vector(thing->centre) + state_.picture->origin, length(to_vector(thing->size)), key);
}

void SceneView::bring_into_view(const ThingKey& key)
{
    const auto* const thing = state_.picture ? state_.picture->find(key) : nullptr;
    if (!thing) return;
    const auto centre = to_vector(thing->centre);
    const auto at = ViewTransform(camera(), state_.picture->origin, pixels()).project(centre);
    if (at && QRectF(rect()).contains(at->x, at->y)) return;
    auto there = camera();
    there.target = centre + state_.picture->origin;
    fly([&] { controller_.set_camera(there); });
}

void SceneView::look_at_place(const GlobalPoint& place, double metres, const std::optional<ThingKey>& of)
{
    const bool has_buildings = state_.picture && state_.options.shows(Category::stationary_object);
    fly([&] {
        if (has_buildings)
            controller_.focus(place, metres, *state_.picture, of);
        else
            controller_.focus(place, metres);
    });
}

void SceneView::look_at_host()
{
    fly([&] { controller_.look_at_host(); });
}

void SceneView::reset_camera()
{
    fly([&] { controller_.reset(); });
    emit follow_changed();
}

void SceneView::expect_new_scene()
{
    if (controller_.followed()) follow({});  // it was in the scene before
    controller_.expect_new_scene();
}

void SceneView::walk(double ahead, double left)
{
    controller_.walk(ahead, left);
    camera_moved();
}

void SceneView::follow(const std::optional<ThingKey>& thing)
{
    fly([&] {
        controller_.follow(thing);
        if (state_.picture) controller_.set_picture(*state_.picture);
    });
    emit follow_changed();
}

void SceneView::follow_nothing()
{
    controller_.follow_nothing();
    emit follow_changed();
}

void SceneView::set_turning(bool on)
{
    fly([&] { controller_.set_turning(on); });
    emit follow_changed();
}

void SceneView::set_turning(const Turning& turning)
{
    controller_.set_turning(turning);
    emit follow_changed();
}

void SceneView::set_labels(bool shown)
{
    state_.labels = shown;
    show_state();
    emit options_changed();
}

void SceneView::drop_labels()
{
    if (!labels()) return;
    set_labels(false);
    emit labels_dropped();
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
    state_.next_end.reset();
    setCursor(on ? Qt::CrossCursor : Qt::ArrowCursor);
    show_state();
    emit measuring_changed(on);
}

void SceneView::measure_from(const GlobalPoint& place)
{
    set_measuring(true);
    state_.measured = {{place, {}}};
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
