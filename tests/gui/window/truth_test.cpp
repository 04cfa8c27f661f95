// SPDX-License-Identifier: MPL-2.0
// What the screen says is one truth: picture, time, playhead, message number, tree and table agree at every snapshot.
#include <QLabel>
#include <QLineEdit>
#include <QTableView>

#include "gui/objects/object_panel.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/text/quantity.hpp"
#include "gui/tree/message_tree_panel.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

constexpr auto period = 10ms;

/// A window with 1000 messages, one every 10 ms, which is asked what it says whenever that changes.
struct Watched : Opened {
    QString lie;  ///< the first; empty: there was none
    int compared = 0;

    explicit Watched(const std::filesystem::path& file) : Opened(file)
    {
        QObject::connect(&window.viewer(), &Viewer::snapshot_changed, &window, [this] { compare(); });
        QObject::connect(&window.viewer(), &Viewer::time_shown, &window, [this] { compare(); });
        compare();
    }

    [[nodiscard]] Nanoseconds time() { return window.timeline().time(); }

    void compare()
    {
        ++compared;
        const auto& snapshot = *window.viewer().snapshot();
        const auto& shown = snapshot.channels.front();
        const auto wrong = [&](const char* what, const QString& says) {
            if (!lie.isEmpty()) return;
            lie = QStringLiteral("%1: %2 where message %3 is shown").arg(QLatin1String(what), says).arg(shown.number);
        };
        if (shown.time != period * shown.number || shown.frame->time != shown.time)
            wrong("message", QString::number(shown.number));
        if (time() / period != static_cast<std::int64_t>(shown.number)) wrong("playhead", seconds_text(time()));
        const auto typed = window.findChild<QLineEdit*>(QStringLiteral("time"))->text();
        if (typed != seconds_text(time(), 1ms)) wrong("time field", typed);
        const auto number = window.findChild<QLabel*>(QStringLiteral("message"))->text();
        if (number != QStringLiteral("message #%1, 1000 in total").arg(shown.number)) wrong("message number", number);
        auto& tree = window.findChild<MessageTreePanel*>()->model();
        const auto row = tree.index(0, MessageTreeModel::value_column).data().toString();
        if (!row.startsWith(QStringLiteral("#%1 ").arg(shown.number))) wrong("tree", row);
        const auto& objects = window.findChild<ObjectPanel*>()->model();
        const auto& host = *snapshot.picture->host;
        const auto x = objects.index(objects.row_of(host.key), ObjectTableModel::x).data().toString();
        const auto real_x = snapshot.picture->origin[0] + static_cast<double>(host.centre[0]);
        if (x != QString::number(real_x, 'f', 2)) wrong("table", x);
        if (window.scene().state().picture != snapshot.picture) wrong("scene", QStringLiteral("another picture"));
    }

    /// Waits for the requested picture.
    bool settles()
    {
        return QTest::qWaitFor([&] { return window.is_settled(); }, patience_ms);
    }
    bool plays_for(std::uint64_t messages)
    {
        const auto begun = number();
        return QTest::qWaitFor([&] { return number() >= begun + messages; }, patience_ms);
    }
    void type(const char* text)
    {
        press(Qt::Key_G, Qt::ControlModifier);
        auto* const field = window.findChild<QLineEdit*>(QStringLiteral("time"));
        QTest::keyClicks(field, QLatin1String(text));
        QTest::keyClick(field, Qt::Key_Return);
    }
    void click(Nanoseconds at)
    {
        auto& timeline = window.timeline();
        const QPoint place(static_cast<int>(timeline.scale().x_of(at)), timeline.height() / 2);
        QTest::mouseClick(&timeline, Qt::LeftButton, {}, place);
    }
};

}  // namespace

class TruthTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void a_step_after_a_pause_shows_the_very_next_message();
    void a_step_while_it_plays_shows_the_very_next_message();
    void goes_out_of_its_section_and_says_so();
    void loops_in_its_section();
    void the_end_is_the_time_of_the_last_message();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

void TruthTest::initTestCase()
{
    static_cast<void>(prepared_trace(scratch_));
    auto options = ositrace::test::small_scene(1000, period);
    options.static_data = StaticData::first_frame;
    file_ = ositrace::test::write_sample(scratch_ / "100hz.osi", options);
}

void TruthTest::a_step_after_a_pause_shows_the_very_next_message()
{
    Watched watched(file_);
    QVERIFY(watched.ready);
    for (const double rate : {0.5, 1.0, 3.0, 5.0}) {
        watched.playback().set_rate(rate);
        for (int i = 0; i != 5; ++i) {
            watched.press(Qt::Key_Home);
            QVERIFY(watched.shows(0));
            watched.press(Qt::Key_Space);
            QVERIFY(watched.plays_for(5));
            watched.press(Qt::Key_Space);
            const auto paused = watched.number();
            QVERIFY(watched.settles());
            QCOMPARE(watched.number(), paused);
            watched.press(Qt::Key_Right);
            QVERIFY(watched.settles());
            QCOMPARE(watched.number(), paused + 1);
            watched.press(Qt::Key_Left);
            QVERIFY(watched.settles());
            QCOMPARE(watched.number(), paused);
        }
    }
    QVERIFY2(watched.lie.isEmpty(), qUtf8Printable(watched.lie));
    QVERIFY(watched.compared > 100);
}

void TruthTest::a_step_while_it_plays_shows_the_very_next_message()
{
    Watched watched(file_);
    QVERIFY(watched.ready);
    for (const double rate : {1.0, 3.0}) {
        watched.playback().set_rate(rate);
        watched.press(Qt::Key_Space);
        QVERIFY(watched.plays_for(5));
        const auto seen = watched.number();
        watched.press(Qt::Key_Right);
        QVERIFY(watched.settles());
        QCOMPARE(watched.number(), seen + 1);
    }
    QVERIFY2(watched.lie.isEmpty(), qUtf8Printable(watched.lie));
}

void TruthTest::goes_out_of_its_section_and_says_so()
{
    Watched watched(file_);
    QVERIFY(watched.ready);
    auto* const said = watched.window.findChild<QLabel*>(QStringLiteral("section_left"));
    watched.playback().set_section(TimeSection{1s, 2s});
    QVERIFY(watched.shows(100));
    QVERIFY(said->isHidden());
    watched.type("2.0");
    QVERIFY(watched.shows(200));
    QVERIFY(said->isVisible());
    watched.press(Qt::Key_Right);
    QVERIFY(watched.shows(201));
    QCOMPARE(watched.time(), Nanoseconds(2010ms));
    watched.press(Qt::Key_Left);
    watched.press(Qt::Key_Left);
    QVERIFY(watched.shows(199));
    QVERIFY(said->isHidden());
    watched.press(Qt::Key_Right);
    QVERIFY(watched.shows(200));
    watched.click(500ms);
    QVERIFY(watched.settles());
    QVERIFY(watched.time() < 600ms && said->isVisible());
    watched.playback().set_rate(5);
    watched.press(Qt::Key_Space);
    QVERIFY(QTest::qWaitFor([&] { return watched.number() > 220; }, patience_ms));  // through it
    QVERIFY(watched.playback().playing() && said->isVisible());
    watched.press(Qt::Key_Space);
    QVERIFY(watched.settles());
    watched.click(1500ms);
    QVERIFY(watched.settles());
    QVERIFY(watched.time() > 1400ms && said->isHidden());
    watched.press(Qt::Key_End);
    QVERIFY(watched.shows(199));
    watched.press(Qt::Key_Home);
    QVERIFY(watched.shows(100));
    QVERIFY2(watched.lie.isEmpty(), qUtf8Printable(watched.lie));
}

void TruthTest::loops_in_its_section()
{
    Watched watched(file_);
    QVERIFY(watched.ready);
    watched.playback().set_section(TimeSection{1s, 1100ms});
    watched.press(Qt::Key_L);
    watched.press(Qt::Key_Space);
    int rounds = 0;
    std::uint64_t before = 0;
    bool stays_inside = true;
    QObject::connect(&watched.window, &ViewerWindow::snapshot_shown, &watched.window, [&] {
        stays_inside = stays_inside && watched.number() >= 100 && watched.number() < 110;
        if (watched.number() < std::exchange(before, watched.number())) ++rounds;
    });
    QVERIFY(QTest::qWaitFor([&] { return rounds >= 3; }, patience_ms));
    watched.press(Qt::Key_Space);
    const auto paused = watched.number();
    watched.press(Qt::Key_Right);
    QVERIFY(watched.shows(paused + 1));
    QVERIFY(stays_inside);
    QVERIFY2(watched.lie.isEmpty(), qUtf8Printable(watched.lie));
}

void TruthTest::the_end_is_the_time_of_the_last_message()
{
    Watched watched(file_);
    QVERIFY(watched.ready);
    auto* const end = watched.window.findChild<QLabel*>(QStringLiteral("end"));
    QCOMPARE(end->text(), QStringLiteral(" of 9.990 s"));
    watched.press(Qt::Key_End);
    QVERIFY(watched.shows(999));
    QCOMPARE(watched.time(), Nanoseconds(9990ms));
    watched.type("9.8");
    QVERIFY(watched.shows(980));
    watched.press(Qt::Key_Space);
    QVERIFY(QTest::qWaitFor([&] { return !watched.playback().playing(); }, patience_ms));
    QVERIFY(watched.shows(999));
    QCOMPARE(watched.time(), Nanoseconds(9990ms));
    watched.type("-0");
    QVERIFY(watched.shows(999));
    watched.click(Nanoseconds(9999ms));
    QVERIFY(watched.shows(999));
    QCOMPARE(watched.time(), Nanoseconds(9990ms));
    QVERIFY2(watched.lie.isEmpty(), qUtf8Printable(watched.lie));
}

OSIVIEW_TEST(TruthTest, QApplication)
#include "truth_test.moc"
