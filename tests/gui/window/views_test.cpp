// SPDX-License-Identifier: MPL-2.0
// Two views of the scene beside each other: what they share, and what each has of its own.
#include <QMenu>

#include "gui/scene/scene_views.hpp"
#include "gui/window/layout.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

class ViewsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void a_key_shows_a_second_view_of_the_same_time();
    void commands_apply_to_the_view_that_was_clicked();
    void a_thing_that_is_clicked_in_one_view_is_selected_in_both();
    void each_view_shows_its_own_channels();
    void it_is_shown_which_of_3d_and_birds_eye_is_on();
    void a_layout_keeps_both_views();
    void a_key_shows_trails_of_the_time_before();
    void motion_between_messages_is_shown_while_playing_and_a_pause_shows_the_message();
    void a_layout_brings_the_camera_back();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

namespace {

/// By way of the window system's events, where the mouse is on the screen.
void click(Opened& opened, const SceneView& view, QPoint at, Qt::MouseButton button = Qt::LeftButton)
{
    QTest::mouseClick(opened.window.windowHandle(), button, {}, view.mapTo(&opened.window, at));
}

QPoint corner_of(const SceneView& view) { return {view.width() - 20, view.height() - 90}; }

}  // namespace

void ViewsTest::a_key_shows_a_second_view_of_the_same_time()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& views = opened.window.views();
    QVERIFY(!views.is_split() && views.second() == nullptr);
    opened.press(Qt::Key_V);
    QVERIFY(views.is_split());
    QVERIFY(opened.settle());
    QCOMPARE(views.first().view(), View::orbit);
    QCOMPARE(views.second()->view(), View::bird);
    QVERIFY(std::abs(views.first().width() - views.second()->width()) < 10);
    opened.press(Qt::Key_Right);
    QVERIFY(opened.shows(1));
    const auto& picture = opened.window.viewer().snapshot()->picture;
    QCOMPARE(views.first().state().picture, picture);
    QCOMPARE(views.second()->state().picture, picture);
    QVERIFY(views.first().is_complete() && views.second()->is_complete());
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        opened.window.grab().save(path + QStringLiteral("/two_views.png"));
    opened.press(Qt::Key_V);
    QVERIFY(!views.is_split() && views.second() == nullptr);
    opened.press(Qt::Key_Right);
    QVERIFY(opened.shows(2));
}

void ViewsTest::commands_apply_to_the_view_that_was_clicked()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& views = opened.window.views();
    opened.press(Qt::Key_V);
    QVERIFY(opened.settle());
    QCOMPARE(&opened.window.scene(), &views.first());
    click(opened, *views.second(), corner_of(*views.second()));
    QTRY_COMPARE(&opened.window.scene(), views.second());
    opened.press(Qt::Key_3);
    opened.press(Qt::Key_N);
    QCOMPARE(views.second()->view(), View::orbit);
    QVERIFY(!views.second()->labels() && views.first().labels());
    QVERIFY(!opened.window.commands().action(Command::labels).isChecked());
    click(opened, views.first(), corner_of(views.first()));
    QTRY_COMPARE(&opened.window.scene(), &views.first());
    QVERIFY(opened.window.commands().action(Command::labels).isChecked());
    opened.press(Qt::Key_B);
    QCOMPARE(views.first().view(), View::bird);
    QCOMPARE(views.second()->view(), View::orbit);
    const auto before = views.second()->camera();
    opened.press(Qt::Key_W);
    QVERIFY(views.second()->camera() == before);
}

void ViewsTest::a_thing_that_is_clicked_in_one_view_is_selected_in_both()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& views = opened.window.views();
    opened.press(Qt::Key_V);
    QVERIFY(opened.settle());
    auto& second = *views.second();
    second.look_at_host();
    QVERIFY(opened.settle());
    const auto& host = *second.state().picture->host;
    const ViewTransform transform(second.camera(), second.state().picture->origin, {second.width(), second.height()});
    const auto at = transform.project(to_vector(host.centre));
    QVERIFY(at);
    click(opened, second, {static_cast<int>(at->x), static_cast<int>(at->y)});
    QTRY_VERIFY(opened.window.viewer().selection().current().has_value());
    QCOMPARE(views.first().options().selected, std::optional(host.key));
    QCOMPARE(second.options().selected, std::optional(host.key));
}

void ViewsTest::each_view_shows_its_own_channels()
{
    const auto copy = scratch_ / "other.osi";
    std::filesystem::copy_file(file_, copy, std::filesystem::copy_options::overwrite_existing);
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.window.open_additional({QString::fromStdString(copy.string())});
    QVERIFY(QTest::qWaitFor([&] { return opened.window.views().first().channels().size() == 2; }, patience_ms));
    opened.press(Qt::Key_V);
    QVERIFY(opened.settle());
    auto& views = opened.window.views();
    auto& second = *views.second();
    QCOMPARE(second.channels().size(), 2);
    click(opened, second, {second.width() / 2, second.height() - 40}, Qt::RightButton);
    QTRY_VERIFY(!second.findChildren<QMenu*>(Qt::FindDirectChildrenOnly).isEmpty());
    auto* const menu = second.findChildren<QMenu*>(Qt::FindDirectChildrenOnly).first();
    QMenu* channels = nullptr;
    for (auto* const action : menu->actions())
        if (action->text() == QStringLiteral("Channels of this view")) channels = action->menu();
    QVERIFY(channels != nullptr && channels->actions().size() == 2);
    QVERIFY(channels->actions().at(1)->isChecked());
    channels->actions().at(0)->trigger();
    menu->close();
    QCOMPARE(second.options().hidden_sources, std::vector<std::uint32_t>{0});
    QVERIFY(views.first().options().hidden_sources.empty());
    QCOMPARE(second.shown_channels(), QStringList{second.channels().at(1)});
    QCOMPARE(second.state().caption, second.channels().at(1));
    QVERIFY(opened.settle());
    const auto layout = opened.window.layout_now();
    QVERIFY(layout.second);
    QCOMPARE(layout.second->hidden_channels, QStringList{second.channels().at(0)});
    QVERIFY(layout.hidden_channels.isEmpty());
}

void ViewsTest::it_is_shown_which_of_3d_and_birds_eye_is_on()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& commands = opened.window.commands();
    const auto checked = [&] {
        return std::pair(commands.action(Command::view_3d).isChecked(),
                         commands.action(Command::view_bird).isChecked());
    };
    const std::pair in_3d(true, false), from_above(false, true);
    QCOMPARE(checked(), in_3d);
    opened.press(Qt::Key_B);
    QCOMPARE(checked(), from_above);
    opened.press(Qt::Key_B);
    QCOMPARE(checked(), from_above);
    opened.press(Qt::Key_V);
    QVERIFY(opened.settle());
    auto& views = opened.window.views();
    click(opened, *views.second(), corner_of(*views.second()));  // which began in 3D
    QTRY_COMPARE(checked(), in_3d);
    click(opened, views.first(), corner_of(views.first()));
    QTRY_COMPARE(checked(), from_above);
    opened.press(Qt::Key_3);
    QCOMPARE(checked(), in_3d);
}

void ViewsTest::a_layout_keeps_both_views()
{
    const auto file = QString::fromStdString((scratch_ / "two.osiview.json").string());
    {
        Opened opened(file_);
        QVERIFY(opened.ready);
        opened.press(Qt::Key_V);
        QVERIFY(opened.settle());
        auto& second = *opened.window.views().second();
        second.set_shown(Category::lane, false);
        second.set_legend(false);
        opened.window.views().set_first_share(0.7);
        QVERIFY(write_layout(file, opened.window.layout_now()).isEmpty());
    }
    QString why;
    const auto read = read_layout(file, why);
    QVERIFY2(read && read->second, qPrintable(why));
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.window.apply(*read);
    QVERIFY(opened.settle());
    auto& views = opened.window.views();
    QVERIFY(views.is_split());
    QCOMPARE(views.second()->view(), View::bird);
    QVERIFY(!views.second()->options().shows(Category::lane) && views.first().options().shows(Category::lane));
    QVERIFY(!views.second()->legend() && views.first().legend());
    QVERIFY2(std::abs(views.first_share() - 0.7) < 0.03, qPrintable(QString::number(views.first_share())));
    opened.window.apply(gui::Layout{});
    QVERIFY(!views.is_split());
}

void ViewsTest::a_key_shows_trails_of_the_time_before()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    const auto lines = [&] {
        std::size_t count = 0;
        for (const auto& layer : opened.window.viewer().snapshot()->picture->layers)
            for (const auto& line : layer->lines)
                if (is_road_user(layer->things[line.thing].key.category) && !line.arrow) ++count;
        return count;
    };
    opened.playback().go_to_message(40);
    QVERIFY(opened.shows(40));
    const auto without = lines();
    opened.press(Qt::Key_T);
    QVERIFY(opened.settle());
    const auto sought = lines();
    QVERIFY(sought > without);
    QVERIFY(opened.window.commands().action(Command::trails).isChecked());
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        opened.window.grab().save(path + QStringLiteral("/trails.png"));
    // Message by message leads to the same picture as the seek.
    opened.playback().go_to_message(38);
    QVERIFY(opened.shows(38));
    opened.press(Qt::Key_Right);
    QVERIFY(opened.shows(39));
    opened.press(Qt::Key_Right);
    QVERIFY(opened.shows(40));
    QCOMPARE(lines(), sought);
    QCOMPARE(opened.window.layout_now().trail, 3.0);
    opened.press(Qt::Key_T);
    QVERIFY(opened.settle());
    QCOMPARE(lines(), without);
}

void ViewsTest::motion_between_messages_is_shown_while_playing_and_a_pause_shows_the_message()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& scene = opened.window.scene();
    const auto is_between = [&] {
        const auto& shown = scene.state().picture;
        const auto& snapshot = opened.window.viewer().snapshot();
        return shown && snapshot && shown != snapshot->picture && !shown->notes.empty() &&
               shown->notes.back().text == "motion between messages is interpolated" &&
               length(to_vector(shown->host->centre) - to_vector(snapshot->picture->host->centre)) > 0.01;
    };
    opened.playback().play();
    QTest::qWait(500);
    QVERIFY2(!is_between(), "off by default");
    opened.playback().pause();
    opened.playback().to_start();
    opened.window.commands().action(Command::interpolate).trigger();
    opened.playback().set_rate(0.2);
    opened.playback().play();
    QVERIFY(QTest::qWaitFor(is_between, patience_ms));
    opened.playback().pause();
    QVERIFY(QTest::qWaitFor([&] { return scene.state().picture == opened.window.viewer().snapshot()->picture; }, 1000));
    QVERIFY(opened.window.layout_now().interpolates);
    opened.window.commands().action(Command::interpolate).trigger();
    QVERIFY(!opened.window.viewer().interpolates());
}

void ViewsTest::a_layout_brings_the_camera_back()
{
    const auto file = QString::fromStdString((scratch_ / "camera.osiview.json").string());
    Camera before;
    {
        Opened opened(file_);
        QVERIFY(opened.ready);
        auto& scene = opened.window.scene();
        scene.walk(0.2, 0.1);
        scene.set_turning(false);
        before = scene.camera();
        QVERIFY(write_layout(file, opened.window.layout_now()).isEmpty());
        opened.press(Qt::Key_R);
        QVERIFY(scene.camera() != before);
    }
    QString why;
    const auto layout = read_layout(file, why);
    QVERIFY2(layout, qPrintable(why));
    const auto is_before = [&](const Camera& camera) {
        return length(camera.target - before.target) < 1e-3 && std::abs(camera.distance - before.distance) < 1e-6 &&
               std::abs(std::remainder(camera.yaw - before.yaw, 6.283185307)) < 1e-6 && camera.view == before.view;
    };
    Opened opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(!is_before(opened.window.scene().camera()));
    opened.window.apply(*layout);
    QVERIFY(is_before(opened.window.scene().camera()));
    QVERIFY(!opened.window.scene().turns());
    // Before the trace is open, as with --layout.
    ViewerWindow early;
    early.apply(*layout);
    early.show();
    early.open({QString::fromStdString(file_.string())});
    QVERIFY(QTest::qWaitFor([&] { return early.is_settled(); }, patience_ms));
    QVERIFY(is_before(early.scene().camera()));
}

OSIVIEW_TEST(ViewsTest, QApplication)
#include "views_test.moc"
