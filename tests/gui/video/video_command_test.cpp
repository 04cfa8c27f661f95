// SPDX-License-Identifier: MPL-2.0
// The signals that wait while a video is written.
#include <array>
#include <csignal>
#include <ctime>

#include <sys/wait.h>
#include <unistd.h>

#include <QTest>

#include <ositrace/error.hpp>

#include "gui/command/requested_scene.hpp"
#include "gui/command/video_command.hpp"
#include "tests/gui/sample_trace.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace ositrace::gui;

namespace {

/// Takes a signal that waits; else the end of HeldSignals would end the test.
bool takes(int signal)
{
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, signal);
    const std::timespec at_once{};
    return sigtimedwait(&wanted, nullptr, &at_once) == signal;
}

bool is_blocked(int signal)
{
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    return sigismember(&blocked, signal) == 1;
}

constexpr std::array held_ones{SIGINT, SIGTERM, SIGHUP};

}  // namespace

class VideoCommandTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { qputenv("XDG_CACHE_HOME", (cache_ / "cache").c_str()); }
    void init();
    void cleanup();
    void a_signal_waits();
    void the_end_lets_signals_through();
    void an_ignored_signal_stays_ignored();
    void a_signal_that_waits_stops_a_video();

private:
    ScratchFolder cache_;
    std::array<struct sigaction, held_ones.size()> before_{};
};

/// As in a program: QtTest has handlers of its own.
void VideoCommandTest::init()
{
    struct sigaction usual{};
    usual.sa_handler = SIG_DFL;
    for (std::size_t i = 0; i != held_ones.size(); ++i) QCOMPARE(sigaction(held_ones.at(i), &usual, &before_.at(i)), 0);
}

void VideoCommandTest::cleanup()
{
    for (std::size_t i = 0; i != held_ones.size(); ++i) sigaction(held_ones.at(i), &before_.at(i), nullptr);
}

void VideoCommandTest::a_signal_waits()
{
    for (const int signal : held_ones) {
        const HeldSignals held;
        QVERIFY(!held.has_one());
        held.refuse_any();
        QCOMPARE(raise(signal), 0);
        QVERIFY(held.has_one());
        try {
            held.refuse_any();
            QFAIL("it was not refused");
        } catch (const Error& error) {
            QCOMPARE(error.cause(), Cause::cancelled);
            QCOMPARE(error.what(), "stopped: nothing was written");
        }
        QVERIFY(takes(signal));
        QVERIFY(!held.has_one());
    }
}

void VideoCommandTest::the_end_lets_signals_through()
{
    {
        const HeldSignals held;
        for (const int signal : held_ones) QVERIFY(is_blocked(signal));
    }
    for (const int signal : held_ones) QVERIFY(!is_blocked(signal));

    const auto child = fork();
    QVERIFY(child >= 0);
    if (child == 0) {
        {
            const HeldSignals held;
            raise(SIGTERM);
        }
        _exit(0);  // it was lost
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QCOMPARE(WTERMSIG(status), SIGTERM);
}

/// `nohup osiview --video ...`
void VideoCommandTest::an_ignored_signal_stays_ignored()
{
    struct sigaction ignored{};
    ignored.sa_handler = SIG_IGN;
    QCOMPARE(sigaction(SIGHUP, &ignored, nullptr), 0);
    const HeldSignals held;
    QVERIFY(!is_blocked(SIGHUP));
    QCOMPARE(raise(SIGHUP), 0);
    QVERIFY(!held.has_one());
    QCOMPARE(raise(SIGTERM), 0);
    QVERIFY(held.has_one());
    QVERIFY(takes(SIGTERM));
}

void VideoCommandTest::a_signal_that_waits_stops_a_video()
{
    ScratchFolder scratch;
    const auto file = ositrace::test::write_sample(scratch / "drive.osi", ositrace::test::small_scene(10));
    ViewOptions options;
    options.files = {QString::fromStdString(file.string())};
    options.size = {160, 100};
    options.video = QString::fromStdString((scratch / "frames").string());
    const HeldSignals held;
    QCOMPARE(raise(SIGTERM), 0);
    const int exit_status = exit_status_of([&] { take_video(options, held); });
    QVERIFY(takes(SIGTERM));
    QCOMPARE(exit_status, 1);
    QCOMPARE(scratch.names(), std::set<std::string>{"drive.osi"});
}

OSIVIEW_TEST(VideoCommandTest, NoApplication)
#include "video_command_test.moc"
