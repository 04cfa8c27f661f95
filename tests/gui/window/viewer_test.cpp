// SPDX-License-Identifier: MPL-2.0
// Session, frames and playback put together, without a window.
#include <cstdlib>

#include <QTest>

#include "gui/window/viewer.hpp"
#include "tests/gui/sample_trace.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace std::chrono_literals;

class ViewerTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void goes_to_a_calendar_time_that_only_the_whole_file_knows();
    void says_that_a_trace_has_no_calendar_time();
    void says_that_times_run_backward();

private:
    ScratchFolder scratch_;
};

void ViewerTest::initTestCase() { setenv("XDG_CACHE_HOME", (scratch_ / "cache").c_str(), 1); }

void ViewerTest::goes_to_a_calendar_time_that_only_the_whole_file_knows()
{
    Viewer viewer;
    viewer.open({test::write_without_summary(scratch_ / "zero_time.mcap")});
    QVERIFY(viewer.go_to("2021-08-18T15:05:47Z"));
    QVERIFY(QTest::qWaitFor([&] { return viewer.session().is_complete() && viewer.is_settled(); }, 60'000));
    QVERIFY(viewer.zero_time());
    QCOMPARE(viewer.playback().time(), Nanoseconds(5s));
}

void ViewerTest::says_that_a_trace_has_no_calendar_time()
{
    Viewer viewer;
    viewer.open({test::write_sample(scratch_ / "a.osi", test::small_scene(5))});
    QVERIFY(viewer.go_to("1970-01-01T00:00:00.2Z"));
    QVERIFY(QTest::qWaitFor([&] { return viewer.session().is_complete() && viewer.is_settled(); }, 60'000));
    QVERIFY(viewer.is_out_of_reach() && viewer.problems().join(' ').contains("no calendar time"));
    QVERIFY(viewer.go_to("0.2"));
    QVERIFY(!viewer.is_out_of_reach() && viewer.problems().isEmpty());
}

void ViewerTest::says_that_times_run_backward()
{
    Viewer viewer;
    viewer.open({test::write_backward(scratch_ / "backward.osi", test::small_scene(5))});
    QVERIFY(QTest::qWaitFor([&] { return viewer.session().is_complete() && viewer.is_settled(); }, 60'000));
    const auto said = viewer.problems().join(' ');
    QVERIFY2(said.contains("no message has a later time than the first one") && !said.contains("same time"), qUtf8Printable(said));
}

QTEST_MAIN(ViewerTest)
#include "viewer_test.moc"
