// SPDX-License-Identifier: MPL-2.0
// Session, frames and playback put together, without a window.
#include <cstdlib>
#include <fstream>

#include <QTest>

#include "gui/viewer/viewer.hpp"
#include "tests/gui/sample_trace.hpp"
#include "tests/gui/test_class.hpp"
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
    void says_that_a_file_was_replaced_and_reloads_it();
    void keeps_time_section_and_boxes_when_it_reloads();
    void follows_a_file_that_grows();

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
    QVERIFY2(said.contains("no message has a later time than the first one"), qUtf8Printable(said));
    QVERIFY2(!said.contains("same time"), qUtf8Printable(said));
}

namespace {

/// Over the bytes that the file has: whoever has it open reads the new ones.
void overwrite(const std::filesystem::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

bool is_loaded(Viewer& viewer)
{
    const auto is_there = [&] { return viewer.session().is_complete() && viewer.is_settled() && viewer.snapshot(); };
    return QTest::qWaitFor(is_there, 60'000);
}

bool says(Viewer& viewer, const char* what)
{
    return QTest::qWaitFor([&] { return viewer.problems().join(' ').contains(QLatin1String(what)); }, 60'000);
}

}  // namespace

void ViewerTest::says_that_a_file_was_replaced_and_reloads_it()
{
    const auto file = test::write_sample(scratch_ / "replaced.osi", test::small_scene(50));
    const auto before = read_file(file);
    Viewer viewer;
    viewer.open({file});
    QVERIFY(is_loaded(viewer));
    overwrite(file, "no length prefix of anything, but words" + before.substr(0, before.size() / 2));
    viewer.playback().to_end();  // read where nothing is any more
    QVERIFY(says(viewer, "replaced.osi was replaced since it was opened: F5 reloads it"));
    QVERIFY(QTest::qWaitFor([&] { return viewer.is_settled(); }, 60'000));
    QCOMPARE(viewer.problems().size(), 1);  // nothing of lengths or limits
    overwrite(file, before);
    viewer.session().reload();
    QVERIFY(is_loaded(viewer));
    QVERIFY2(viewer.problems().isEmpty(), qUtf8Printable(viewer.problems().join(' ')));
    QCOMPARE(*viewer.shown_number(), std::uint64_t(49));
    std::filesystem::rename(test::write_sample(scratch_ / "other.osi", test::small_scene(30)), file);
    QVERIFY(says(viewer, "was replaced"));
    viewer.session().reload();
    QVERIFY(is_loaded(viewer));
    QCOMPARE(viewer.session().channels()->front().times->count, std::uint64_t(30));
    std::filesystem::remove(file);
    QVERIFY(says(viewer, "was removed after it was opened"));
    viewer.session().set_follows(true);
    QVERIFY(says(viewer, "was removed: nothing is followed until it is written again"));
    viewer.session().set_follows(false);
    test::write_sample(file, test::small_scene(10));
    QVERIFY(says(viewer, "was replaced"));
}

void ViewerTest::keeps_time_section_and_boxes_when_it_reloads()
{
    const auto one = test::write_sample(scratch_ / "one.osi", test::small_scene(50));
    const auto two = test::write_sample(scratch_ / "two.osi", test::small_scene(50));
    Viewer viewer;
    viewer.open({one, two});
    QVERIFY(is_loaded(viewer));
    viewer.session().set_active(1);
    viewer.session().set_shown(0, false);
    viewer.playback().set_section(TimeSection{1s, 3s});
    viewer.playback().seek(2s);
    viewer.session().reload();
    QVERIFY(is_loaded(viewer));
    QCOMPARE(viewer.playback().time(), Nanoseconds(2s));
    QVERIFY(viewer.playback().section_applies());
    QCOMPARE(viewer.session().active(), 1U);
    QVERIFY(!viewer.session().channels()->front().shown);
}

void ViewerTest::follows_a_file_that_grows()
{
    const auto whole = read_file(test::write_sample(scratch_ / "whole.osi", test::small_scene(50)));
    const auto begun = read_file(test::write_sample(scratch_ / "begun.osi", test::small_scene(20)));
    QVERIFY(whole.starts_with(begun));
    const auto file = scratch_ / "grows.osi";
    overwrite(file, begun);
    Viewer viewer;
    viewer.open({file});
    QVERIFY(is_loaded(viewer));
    const auto count = [&] { return viewer.session().channels()->front().times->count; };
    QCOMPARE(count(), std::uint64_t(20));
    const auto append = [&](std::size_t from, std::size_t to) {
        std::ofstream(file, std::ios::binary | std::ios::app) << whole.substr(from, to - from);
    };
    const auto half = begun.size() + (whole.size() - begun.size()) / 2;  // in the middle of a message
    append(begun.size(), half);
    QVERIFY(says(viewer, "grows.osi has grown"));
    QCOMPARE(count(), std::uint64_t(20));
    viewer.playback().to_end();
    viewer.session().set_follows(true);
    QVERIFY(QTest::qWaitFor([&] { return count() > 20; }, 60'000));
    const auto known = count();
    QVERIFY(known < 50);
    append(half, whole.size());
    QVERIFY(QTest::qWaitFor([&] { return count() == 50; }, 60'000));
    QVERIFY(is_loaded(viewer));
    QCOMPARE(viewer.playback().time(), Nanoseconds(4900ms));  // at the end it stays at the end
    QVERIFY2(viewer.problems().isEmpty(), qUtf8Printable(viewer.problems().join(' ')));
    viewer.playback().seek(1s);
    std::filesystem::rename(test::write_sample(scratch_ / "longer.osi", test::small_scene(60)), file);
    QVERIFY(QTest::qWaitFor([&] { return count() == 60; }, 60'000));
    QCOMPARE(viewer.playback().time(), Nanoseconds(1s));
}

OSIVIEW_TEST(ViewerTest, QApplication)
#include "viewer_test.moc"
