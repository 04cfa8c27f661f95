// SPDX-License-Identifier: MPL-2.0
// The actions of the commands of the window.
#include <algorithm>

#include <QAction>
#include <QActionGroup>
#include <QFile>
#include <QFileDialog>
#include <QMenu>
#include <QStatusBar>

#include <ositrace/error.hpp>

#include "gui/playback/transport_bar.hpp"
#include "gui/scene/scene_views.hpp"
#include "gui/screenshot/png_file.hpp"
#include "gui/window/commands.hpp"
#include "gui/window/layout.hpp"
#include "gui/window/viewer_window.hpp"

namespace ositrace::gui {

using std::chrono::milliseconds;

namespace {

constexpr double step_of_camera = 0.05;  // fraction of the distance, per repetition of the key

/// `moving object`: the legend uses plurals.
QString name_of_one(Category category)
{
    auto name = QString::fromUtf8(name_of(category));
    if (name.endsWith(QLatin1String("ies"))) return name.chopped(3) + QLatin1Char('y');
    return name.endsWith(QLatin1Char('s')) ? name.chopped(1) : name;
}

/// The keys of the moving things of a picture, sorted.
std::vector<ThingKey> moving_things(const Picture& picture)
{
    std::vector<ThingKey> keys;
    for (const auto& layer : picture.layers)
        for (const auto& thing : layer->things)
            if (is_road_user(thing.key.category)) keys.push_back(thing.key);
    std::sort(keys.begin(), keys.end());
    return keys;
}

}  // namespace

void ViewerWindow::connect_file_commands()
{
    recent_ = new QMenu(tr("Open recent"), this);
    commands_->menu(Menu::file).insertMenu(&commands_->action(Command::close), recent_);
    list_recent();
    commands_->on(Command::open, [this] { ask_for_files(false); });
    commands_->on(Command::add, [this] { ask_for_files(true); });
    commands_->on(Command::reload, [this] { viewer_->session().reload(); });
    commands_->on(Command::follow_files,
                  [this] { viewer_->session().set_follows(commands_->action(Command::follow_files).isChecked()); });
    commands_->on(Command::connect_to, [this] { ask_for_address(); });
    commands_->on(Command::run_model, [this] { ask_for_model(); });
    commands_->on(Command::remove_model, [this] { viewer_->session().remove_model(); });
    commands_->on(Command::close, [this] { open({}); });
    commands_->on(Command::load_layout, [this] { load_layout(); });
    commands_->on(Command::save_layout, [this] { save_layout(); });
    commands_->on(Command::quit, [this] { close(); });
}

void ViewerWindow::connect_playback_commands()
{
    auto& playback = viewer_->playback();
    const auto jump = [this, &playback](Command command, milliseconds by) {
        commands_->on(command, [&playback, by] { playback.jump(by); });
    };
    commands_->on(Command::toggle_play, [&] { playback.toggle(); });
    commands_->on(Command::previous_message, [this] { arrow(-1); });
    commands_->on(Command::next_message, [this] { arrow(1); });
    jump(Command::back_100ms, milliseconds(-100));
    jump(Command::forward_100ms, milliseconds(100));
    jump(Command::back_500ms, milliseconds(-500));
    jump(Command::forward_500ms, milliseconds(500));
    jump(Command::back_1s, milliseconds(-1000));
    jump(Command::forward_1s, milliseconds(1000));
    jump(Command::back_10s, milliseconds(-10000));
    jump(Command::forward_10s, milliseconds(10000));
    commands_->on(Command::to_start, [&] { playback.to_start(); });
    commands_->on(Command::to_end, [&] { playback.to_end(); });
    commands_->on(Command::live, [this] { viewer_->go_live(); });
    commands_->on(Command::slower, [&] { playback.slower(); });
    commands_->on(Command::faster, [&] { playback.faster(); });
    commands_->on(Command::real_time, [&] { playback.set_rate(1); });
    commands_->on(Command::loop, [&] { playback.set_loops(!playback.loops()); });
    commands_->on(Command::section_begin, [&] { playback.begin_section(); });
    commands_->on(Command::section_end, [&] { playback.end_section(); });
    commands_->on(Command::section_clear, [&] { playback.set_section(std::nullopt); });
    commands_->on(Command::go_to_time, [this] { transport_->edit_time(); });
    commands_->on(Command::arrows_by_message,
                  [this] { arrows_by_message_ = commands_->action(Command::arrows_by_message).isChecked(); });
    commands_->set_checked(Command::arrows_by_message, arrows_by_message_);
    commands_->on(Command::interpolate, [this] { set_interpolates(!viewer_->interpolates()); });
}

void ViewerWindow::set_interpolates(bool on)
{
    viewer_->set_interpolates(on);
    commands_->set_checked(Command::interpolate, on);
}

void ViewerWindow::connect_scene_commands()
{
    commands_->on(Command::view_3d, [this] {
        scene_->set_view(View::orbit);
        show_views();
    });
    commands_->on(Command::view_bird, [this] {
        scene_->set_view(View::bird);
        show_views();
    });
    commands_->on(Command::second_view, [this] { views_->set_split(!views_->is_split()); });
    commands_->on(Command::reset_camera, [this] { scene_->reset_camera(); });
    commands_->on(Command::to_host, [this] {
        if (viewer_->snapshot() && !viewer_->snapshot()->picture->host)
            return show_message(tr("There is no host at this time. Press R to show all moving objects."));
        scene_->look_at_host();
    });
    commands_->on(Command::follow, [this] {
        const auto& selected = viewer_->selection().current();
        const auto thing = selected ? selected->thing : std::nullopt;
        const bool follows_it = scene_->follows() && (!thing || scene_->followed() == thing);
        if (follows_it)
            scene_->follow_nothing();
        else
            scene_->follow(thing);
        statusBar()->showMessage(followed_text(), 3000);
    });
    commands_->on(Command::turn_along, [this] { scene_->set_turning(!scene_->turns()); });
    const auto walk = [this](Command command, double ahead, double left) {
        commands_->on(command, [this, ahead, left] { scene_->walk(ahead, left); });
    };
    walk(Command::walk_ahead, step_of_camera, 0);
    walk(Command::walk_back, -step_of_camera, 0);
    walk(Command::walk_left, 0, step_of_camera);
    walk(Command::walk_right, 0, -step_of_camera);
    commands_->on(Command::next_object, [this] { select_next(1); });
    commands_->on(Command::previous_object, [this] { select_next(-1); });
    commands_->on(Command::deselect, [this] {
        for (auto* const view : views_->all()) view->set_measuring(false);
        viewer_->selection().clear();
    });
    commands_->on(Command::measure, [this] { scene_->set_measuring(!scene_->measuring()); });
    commands_->on(Command::trails,
                  [this] { set_trail(viewer_->trail() == Nanoseconds(0) ? last_trail_ : Nanoseconds(0)); });
    add_trail_lengths();
    commands_->on(Command::directions, [this] {
        auto options = scene_->options();
        options.directions = !options.directions;
        scene_->set_options(options);
    });
    commands_->on(Command::labels, [this] { scene_->set_labels(!scene_->labels()); });
    commands_->on(Command::legend, [this] { scene_->set_legend(!scene_->legend()); });
    show_views();
}

void ViewerWindow::add_trail_lengths()
{
    auto* const menu = new QMenu(tr("Length of trails"), this);
    commands_->menu(Menu::scene).insertMenu(&commands_->action(Command::labels), menu);
    trail_lengths_ = new QActionGroup(menu);
    for (const int seconds : {1, 3, 5, 10, 30}) {
        auto* const action = menu->addAction(tr("%1 s").arg(seconds), this,
                                             [this, seconds] { set_trail(std::chrono::seconds(seconds)); });
        action->setCheckable(true);
        action->setData(seconds);
        trail_lengths_->addAction(action);
    }
    set_trail(viewer_->trail());
}

void ViewerWindow::set_trail(Nanoseconds length)
{
    if (length > Nanoseconds(0)) last_trail_ = length;
    viewer_->set_trail(length);
    commands_->set_checked(Command::trails, length > Nanoseconds(0));
    for (auto* const action : trail_lengths_->actions())
        action->setChecked(std::chrono::seconds(action->data().toInt()) == last_trail_);
}

/// The commands show the state of the active view.
void ViewerWindow::show_views()
{
    scene_ = &views_->active();
    commands_->set_checked(Command::second_view, views_->is_split());
    commands_->action(Command::view_3d).setEnabled(scene_->has_3d());
    commands_->set_checked(Command::view_3d, scene_->view() == View::orbit);
    commands_->set_checked(Command::view_bird, scene_->view() == View::bird);
    commands_->set_checked(Command::directions, scene_->options().directions);
    commands_->set_checked(Command::labels, scene_->labels());
    commands_->set_checked(Command::legend, scene_->legend());
    commands_->set_checked(Command::measure, scene_->measuring());
    show_followed();
}

void ViewerWindow::connect_window_commands()
{
    commands_->on(Command::left_panels, [this] { toggle_panels(Qt::LeftDockWidgetArea); });
    commands_->on(Command::right_panels, [this] { toggle_panels(Qt::RightDockWidgetArea); });
    commands_->on(Command::full_screen, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    commands_->on(Command::theme, [this] { set_theme(theme_ == Theme::dark ? Theme::light : Theme::dark); });
    commands_->on(Command::align_starts,
                  [this] { viewer_->session().set_starts_aligned(!viewer_->session().starts_aligned()); });
    commands_->on(Command::default_layout, [this] {
        restoreState(default_state_);
        share_width();
    });
    for (const auto command : {Command::arrange_to_inspect, Command::arrange_to_plot, Command::arrange_to_compare,
                               Command::arrange_scene_only})
        commands_->on(command, [this, command] { arrange(command); });
    commands_->on(Command::keys, [this] { show_key_list(*this); });
    commands_->on(Command::palette, [this] { show_command_palette(*commands_, *this); });
}

QString ViewerWindow::followed_text() const
{
    if (!scene_->follows()) return tr("The camera does not follow");
    const auto& thing = scene_->followed();
    const bool has_host = !viewer_->snapshot() || viewer_->snapshot()->picture->host;
    if (!thing) return has_host ? tr("The camera follows the host") : tr("The camera shows all moving objects");
    return tr("The camera follows %1 %2").arg(name_of_one(thing->category)).arg(thing->id);
}

/// By the button and its tooltip; also on the scene if it is not the host, the default.
void ViewerWindow::show_followed()
{
    commands_->set_checked(Command::follow, scene_->follows());
    commands_->set_checked(Command::turn_along, scene_->turns());
    auto& action = commands_->action(Command::follow);
    action.setToolTip(tr("Follow (%1)\n%2").arg(action.shortcut().toString(QKeySequence::NativeText), followed_text()));
    show_problems();
}

void ViewerWindow::show_message(const QString& problem) { statusBar()->showMessage(problem, 10000); }

void ViewerWindow::arrow(int direction)
{
    if (arrows_by_message_) return viewer_->playback().step(direction);
    viewer_->playback().pause();
    viewer_->playback().jump(milliseconds(100 * direction));
}

void ViewerWindow::select_next(int direction)
{
    const auto& snapshot = viewer_->snapshot();
    if (!snapshot) return;
    const auto keys = moving_things(*snapshot->picture);
    if (keys.empty()) return;
    const auto& selected = viewer_->selection().current();
    const auto now = selected && selected->thing ? std::find(keys.begin(), keys.end(), *selected->thing) : keys.end();
    const auto count = static_cast<std::ptrdiff_t>(keys.size());
    const auto place =
        now == keys.end() ? (direction > 0 ? 0 : count - 1) : (now - keys.begin() + direction + count) % count;
    const auto& key = keys[static_cast<std::size_t>(place)];
    const auto* const thing = snapshot->picture->find(key);
    viewer_->selection().select({key, key.source, thing != nullptr ? thing->path : std::string()});
}

}  // namespace ositrace::gui
