// SPDX-License-Identifier: MPL-2.0
// Events in the list and on the timeline of a window, with clicks, on a display.
#include <QAction>
#include <QLabel>
#include <QRegularExpression>

#include "gui/marks/marks_panel.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/scene/scene_views.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;
using namespace std::chrono_literals;

class EventsWindowTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void an_event_is_gone_to_and_its_object_selected();
    void a_light_that_a_link_leads_to_is_in_view();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

void EventsWindowTest::an_event_is_gone_to_and_its_object_selected()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& panel = *opened.window.findChild<MarksPanel*>();
    for (auto* const action : opened.window.findChildren<QAction*>())
        if (action->text() == QStringLiteral("Find events")) action->trigger();
    QVERIFY(QTest::qWaitFor([&] { return panel.isVisible() && panel.is_settled(); }, patience_ms));
    QVERIFY(panel.list().rowCount() > 1);
    const auto& rows = panel.list().rows();
    const auto& selected = opened.window.viewer().selection().current();
    for (const auto& row : rows) {
        const auto mark = row.mark;
        opened.window.viewer().selection().clear();
        panel.choose(mark);
        QVERIFY(QTest::qWaitFor([&] { return selected && selected->thing && selected->thing->id == *mark.object; },
                                patience_ms));
        QCOMPARE(opened.playback().time(), mark.moment());
    }
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        opened.window.grab().save(path + "/events.png");
    // A click on the timeline does the same.
    auto& timeline = opened.window.timeline();
    opened.window.viewer().selection().clear();
    opened.playback().seek(0s);
    const auto x = static_cast<int>(timeline.scale().x_of(rows.front().mark.time));
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, {x, timeline_sizes::ruler_height + 3});
    QVERIFY(QTest::qWaitFor([&] { return selected && selected->thing.has_value(); }, patience_ms));
    QCOMPARE(opened.playback().time(), rows.front().mark.moment());
}

void EventsWindowTest::a_light_that_a_link_leads_to_is_in_view()
{
    Opened opened(ositrace::test::write_sample(scratch_ / "long.osi", ositrace::test::small_scene(100)));
    QVERIFY(opened.ready);
    auto& panel = *opened.window.findChild<MarksPanel*>();
    panel.find_events();
    QVERIFY(QTest::qWaitFor([&] { return panel.is_settled(); }, patience_ms));
    auto& label = *panel.findChild<QLabel*>("marks_highlights");
    static const QRegularExpression light(QStringLiteral("<a href=\"(\\d+)\">(\\d+) at 9.000 s"));
    const auto match = light.match(label.text());
    QVERIFY2(match.hasMatch(), qPrintable(label.text()));
    emit label.linkActivated(match.captured(1));
    const auto& selected = opened.window.viewer().selection().current();
    QVERIFY(QTest::qWaitFor([&] { return selected && selected->thing.has_value(); }, patience_ms));
    QCOMPARE(selected->thing->category, Category::traffic_light);
    QCOMPARE(selected->thing->id, match.captured(2).toULongLong());
    QCOMPARE(opened.playback().time(), Nanoseconds(9s));
    QVERIFY(opened.settle());
    // The host, whom the camera follows, is elsewhere by then.
    const auto& scene = opened.window.findChild<SceneViews*>()->active();
    const auto is_in_view = [&] {
        const auto& picture = *scene.state().picture;
        const ViewTransform view(scene.camera(), picture.origin, {scene.width(), scene.height()});
        const auto at = view.project(to_vector(picture.find(*selected->thing)->centre));
        return at && QRectF(scene.rect()).contains(at->x, at->y);
    };
    QVERIFY(QTest::qWaitFor(is_in_view, patience_ms));
}

OSIVIEW_TEST(EventsWindowTest, QApplication)
#include "events_window_test.moc"
