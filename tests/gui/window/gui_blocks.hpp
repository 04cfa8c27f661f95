// SPDX-License-Identifier: MPL-2.0
// For how long the window does not answer.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

#include <QApplication>
#include <QByteArray>
#include <QTest>

#include "gui/command/view_benchmark.hpp"

namespace ositrace::test {

using namespace gui;

constexpr auto longest_block = std::chrono::milliseconds(50);

/// Knows which event took the GUI thread longest.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override
    {
        const QByteArray name = receiver->metaObject()->className();
        const auto type = event->type();
        const auto begun = std::chrono::steady_clock::now();
        const auto work_begun = work_now();
        ++depth_;
        const bool result = QApplication::notify(receiver, event);
        --depth_;
        const auto took = std::chrono::steady_clock::now() - begun;
        if (depth_ <= 1) longest_work = std::max(longest_work, work_now() - work_begun);
        if (took > longest && depth_ <= 1) {
            longest = took;
            what = name + ", event " + QByteArray::number(static_cast<int>(type));
        }
        return result;
    }
    std::chrono::nanoseconds longest{};
    std::chrono::nanoseconds longest_work{};  ///< processor time of this thread
    QByteArray what;

private:
    static std::chrono::nanoseconds work_now()
    {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }

    int depth_ = 0;
};

inline long long milliseconds_of(std::chrono::nanoseconds time)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

/// What the machine does to a thread that has nothing to do but answer.
inline std::chrono::nanoseconds longest_idle_block(GuiWatchdog& watchdog)
{
    watchdog.reset();
    QTest::qWait(500);
    return watchdog.longest_block();
}

/// A block of the program comes again, a pause of a busy machine does not: the best of five counts, above what an idle
/// loop waits for. The application is a TimedApplication.
template <class Act>
bool some_time_without_block(GuiWatchdog& watchdog, Act&& act)
{
    auto& timed = *static_cast<TimedApplication*>(QCoreApplication::instance());
    for (int i = 0; i != 5; ++i) {
        const auto idle = longest_idle_block(watchdog);
        watchdog.reset();
        timed.longest = {};
        act();
        const auto block = watchdog.longest_block();
        qInfo("blocked for %lld ms (idle: %lld ms), of which %lld ms by %s", milliseconds_of(block),
              milliseconds_of(idle), milliseconds_of(timed.longest), timed.what.constData());
        if (block < longest_block + idle) return true;
    }
    return false;
}

/// Where other threads need the processors as well: the processor time of each event counts, in the best of five.
template <class Act>
bool some_time_without_long_event(Act&& act)
{
    auto& timed = *static_cast<TimedApplication*>(QCoreApplication::instance());
    for (int i = 0; i != 5; ++i) {
        timed.longest = timed.longest_work = {};
        act();
        qInfo("an event took up to %lld ms, up to %lld ms of processor time", milliseconds_of(timed.longest),
              milliseconds_of(timed.longest_work));
        if (timed.longest_work < longest_block) return true;
    }
    return false;
}

}  // namespace ositrace::test
