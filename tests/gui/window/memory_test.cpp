// SPDX-License-Identifier: MPL-2.0
// Resident memory over a long playback.
#include <algorithm>

#include <QApplication>
#include <QDeadlineTimer>
#include <QTimer>

#include "tests/gui/resident_memory.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

constexpr int warm_up = 2'000;  // messages; the cache of what was shown has its size then
/// Ten minutes at ten messages a second. By hand OSIVIEW_TEST_MESSAGES=100000 is three hours.
const int messages = std::max(qEnvironmentVariableIntValue("OSIVIEW_TEST_MESSAGES"), 6'000);
constexpr double most_growth = 8;  // MB

}  // namespace

class MemoryTest : public QObject {
    Q_OBJECT
private slots:
    void plays_on_in_the_same_memory();
};

void MemoryTest::plays_on_in_the_same_memory()
{
    ScratchFolder scratch;
    prepared_trace(scratch);
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.frames = 20;
    options.moving_objects = 1;
    options.reflections = 0;
    options.static_data = StaticData::never;
    Opened opened(ositrace::test::write_sample(scratch / "small.osi", options));
    QVERIFY(opened.ready);
    opened.window.resize(400, 300);
    auto& playback = opened.playback();
    int shown = 0;
    connect(&opened.window, &ViewerWindow::snapshot_shown, this, [&] { ++shown; });
    // From message to message without a pause: the player's clock would take minutes.
    QTimer next;
    connect(&next, &QTimer::timeout, this, [&] {
        if (!opened.window.viewer().is_settled()) return;
        if (playback.active_number() == options.frames - 1)
            playback.to_start();
        else
            playback.step(1);
    });
    next.start(0);
    const auto shows = [&](int wanted) {
        const QDeadlineTimer patience(qint64{wanted} * patience_ms / 2'500);  // a tenth of it on an idle machine
        while (shown < wanted && !patience.hasExpired())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);  // qWait sleeps
        return shown >= wanted;
    };
    QVERIFY2(shows(warm_up), qPrintable(QString::number(shown)));
    const auto before = resident_megabytes();
    for (int part = 4; part < 10; ++part) {
        QVERIFY2(shows(messages / 10 * part), qPrintable(QString::number(shown)));
        qInfo("%d messages: %.1f MB", shown, resident_megabytes());
    }
    QVERIFY2(shows(messages), qPrintable(QString::number(shown)));
    const auto after = resident_megabytes();
    qInfo("%.1f MB after %d messages, %.1f MB after %d", before, warm_up, after, shown);
    QVERIFY2(before > 0 && after < before + most_growth,
             qPrintable(QStringLiteral("%1 MB, then %2").arg(before).arg(after)));
}

OSIVIEW_TEST(MemoryTest, QApplication)
#include "memory_test.moc"
