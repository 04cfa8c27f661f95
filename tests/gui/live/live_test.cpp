// SPDX-License-Identifier: MPL-2.0
// Live sources, on the loopback: what is shown while a sender sends, stops, begins again and floods.
#include <algorithm>
#include <atomic>
#include <memory>
#include <string_view>
#include <thread>

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>

#include "gui/channels/channel_panel.hpp"
#include "gui/command/view_benchmark.hpp"
#include "gui/find/find_panel.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/plot/plot_panel.hpp"
#include "gui/scene/visibility.hpp"
#include "gui/session/live_loader.hpp"
#include "gui/states/states_panel.hpp"
#include "tests/gui/live/sender.hpp"
#include "tests/gui/resident_memory.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

/// A window that shows live sources.
struct Watching {
    ViewerWindow window;
    explicit Watching(const std::string& address)
    {
        window.set_theme(Theme::dark);
        window.show();
        window.open({QString::fromStdString(address)});
        ready = QTest::qWaitForWindowExposed(&window);
        window.activateWindow();
        window.setFocus();
        ready = ready && QTest::qWaitForWindowActive(&window);  // else it takes no keys
    }
    Viewer& viewer() { return window.viewer(); }
    PlaybackController& playback() { return window.viewer().playback(); }
    bool comes(const std::function<bool()>& condition) { return QTest::qWaitFor(condition, patience_ms); }
    bool shows(std::uint64_t number)
    {
        return comes([&] {
            const auto& snapshot = viewer().snapshot();
            return window.is_settled() && !snapshot->channels.empty() && snapshot->channels.front().frame &&
                   snapshot->channels.front().number == number;
        });
    }
    /// A UDP receiver must listen before its sender begins; the other senders wait.
    bool is_open(const Sender& sender)
    {
        const auto here = QByteArray::number(sender.port(), 16).toUpper().rightJustified(4, '0');
        const auto listens = [&] {
            QFile sockets(QStringLiteral("/proc/net/udp"));
            return sockets.open(QIODevice::ReadOnly) && sockets.readAll().contains(" 00000000:" + here + ' ');
        };
        return !sender.address().starts_with("udp") || comes(listens);
    }
    /// Sends frames one after the other, each when the one before has arrived: nothing is lost.
    bool takes(Sender& sender, std::uint64_t from, std::uint64_t to)
    {
        for (auto i = from; i != to; ++i) {
            sender.send(i, i + 1);
            if (!comes([&] { return count() == i + 1; })) return false;
        }
        return shows(to - 1);
    }
    [[nodiscard]] std::uint64_t count()
    {
        const auto& channels = *viewer().session().channels();
        return channels.empty() ? 0 : channels.front().times->count;
    }
    bool says(const QString& text)
    {
        return comes([&] { return viewer().problems().join(QLatin1Char('\n')).contains(text); });
    }
    void click(const char* button)
    {
        QTest::mouseClick(window.findChild<QAbstractButton*>(QLatin1String(button)), Qt::LeftButton);
    }
    bool sees_something()
    {
        const auto& scene = window.scene();
        return why_nothing_is_seen(scene.state(), scene.size()).isEmpty();
    }
    bool looks_away()
    {
        window.scene().walk(100, 0);
        return comes([&] { return !sees_something(); });
    }
    /// Of the page that is there before a picture is.
    [[nodiscard]] QString title()
    {
        const auto* const page = window.findChild<QWidget*>(QStringLiteral("welcome"));
        return page->isVisible() ? page->findChild<QLabel*>()->text() : QString();
    }
    [[nodiscard]] bool is_live_pressed()
    {
        const auto* const button = window.findChild<QAbstractButton*>(QStringLiteral("live"));
        return button->isVisible() && button->isChecked();
    }
    bool ready = false;
};

}  // namespace

class LiveTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepared_trace(scratch_); }
    void init() { set_live_limits({}); }
    void shows_what_arrives_data();
    void shows_what_arrives();
    void pause_looks_back_and_live_returns();
    void old_messages_are_dropped_and_the_map_stays();
    void plots_states_and_found_rows_follow();
    void says_that_the_sender_has_gone_and_connects_again_data();
    void says_that_the_sender_has_gone_and_connects_again();
    void a_sender_that_begins_again_is_followed_data();
    void a_sender_that_begins_again_is_followed();
    void a_sender_that_comes_back_and_begins_again_is_in_view();
    void a_sender_that_comes_back_and_goes_on_is_in_view_data();
    void a_sender_that_comes_back_and_goes_on_is_in_view();
    void what_is_looked_back_at_stays_when_the_sender_begins_again();
    void a_flood_blocks_nothing_and_memory_stays_data();
    void a_flood_blocks_nothing_and_memory_stays();
    void connects_by_a_dialog();
    void a_source_that_waits_is_titled_so();
    void a_wrong_address_is_said();
    void a_file_that_grows_is_live();

private:
    ScratchFolder scratch_;
};

void LiveTest::shows_what_arrives_data() { add_ways(); }

void LiveTest::shows_what_arrives()
{
    QFETCH(const QString, way);
    Sender sender(way_named(way));
    Watching watching(sender.address());
    QVERIFY(watching.ready && watching.is_open(sender));
    sender.begin();
    QVERIFY(watching.takes(sender, 0, 1));
    QVERIFY(watching.is_live_pressed());
    QVERIFY(watching.takes(sender, 1, 10));
    QCOMPARE(watching.viewer().shown_time(), Nanoseconds(900ms));
    QCOMPARE(watching.window.timeline().time(), Nanoseconds(900ms));
    const auto& picture = *watching.viewer().snapshot()->picture;
    QVERIFY2(picture.host && !picture.layers.empty(), "the map of the first message, the objects of the last one");
    QVERIFY(watching.viewer().session().traces().front().is_live);
    QVERIFY(watching.window.windowTitle().contains(QString::number(sender.port())));
}

void LiveTest::pause_looks_back_and_live_returns()
{
    Sender sender;
    Watching watching(sender.address());
    QVERIFY(watching.ready);
    sender.begin();
    sender.send(0, 10);
    QVERIFY(watching.shows(9));
    watching.click("play");
    QVERIFY(!watching.is_live_pressed());
    sender.send(10, 15);
    QVERIFY(watching.comes([&] { return watching.count() == 15; }));
    QVERIFY2(watching.shows(9), "it stays where it was paused");
    watching.click("previous");
    QVERIFY(watching.shows(8));
    QCOMPARE(watching.viewer().shown_time(), Nanoseconds(800ms));
    watching.click("live");
    QVERIFY(watching.is_live_pressed());
    QVERIFY(watching.shows(14));
    sender.send(15, 16);
    QVERIFY(watching.shows(15));
    QTest::keyClick(&watching.window, Qt::Key_Home);
    QVERIFY(watching.shows(0) && !watching.is_live_pressed());
    QTest::keyClick(&watching.window, Qt::Key_End);
    QVERIFY(watching.shows(15) && watching.is_live_pressed());
    QTest::keyClick(&watching.window, Qt::Key_Left);
    QVERIFY(watching.shows(14) && !watching.is_live_pressed());
    QTest::keyClick(&watching.window, Qt::Key_End, Qt::ShiftModifier);
    QVERIFY(watching.shows(15) && watching.is_live_pressed());
}

void LiveTest::old_messages_are_dropped_and_the_map_stays()
{
    set_live_limits({.bytes = 60'000});
    Sender sender;
    Watching watching(sender.address());
    QVERIFY(watching.ready);
    sender.begin();
    sender.send(0, 20);
    QVERIFY(watching.shows(19));
    watching.click("previous");
    QVERIFY(watching.shows(18));
    const auto layers = watching.viewer().snapshot()->picture->layers.size();
    sender.send(20, 200);
    const auto first = [&] { return watching.viewer().session().channels()->front().times->first; };
    QVERIFY(watching.comes([&] { return watching.count() == 200; }));
    QVERIFY(first() > 18);
    // What was looked at is gone: the first message that is kept is shown instead.
    QVERIFY(watching.shows(first()));
    QCOMPARE(watching.playback().time(), Nanoseconds(100ms) * static_cast<std::int64_t>(first()));
    QCOMPARE(watching.playback().extent()->from, watching.playback().time());
    QCOMPARE(watching.viewer().snapshot()->picture->layers.size(), layers);
    const auto state = watching.window.findChild<ChannelPanel*>()->topLevelItem(0)->text(0);
    QVERIFY2(state.contains(QStringLiteral("receiving")) || state.contains(QStringLiteral("no message for")),
             qUtf8Printable(state));
}

void LiveTest::plots_states_and_found_rows_follow()
{
    set_live_limits({.frames = 20});
    Sender sender;
    Watching watching(sender.address());
    QVERIFY(watching.ready);
    sender.begin();
    sender.send(0, 5);
    QVERIFY(watching.shows(4));
    auto& plots = *watching.window.findChild<PlotPanel*>();
    plots.plot(0, "timestamp.nanos");
    auto& states = *watching.window.findChild<StatesPanel*>();
    states.set_fields({QStringLiteral("timestamp.nanos")});
    auto& find = *watching.window.findChild<FindPanel*>();
    find.find(QStringLiteral("timestamp.nanos >= 200000000"));
    const auto& view = *states.findChild<StateView*>();
    const auto values = [&] {
        const auto& lines = plots.model().lines();
        return lines.empty() || !lines.front().data ? std::vector<double>() : lines.front().data->curve.values;
    };
    const auto nanos = [](int from, int to) {
        std::vector<double> all;
        for (; from < to; ++from) all.push_back(from % 10 * 1e8);
        return all;
    };
    const auto changes = [&] { return view.curves().empty() ? 0 : view.curves().front().runs.size(); };
    const auto found = [&] { return find.findChild<QLabel*>(QStringLiteral("find_note"))->text(); };
    QVERIFY(watching.comes([&] { return values() == nanos(0, 5) && changes() == 5; }));
    QVERIFY(watching.comes([&] { return found().startsWith(QStringLiteral("3 messages found")); }));
    sender.send(5, 12);
    QVERIFY(watching.comes([&] { return values() == nanos(0, 12) && changes() == 12; }));
    QVERIFY(watching.comes([&] { return found().startsWith(QStringLiteral("8 messages found")); }));
    // A plot has what the source keeps.
    for (int to = 20; to <= 60; to += 4) {
        sender.send(static_cast<std::uint64_t>(to - (to == 20 ? 8 : 4)), static_cast<std::uint64_t>(to));
        QVERIFY(watching.comes([&] { return values().back() == nanos(to - 1, to).back(); }));
        QVERIFY(watching.comes([&] { return changes() == static_cast<std::size_t>(to); }));
    }
    QVERIFY2(values().size() < 40, qPrintable(QString::number(values().size())));
    QVERIFY(watching.comes([&] { return watching.window.is_settled(); }));
}

void LiveTest::says_that_the_sender_has_gone_and_connects_again_data() { add_ways(); }

void LiveTest::says_that_the_sender_has_gone_and_connects_again()
{
    QFETCH(const QString, way);
    const auto& used = way_named(way);
    auto sender = std::make_unique<Sender>(used);
    const auto port = sender->port();
    Watching watching(sender->address());
    QVERIFY(watching.ready && watching.is_open(*sender));
    sender->begin();
    QVERIFY(watching.takes(*sender, 0, 5));
    QVERIFY2(watching.says(QStringLiteral("no message for 2 s")), "a silent sender");
    sender.reset();
    if (used.says_end) QVERIFY(watching.says(QStringLiteral("the sender has gone, waiting for a sender")));
    QVERIFY2(watching.shows(4), "what it sent stays");
    sender = std::make_unique<Sender>(used, port);
    sender->begin();
    QVERIFY(watching.takes(*sender, 5, 8));
    QVERIFY(watching.is_live_pressed());
}

void LiveTest::a_sender_that_begins_again_is_followed_data() { add_ways(); }

void LiveTest::a_sender_that_begins_again_is_followed()
{
    QFETCH(const QString, way);
    Sender sender(way_named(way));
    Watching watching(sender.address());
    QVERIFY(watching.ready && watching.is_open(sender));
    sender.begin();
    QVERIFY(watching.takes(sender, 0, 30));
    QVERIFY(watching.takes(sender, 0, 4));
    QCOMPARE(watching.viewer().shown_time(), Nanoseconds(300ms));
    QVERIFY(watching.is_live_pressed());
}

void LiveTest::a_sender_that_comes_back_and_begins_again_is_in_view()
{
    auto sender = std::make_unique<Sender>();
    const auto port = sender->port();
    Watching watching(sender->address());
    QVERIFY(watching.ready);
    sender->begin();
    QVERIFY(watching.takes(*sender, 0, 5));
    QVERIFY(watching.sees_something());
    QVERIFY(watching.looks_away());
    QVERIFY2(watching.takes(*sender, 5, 7) && !watching.sees_something(), "what goes on moves no camera");
    sender.reset();
    QVERIFY(watching.says(QStringLiteral("the sender has gone, waiting for a sender")));
    sender = std::make_unique<Sender>(ways[0], port);
    sender->begin();
    sender->send(0, 3);
    QVERIFY(watching.shows(2));
    QVERIFY(watching.comes([&] { return watching.sees_something(); }));
    QVERIFY(watching.looks_away());
    sender->send(0, 2);
    QVERIFY2(watching.shows(1) && watching.comes([&] { return watching.sees_something(); }), "on the same connection");
}

/// Where the viewer notices that the sender has gone.
void LiveTest::a_sender_that_comes_back_and_goes_on_is_in_view_data()
{
    QTest::addColumn<QString>("way");
    for (const auto& way : ways)
        if (way.says_end) QTest::newRow(way.name) << QString::fromLatin1(way.name);
}

void LiveTest::a_sender_that_comes_back_and_goes_on_is_in_view()
{
    QFETCH(const QString, way);
    const auto& used = way_named(way);
    auto sender = std::make_unique<Sender>(used);
    const auto port = sender->port();
    Watching watching(sender->address());
    QVERIFY(watching.ready);
    sender->begin();
    QVERIFY(watching.takes(*sender, 0, 5));
    const auto comes_back = [&] {
        sender.reset();
        if (!watching.says(QStringLiteral("the sender has gone, waiting for a sender"))) return false;
        sender = std::make_unique<Sender>(used, port);
        sender->begin();
        return true;
    };
    QVERIFY(watching.looks_away() && comes_back());
    QVERIFY2(!watching.sees_something(), "no message has come yet");
    QVERIFY(watching.takes(*sender, 5, 6));
    QVERIFY(watching.comes([&] { return watching.sees_something(); }));
    QVERIFY(watching.looks_away());
    QVERIFY2(watching.takes(*sender, 6, 8) && !watching.sees_something(), "what goes on moves no camera");
    watching.click("previous");
    QVERIFY(watching.shows(6) && comes_back());
    sender->send(8, 10);
    QVERIFY(watching.comes([&] { return watching.count() == 10; }));
    QVERIFY2(watching.shows(6) && !watching.sees_something(), "who looks back keeps the camera");
    watching.click("live");
    sender->send(10, 11);
    QVERIFY(watching.shows(10) && watching.comes([&] { return watching.sees_something(); }));
}

void LiveTest::what_is_looked_back_at_stays_when_the_sender_begins_again()
{
    Sender sender;
    Watching watching(sender.address());
    QVERIFY(watching.ready);
    sender.begin();
    sender.send(0, 30);
    QVERIFY(watching.shows(29));
    watching.click("previous");
    QVERIFY(watching.shows(28));
    sender.send(0, 4);
    QVERIFY(watching.says(QStringLiteral("the sender has begun again")));
    QVERIFY(watching.shows(28));
    QCOMPARE(watching.count(), std::uint64_t(30));
    watching.click("previous");
    QVERIFY(watching.shows(27));
    sender.send(0, 5);  // and once more: these follow nothing
    watching.click("previous");
    QVERIFY(watching.shows(26));
    watching.click("live");
    QVERIFY(watching.shows(4));
    QCOMPARE(watching.count(), std::uint64_t(5));
    QVERIFY(watching.is_live_pressed());
    QVERIFY(watching.comes(
        [&] { return !watching.viewer().problems().join(' ').contains(QStringLiteral("has begun again")); }));
    sender.send(5, 6);
    QVERIFY(watching.shows(5));
}

void LiveTest::a_flood_blocks_nothing_and_memory_stays_data() { add_ways(); }

void LiveTest::a_flood_blocks_nothing_and_memory_stays()
{
    QFETCH(const QString, way);
    const auto& used = way_named(way);
    set_live_limits({.bytes = std::size_t{8} << 20});
    auto options = sent_scene();
    options.moving_objects = 100;  // about 25 kB
    options.static_data = StaticData::never;
    Sender sender(used, 0, options);
    Watching watching(sender.address());
    QVERIFY(watching.ready && watching.is_open(sender));
    sender.begin();
    constexpr std::uint64_t warm_up = 1000, flood = 4000, last = warm_up + flood - 1;
    std::atomic<std::uint64_t> sent = 0;
    std::atomic<bool> is_shown = false;
    std::jthread sends([&](const std::stop_token& stop) {
        for (std::uint64_t i = 0; i != warm_up + flood && !stop.stop_requested(); i += 50) {
            sender.send(i, i + 50);
            sent = i + 50;
        }
        // What may be lost is sent until it arrives.
        for (; used.may_lose && !is_shown && !stop.stop_requested(); std::this_thread::sleep_for(500ms))
            sender.send(last, last + 1);
    });
    QVERIFY(watching.comes([&] { return sent >= warm_up && watching.count() > 0; }));
    const auto before = resident_megabytes();
    GuiWatchdog watchdog;
    double most = 0;
    std::uint64_t pictures = 0;
    connect(&watching.window, &ViewerWindow::snapshot_shown, this, [&] { ++pictures; });
    QVERIFY(watching.comes([&] {
        most = std::max(most, resident_megabytes());
        return sent == warm_up + flood;
    }));
    const auto block = std::chrono::duration<double, std::milli>(watchdog.longest_block()).count();
    qInfo("%llu pictures, longest block %.1f ms, memory %.1f MB before, at most %.1f MB",
          static_cast<unsigned long long>(pictures), block, before, most);
    QVERIFY(watching.comes([&] {
        return watching.window.is_settled() && watching.viewer().shown_time() == 100ms * static_cast<int>(last);
    }));
    is_shown = true;
    if (!used.may_lose) QCOMPARE(watching.count(), last + 1);
    QVERIFY2(pictures > 0, "it shows something meanwhile");
    QVERIFY2(block < 1000, "it answers, also on a machine that does more");
    // The cache of what was shown may fill meanwhile: it has its own limit.
    const auto cache = static_cast<double>(watching.viewer().frames().cache_bytes()) / 1e6;
    QVERIFY2(most < before + cache + 40, qPrintable(QStringLiteral("%1 MB, then %2").arg(before).arg(most)));
}

void LiveTest::connects_by_a_dialog()
{
    Sender sender;
    ViewerWindow window;
    window.set_theme(Theme::dark);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QString refusal;
    QTimer::singleShot(0, &window, [&] {
        auto* const dialog = window.findChild<QDialog*>(QStringLiteral("connect"));
        auto* const address = dialog->findChild<QComboBox*>(QStringLiteral("address"));
        QTest::keyClicks(address->lineEdit(), QStringLiteral("fox://1"));  // replaces what is offered
        QCOMPARE(address->currentText(), QStringLiteral("fox://1"));
        dialog->accept();
        refusal = dialog->findChild<QLabel*>(QStringLiteral("problem"))->text();
        address->setEditText(QString::fromStdString(sender.address()));
        QTest::keyClick(address, Qt::Key_Return);
    });
    window.commands().action(Command::connect_to).trigger();
    QVERIFY2(refusal.contains(QStringLiteral("fox")), qUtf8Printable(refusal));
    sender.begin();
    sender.send(0, 3);
    QVERIFY(QTest::qWaitFor([&] { return window.is_settled() && window.viewer().shown_number() == 2; }, patience_ms));
}

void LiveTest::a_source_that_waits_is_titled_so()
{
    auto sender = std::make_unique<Sender>();
    const auto address = sender->address();
    sender.reset();  // nobody is there
    Watching watching(address);
    QVERIFY(watching.ready);
    QVERIFY(watching.comes([&] { return watching.title() == QStringLiteral("Waiting for messages"); }));
}

void LiveTest::a_wrong_address_is_said()
{
    Watching watching("zmq+pub://127.0.0.1:5555");
    QVERIFY(watching.ready);
    QVERIFY(watching.says(QStringLiteral("sends, it cannot be a source")));
    QVERIFY(watching.comes([&] { return watching.title() == QStringLiteral("Cannot be shown"); }));
}

void LiveTest::a_file_that_grows_is_live()
{
    const auto read = [](const std::filesystem::path& file) {
        QFile input(QString::fromStdString(file.string()));
        return input.open(QIODevice::ReadOnly) ? input.readAll() : QByteArray();
    };
    const auto whole = read(ositrace::test::write_sample(scratch_ / "whole.osi", ositrace::test::small_scene(30)));
    const auto begun = read(ositrace::test::write_sample(scratch_ / "begun.osi", ositrace::test::small_scene(10)));
    QVERIFY(whole.startsWith(begun));
    QFile grows(QString::fromStdString((scratch_ / "grows.osi").string()));
    QVERIFY(grows.open(QIODevice::WriteOnly));
    grows.write(begun);
    grows.flush();
    Watching watching((scratch_ / "grows.osi").string());
    QVERIFY(watching.ready && watching.shows(0));
    QVERIFY(!watching.window.findChild<QAbstractButton*>(QStringLiteral("live"))->isVisible());
    watching.window.commands().action(Command::follow_files).trigger();
    watching.click("live");
    QVERIFY(watching.is_live_pressed() && watching.shows(9));
    grows.write(whole.mid(begun.size()));
    grows.flush();
    QVERIFY(watching.shows(29));
    watching.click("previous");
    QVERIFY(watching.shows(28) && !watching.is_live_pressed());
}

OSIVIEW_TEST(LiveTest, QApplication)
#include "live_test.moc"
