// SPDX-License-Identifier: MPL-2.0
// For how long the window does not answer. Nothing else runs beside it.
#include <chrono>
#include <thread>

#include <QApplication>
#include <QTimer>

#include "gui/playback/timeline_widget.hpp"
#include "gui/window/view_benchmark.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::gui::test;
using namespace std::chrono_literals;

namespace {

constexpr auto longest_block = 50ms;

/// Knows which event took the GUI thread longest.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override
    {
        const QByteArray name = receiver->metaObject()->className();
        const auto type = event->type();
        const auto begun = std::chrono::steady_clock::now();
        ++depth_;
        const bool result = QApplication::notify(receiver, event);
        --depth_;
        const auto took = std::chrono::steady_clock::now() - begun;
        if (took > longest && depth_ <= 1) {
            longest = took;
            what = name + ", event " + QByteArray::number(static_cast<int>(type));
        }
        return result;
    }
    std::chrono::nanoseconds longest{};
    QByteArray what;

private:
    int depth_ = 0;
};

TimedApplication* timed = nullptr;

}  // namespace

class BlocksTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void the_watchdog_sees_a_block();
    void opens_without_blocking();
    void scrubs_without_blocking();
    void plays_without_blocking();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

long long milliseconds_of(std::chrono::nanoseconds time)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

/// What the machine does to a thread that has nothing to do but answer.
std::chrono::nanoseconds longest_idle_block(GuiWatchdog& watchdog)
{
    watchdog.reset();
    QTest::qWait(500);
    return watchdog.longest_block();
}

/// A block of the program comes again, a pause of a busy machine does not: the best of five counts, above what an idle
/// loop waits for.
template <class Act>
bool some_time_without_block(GuiWatchdog& watchdog, Act&& act)
{
    for (int i = 0; i != 5; ++i) {
        const auto idle = longest_idle_block(watchdog);
        watchdog.reset();
        timed->longest = {};
        act();
        const auto block = watchdog.longest_block();
        if (block < longest_block + idle) return true;
        qInfo("blocked for %lld ms (idle: %lld ms), of which %lld ms by %s", milliseconds_of(block),
              milliseconds_of(idle), milliseconds_of(timed->longest), timed->what.constData());
    }
    return false;
}

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

int main(int argc, char** argv)
{
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    TimedApplication application(argc, argv);
    timed = &application;
    BlocksTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "blocks_test.moc"
