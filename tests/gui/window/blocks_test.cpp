// SPDX-License-Identifier: MPL-2.0
// For how long the window does not answer. Nothing else runs beside it.
#include <chrono>
#include <thread>

#include <QTimer>

#include "gui/playback/timeline_widget.hpp"
#include "lib/system/thread.hpp"
#include "tests/gui/live/sender.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/gui_blocks.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;
using namespace std::chrono_literals;

class BlocksTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void the_watchdog_sees_a_block();
    void opens_without_blocking();
    void scrubs_without_blocking();
    void plays_without_blocking();
    void is_flooded_without_blocking();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

/// What the tests below rest on.
void BlocksTest::the_watchdog_sees_a_block()
{
    GuiWatchdog watchdog;
    const auto block = [] {
        QTimer::singleShot(0, [] { std::this_thread::sleep_for(3 * longest_block); });
        QTest::qWait(50);
    };
    block();
    QVERIFY(watchdog.longest_block() > 2 * longest_block);
    watchdog.reset();
    QTest::qWait(50);
    QVERIFY2(watchdog.longest_block() < 2 * longest_block, "the block before the reset");
    block();
    QTest::qWait(50);
    QVERIFY2(watchdog.longest_block() > 2 * longest_block, "a block that has been answered");
    QVERIFY(!some_time_without_block(watchdog, block));
}

/// As the program does: the file is read while the window is made.
void BlocksTest::opens_without_blocking()
{
    GuiWatchdog watchdog;
    QVERIFY(some_time_without_block(watchdog, [&] {
        auto viewer = std::make_unique<Viewer>();
        viewer->open({file_});
        ViewerWindow window(std::move(viewer));
        window.set_theme(Theme::dark);
        window.show();
        watchdog.reset();
        QVERIFY(QTest::qWaitFor([&] { return window.is_settled() && window.viewer().session().is_complete(); },
                                patience_ms));
    }));
}

void BlocksTest::scrubs_without_blocking()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& timeline = opened.window.timeline();
    const auto scrub = [&] {
        const int from = static_cast<int>(timeline.scale().left()) + 2;
        const int to = static_cast<int>(timeline.scale().left() + timeline.scale().width()) - 2;
        QTest::mousePress(&timeline, Qt::LeftButton, {}, {from, 50});
        for (int x = from; x < to; x += 5) {
            QTest::mouseMove(&timeline, {x, 50});
            QTest::qWait(2);
        }
        QTest::mouseRelease(&timeline, Qt::LeftButton, {}, {to, 50});
    };
    GuiWatchdog watchdog;
    QVERIFY(some_time_without_block(watchdog, scrub));
    QVERIFY(opened.shows(59));
}

void BlocksTest::plays_without_blocking()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    GuiWatchdog watchdog;
    QVERIFY(some_time_without_block(watchdog, [&] {
        opened.playback().to_start();
        opened.playback().play();
        QTest::qWait(1500);
        opened.playback().pause();
    }));
    QVERIFY(opened.number() >= 5);
}

/// A live source sends faster than the window can draw.
void BlocksTest::is_flooded_without_blocking()
{
    auto options = sent_scene();
    options.moving_objects = 100;  // about 25 kB
    Sender sender(ways[0], 0, options);
    ViewerWindow window;
    window.set_theme(Theme::dark);
    window.show();
    window.open({QString::fromStdString(sender.address())});
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    sender.begin();
    GuiWatchdog watchdog;
    std::uint64_t next = 0, pictures = 0;
    connect(&window, &ViewerWindow::snapshot_shown, this, [&] { ++pictures; });
    QVERIFY(some_time_without_long_event([&] {
        constexpr std::uint64_t flood = 500;
        pictures = 0;
        const std::jthread sends([&] {
            lower_thread_priority();  // it is another program
            sender.send(next, next + flood);
        });
        QVERIFY(QTest::qWaitFor(
            [&] { return window.is_settled() && window.viewer().shown_number() == next + flood - 1; }, patience_ms));
        next += flood;
    }));
    QVERIFY(pictures > 1);
    QVERIFY2(watchdog.longest_block() < 1s, "it answers, also on a machine that does more");
}

OSIVIEW_TEST(BlocksTest, TimedApplication)
#include "blocks_test.moc"
