// SPDX-License-Identifier: MPL-2.0
// The context menu of a scene: what can be done with the thing under the mouse, and what can be changed about the
// scene.

#include <QActionGroup>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include "gui/scene/legend.hpp"
#include "gui/scene/scene_view.hpp"

namespace ositrace::gui {

namespace {

template <class Change>
QAction* add_choice(QMenu& menu, QActionGroup& group, const QString& text, bool chosen, Change change)
{
    auto* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(chosen);
    group.addAction(action);
    QObject::connect(action, &QAction::triggered, &group, change);
    return action;
}

template <class Change>
void add_switch(QMenu& menu, const QString& text, bool on, Change change)
{
    auto* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(on);
    QObject::connect(action, &QAction::toggled, &menu, change);
}

void add_fields(SceneView& view, QMenu& menu)
{
    const auto fields = view.state().picture ? cloud_fields(*view.state().picture) : QStringList();
    if (fields.isEmpty()) return;
    auto& colours = *menu.addMenu(QStringLiteral("Colour points by"));
    auto& group = *new QActionGroup(&colours);
    const auto choose = [&view](const QString& field) {
        return [&view, field] {
            auto options = view.options();
            options.cloud_field = field.toStdString();
            options.range.reset();
            view.set_options(options);
        };
    };
    const auto chosen = QString::fromStdString(view.options().cloud_field);
    add_choice(colours, group, QStringLiteral("first that varies"), chosen.isEmpty(), choose({}));
    for (const auto& field : fields) add_choice(colours, group, field, chosen == field, choose(field));
}

void add_sizes(SceneView& view, QMenu& menu)
{
    auto& sizes = *menu.addMenu(QStringLiteral("Size of points"));
    auto& group = *new QActionGroup(&sizes);
    for (const int size : {1, 2, 3, 4, 6}) {
        add_choice(sizes, group, QStringLiteral("%1 px").arg(size),
                   view.options().point_size == static_cast<float>(size), [&view, size] {
                       auto options = view.options();
                       options.point_size = static_cast<float>(size);
                       view.set_options(options);
                   });
    }
}

void add_categories(SceneView& view, QMenu& menu)
{
    auto& shown = *menu.addMenu(QStringLiteral("Show"));
    const auto picture = view.state().picture ? view.state().picture : std::make_shared<const Picture>();
    for (const auto& [category, count] : counts_in(*picture, view.options())) {
        const auto name = name_of(category);
        add_switch(shown, QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())),
                   view.options().shows(category), [&view, which = category](bool on) { view.set_shown(which, on); });
    }
    shown.addSeparator();
    add_switch(shown, QStringLiteral("grid"), view.options().grid, [&view](bool on) {
        auto options = view.options();
        options.grid = on;
        view.set_options(options);
    });
    add_switch(shown, QStringLiteral("coordinate frames"), view.options().axes, [&view](bool on) {
        auto options = view.options();
        options.axes = on;
        view.set_options(options);
    });
    add_switch(shown, QStringLiteral("driving directions"), view.options().directions, [&view](bool on) {
        auto options = view.options();
        options.directions = on;
        view.set_options(options);
    });
    add_switch(shown, QStringLiteral("labels"), view.labels(), [&view](bool on) { view.set_labels(on); });
    add_switch(shown, QStringLiteral("legend"), view.legend(), [&view](bool on) { view.set_legend(on); });
}

/// Of several channels, those that this view shows.
void add_channels(SceneView& view, QMenu& menu)
{
    if (view.channels().size() < 2) return;
    auto& shown = *menu.addMenu(QStringLiteral("Channels of this view"));
    for (const auto& name : view.channels()) {
        add_switch(shown, name, !view.hidden_channels().contains(name),
                   [&view, name](bool on) { view.set_channel_shown(name, on); });
    }
}

void add_follow(SceneView& view, QMenu& menu)
{
    auto& follow = *menu.addMenu(QStringLiteral("Follow"));
    auto& group = *new QActionGroup(&follow);
    const auto selected = view.options().selected;
    const bool follows = view.follows();
    const bool has_host = view.state().picture && view.state().picture->host;
    add_choice(follow, group, QStringLiteral("nothing"), !follows, [&view] { view.follow_nothing(); });
    add_choice(follow, group, has_host ? QStringLiteral("the host") : QStringLiteral("all moving objects"),
               follows && !view.followed(), [&view] { view.follow({}); });
    if (selected)
        add_choice(follow, group, QStringLiteral("the selected object"), follows && view.followed() == selected,
                   [&view, selected] { view.follow(selected); });
    follow.addSeparator();
    add_switch(follow, QStringLiteral("turn with its heading"), view.turns(),
               [&view](bool on) { view.set_turning(on); });
}

/// `pick` is stored without its pointers into the picture, which may have been replaced when an entry is chosen.
void add_thing(SceneView& view, QMenu& menu, const Pick& pick)
{
    const auto name = pick.thing != nullptr
                          ? QString::fromStdString(pick.thing->label.empty() ? pick.thing->path : pick.thing->label)
                          : QString::fromStdString(pick.path);
    const double metres =
        pick.thing != nullptr && pick.thing->size[0] > 0 ? static_cast<double>(pick.thing->size[0]) : 5;
    const auto category = QString::fromUtf8(name_of(pick.key.category));
    auto kept = pick;
    kept.thing = nullptr;
    kept.cloud = nullptr;
    menu.addAction(QStringLiteral("Select %1").arg(name), &view, [&view, kept] { emit view.picked(kept); });
    menu.addAction(QStringLiteral("Move the camera to it"), &view,
                   [&view, metres, place = pick.place] { view.look_at_place(place, metres); });
    if (is_road_user(pick.key.category)) {
        if (view.follows() && view.followed() == pick.key)
            menu.addAction(QStringLiteral("Stop following it"), &view, [&view] { view.follow_nothing(); });
        else
            menu.addAction(QStringLiteral("Follow it"), &view, [&view, key = pick.key] { view.follow(key); });
    }
    menu.addAction(QStringLiteral("Measure from here"), &view,
                   [&view, place = pick.place] { view.measure_from(place); });
    menu.addAction(QStringLiteral("Hide %1").arg(category), &view,
                   [&view, which = pick.key.category] { view.set_shown(which, false); });
    menu.addAction(QStringLiteral("Copy its path"), &view,
                   [path = QString::fromStdString(pick.path)] { QGuiApplication::clipboard()->setText(path); });
    menu.addSeparator();
}

}  // namespace

QStringList cloud_fields(const Picture& picture)
{
    QStringList names;
    for (const auto& cloud : picture.clouds) {
        for (const auto& field : cloud->fields) {
            const auto name = QString::fromStdString(field.name);
            if (!names.contains(name)) names << name;
        }
    }
    return names;
}

void SceneView::show_menu(QPoint at, const std::optional<Pick>& under_mouse)
{
    auto& view = *this;
    auto* menu = new QMenu(&view);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (under_mouse) add_thing(view, *menu, *under_mouse);
    add_fields(view, *menu);
    add_sizes(view, *menu);
    add_categories(view, *menu);
    add_channels(view, *menu);
    add_follow(view, *menu);
    menu->addSeparator();
    add_switch(*menu, QStringLiteral("Measure"), view.measuring(), [&view](bool on) { view.set_measuring(on); });
    menu->addAction(QStringLiteral("Back to the host"), &view, [&view] { view.look_at_host(); });
    menu->addAction(QStringLiteral("Reset the view"), &view, [&view] { view.reset_camera(); });
    menu->popup(at);
}

}  // namespace ositrace::gui
