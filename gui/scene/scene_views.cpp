// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/scene_views.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QApplication>
#include <QFrame>
#include <QVBoxLayout>

namespace ositrace::gui {

SceneViews::SceneViews(QWidget* parent) : QSplitter(Qt::Horizontal, parent)
{
    setChildrenCollapsible(false);
    active_ = &add_view();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { activate(now); });
}

/// The focus leaves the views while they are destroyed.
SceneViews::~SceneViews() { disconnect(qApp, nullptr, this, nullptr); }

SceneView& SceneViews::add_view()
{
    auto* const frame = new QFrame(this);
    auto* const layout = new QVBoxLayout(frame);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* const view = new SceneView(frame);
    layout->addWidget(view);
    addWidget(frame);
    frames_.push_back(frame);
    views_.push_back(view);
    connect(view, &SceneView::camera_changed, this, [this, view] { link_to(*view); });
    return *view;
}

void SceneViews::set_split(bool split)
{
    if (split == is_split()) return;
    if (split) {
        const auto& before = first();
        auto& view = add_view();
        view.set_options(before.options());
        view.set_labels(before.labels());
        view.set_legend(before.legend());
        view.set_channels(before.channels());
        view.set_hidden_channels(before.hidden_channels());
        view.set_turning(before.camera_controller().turning());
        view.set_flying(before.flies());
        view.set_view(before.view() == View::orbit ? View::bird : View::orbit);
        view.set_picture(before.state().picture);
        view.set_marks(before.state().marks);
        view.set_caption(before.state().caption, before.state().notes);
        set_first_share(0.5);
        emit view_added(&view);
    } else {
        const bool had_focus = second()->hasFocus();
        active_ = &first();
        views_.pop_back();
        delete frames_.back();
        frames_.pop_back();
        if (had_focus) active_->setFocus();
    }
    mark_active();
    emit views_changed();
}

double SceneViews::first_share() const
{
    const auto widths = sizes();
    const int sum = std::accumulate(widths.begin(), widths.end(), 0);
    return sum > 0 ? static_cast<double>(widths.front()) / sum : 0.5;
}

void SceneViews::set_first_share(double share)
{
    const int sum = std::max(width(), 2), first = static_cast<int>(std::lround(share * sum));
    setSizes({first, sum - first});
}

void SceneViews::activate(QWidget* focused)
{
    const auto found = std::ranges::find_if(views_, [&](SceneView* view) {
        return focused != nullptr && (view == focused || view->isAncestorOf(focused));
    });
    if (found == views_.end() || *found == active_) return;
    active_ = *found;
    mark_active();
    emit views_changed();
}

/// By a coloured edge.
void SceneViews::mark_active()
{
    constexpr int edge = 2;
    for (std::size_t i = 0; i != views_.size(); ++i) {
        auto& frame = *frames_[i];
        const int width = is_split() ? edge : 0;
        frame.layout()->setContentsMargins(width, width, width, width);
        auto colours = palette();
        if (views_[i] == active_) colours.setColor(QPalette::Window, colours.color(QPalette::Highlight));
        frame.setPalette(colours);
        frame.setAutoFillBackground(is_split());
    }
}

void SceneViews::set_flying(bool on)
{
    for (auto* const view : views_) view->set_flying(on);
}

void SceneViews::set_linked(bool linked)
{
    is_linked_ = linked;
    link_to(first());
}

/// Ends there: a view with the same camera is not moved again.
void SceneViews::link_to(const SceneView& moved)
{
    if (!is_linked_) return;
    for (auto* const view : views_)
        if (view != &moved && view->camera() != moved.camera()) view->set_camera(moved.camera(), moved.is_flying());
}

void SceneViews::set_picture(const std::shared_ptr<const Picture>& picture)
{
    for (auto* const view : views_) view->set_picture(picture);
    link_to(*active_);
}

void SceneViews::expect_new_scene()
{
    for (auto* const view : views_) view->expect_new_scene();
}

void SceneViews::set_marks(const std::vector<SceneMark>& marks)
{
    for (auto* const view : views_) view->set_marks(marks);
}

void SceneViews::set_tints(const std::vector<ThingTint>& tints)
{
    for (auto* const view : views_) view->set_tints(tints);
}

void SceneViews::set_theme(Theme theme)
{
    for (auto* const view : views_) view->set_theme(theme);
    mark_active();
}

void SceneViews::select(const std::optional<ThingKey>& thing)
{
    for (auto* const view : views_) view->select(thing);
}

void SceneViews::set_channels(const QStringList& names)
{
    for (auto* const view : views_) view->set_channels(names);
}

void SceneViews::set_styles(const std::vector<SourceStyle>& styles)
{
    for (auto* const view : views_) {
        auto options = view->options();
        options.styles = styles;
        view->set_options(options);
    }
}

bool SceneViews::is_seen() const { return std::ranges::all_of(views_, &SceneView::is_seen); }
bool SceneViews::is_complete() const { return std::ranges::all_of(views_, &SceneView::is_complete); }

std::chrono::nanoseconds SceneViews::drawn_in() const
{
    std::chrono::nanoseconds sum{};
    for (const auto* const view : views_) sum += view->drawn_in();
    return sum;
}

}  // namespace ositrace::gui
