// SPDX-License-Identifier: MPL-2.0
#include <limits>

#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "gui/playback/playback_controller.hpp"
#include "gui/playback/time_scale.hpp"
#include "gui/playback/time_text.hpp"
#include "gui/playback/timeline_mark.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/playback/transport_bar.hpp"
#include "gui/text/quantity.hpp"
#include "tests/gui/snapshots.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

/// A channel whose messages come at these times; nothing reads it.
OpenChannel channel_at(std::vector<Nanoseconds> times, bool complete = true)
{
    auto known = std::make_shared<MessageTimes>();
    known->count = times.size();
    known->last = times.back();
    known->times = std::move(times);
    known->complete = complete;
    OpenChannel channel;
    channel.channel = std::make_shared<const Channel>();
    channel.times = known;
    channel.name = "topic";
    return channel;
}

/// 100 messages, one every 100 ms from 1 s on.
OpenChannel ten_hertz()
{
    std::vector<Nanoseconds> times;
    for (int i = 0; i != 100; ++i) times.push_back(1s + i * 100ms);
    return channel_at(times);
}

struct Played {
    Nanoseconds clock{0};
    PlaybackController playback{[this] { return clock; }};
    explicit Played(OpenChannels channels = {ten_hertz()}, bool complete = true)
    {
        playback.set_channels(list_of(std::move(channels)), 0, complete);
    }
    void pass(Nanoseconds time)
    {
        clock += time;
        playback.tick();
    }
    Nanoseconds time_after(Nanoseconds time)
    {
        pass(time);
        return playback.time();
    }
};

}  // namespace

class PlaybackTest : public QObject {
    Q_OBJECT
private slots:
    void begins_paused_at_the_first_message();
    void plays_by_the_clock_at_any_rate();
    void plays_slower_than_the_library_does();
    void pauses_after_the_last_message_and_starts_again();
    void waits_at_the_end_of_an_index_that_grows();
    void follows_the_last_message_while_it_is_live();
    void what_was_dropped_cannot_be_reached();
    void loops_in_the_section();
    void the_section_begins_with_the_shown_message_and_moves_nothing();
    void says_that_the_section_goes_with_what_was_open();
    void pauses_at_what_is_on_the_screen();
    void leaves_its_section_by_a_seek_or_a_step();
    void steps_by_message_of_the_active_channel();
    void distinguishes_messages_of_equal_times();
    void shows_every_message_only_when_the_last_one_was_shown();
    void ignores_everything_while_nothing_is_open();
    void survives_times_at_the_ends_of_int64();
    void reads_typed_times();
    void writes_times_exactly();
    void writes_sizes_and_counts();
    void rules_ticks_that_people_count_in();
    void scrubs_and_chooses_on_the_timeline();
    void a_zoomed_timeline_follows_the_time();
    void names_every_channel_of_many();
    void rules_long_times_from_the_start();
    void joins_marks_that_would_cover_each_other();
    void goes_where_the_time_field_says();
    void a_message_lays_nothing_out_anew();
};

void PlaybackTest::begins_paused_at_the_first_message()
{
    Played played;
    QVERIFY(!played.playback.playing());
    QCOMPARE(played.playback.time(), Nanoseconds(1s));
    QCOMPARE(played.time_after(5s), Nanoseconds(1s));
}

void PlaybackTest::plays_by_the_clock_at_any_rate()
{
    Played played;
    played.playback.play();
    QCOMPARE(played.time_after(2s), Nanoseconds(3s));
    played.playback.set_rate(2);
    QCOMPARE(played.playback.time(), Nanoseconds(3s));
    QCOMPARE(played.time_after(1s), Nanoseconds(5s));
    played.playback.slower();
    QCOMPARE(played.playback.rate(), 1.0);
    played.playback.faster();
    played.playback.faster();
    QCOMPARE(played.playback.rate(), 3.0);
    for (int i = 0; i != 20; ++i) played.playback.faster();
    QCOMPARE(played.playback.rate(), 5.0);
    for (int i = 0; i != 40; ++i) played.playback.slower();
    QCOMPARE(played.playback.rate(), 0.01);
}

void PlaybackTest::plays_slower_than_the_library_does()
{
    Played played;
    played.playback.set_rate(0.02);
    played.playback.play();
    QCOMPARE(played.time_after(10s), Nanoseconds(1200ms));
    played.playback.set_rate(1);
    QCOMPARE(played.playback.time(), Nanoseconds(1200ms));
    QCOMPARE(played.time_after(1s), Nanoseconds(2200ms));
}

void PlaybackTest::pauses_after_the_last_message_and_starts_again()
{
    Played played;
    played.playback.play();
    played.pass(1h);
    QVERIFY(!played.playback.playing());
    QCOMPARE(played.playback.active_number(), std::optional<std::uint64_t>(99));
    played.playback.toggle();
    QVERIFY(played.playback.playing());
    QCOMPARE(played.playback.time(), Nanoseconds(1s));
    played.playback.to_end();
    QCOMPARE(played.playback.time(), Nanoseconds(10900ms));
    QVERIFY(!played.playback.playing());
}

void PlaybackTest::waits_at_the_end_of_an_index_that_grows()
{
    Played played({channel_at({0s, 1s}, false)}, false);
    played.playback.play();
    played.pass(1min);
    QVERIFY(played.playback.playing());
    QCOMPARE(played.playback.active_number(), std::optional<std::uint64_t>(1));
    played.playback.set_channels(list_of({channel_at({0s, 1s, 2s, 3s, 4s, 5s})}), 0, true);
    QCOMPARE(played.time_after(1s), Nanoseconds(3s));
}

void PlaybackTest::says_that_the_section_goes_with_what_was_open()
{
    Played played;
    played.playback.set_section(TimeSection{2s, 3s});
    QSignalSpy changed(&played.playback, &PlaybackController::settings_changed);
    played.playback.set_channels(list_of({}), 0, true);
    QCOMPARE(changed.size(), 1);
    QVERIFY(!played.playback.section());
    played.playback.set_channels(list_of({}), 0, true);
    QCOMPARE(changed.size(), 1);
}

void PlaybackTest::pauses_at_what_is_on_the_screen()
{
    Played played;
    QSignalSpy changed(&played.playback, &PlaybackController::time_changed);
    played.playback.play();
    played.pass(450ms);
    played.playback.shown(1450ms);
    played.pass(300ms);  // a picture that is not there yet
    played.clock += 90ms;
    QCOMPARE(played.playback.time(), Nanoseconds(1750ms));  // the clock alone moves nothing
    changed.clear();
    played.playback.pause();
    QCOMPARE(played.playback.time(), Nanoseconds(1450ms));
    QCOMPARE(changed.size(), 1);
    played.playback.step(1);
    QCOMPARE(*played.playback.active_number(), std::uint64_t(5));
    played.playback.play();
    played.pass(100ms);
    played.playback.shown(1600ms);
    played.playback.seek(5s);
    played.playback.pause();  // the screen still shows the earlier time
    QCOMPARE(played.playback.time(), Nanoseconds(5s));
}

void PlaybackTest::leaves_its_section_by_a_seek_or_a_step()
{
    Played played;
    auto& playback = played.playback;
    playback.set_section(TimeSection{2s, 3s});
    QCOMPARE(playback.time(), Nanoseconds(2s));
    QVERIFY(playback.section_applies());
    playback.to_end();
    QCOMPARE(playback.time(), Nanoseconds(2900ms));
    playback.step(1);
    QCOMPARE(playback.time(), Nanoseconds(3s));
    QVERIFY(!playback.section_applies());
    playback.play();
    played.pass(5s);
    QCOMPARE(playback.time(), Nanoseconds(8s));
    playback.seek(1500ms);
    QCOMPARE(playback.time(), Nanoseconds(1500ms));
    QVERIFY(!playback.section_applies());
    playback.set_loops(true);
    QCOMPARE(played.time_after(600ms), Nanoseconds(2100ms));  // through it
    QVERIFY(!playback.section_applies());
    QCOMPARE(played.time_after(1s), Nanoseconds(3100ms));
    playback.seek(2100ms);
    QVERIFY(playback.section_applies());
    QCOMPARE(played.time_after(1s), Nanoseconds(2100ms));
    playback.seek(1s);
    playback.set_loops(false);
    played.pass(20s);
    QVERIFY(!playback.playing() && !playback.section_applies());
    QCOMPARE(playback.time(), Nanoseconds(10900ms));
    playback.set_loops(true);
    playback.to_start();
    playback.set_section(TimeSection{5s, 6s});
    QCOMPARE(playback.time(), Nanoseconds(5s));
    playback.set_mode(PlaybackMode::every_message);
    playback.play();
    for (int i = 0; i != 10; ++i) {
        playback.shown(playback.time());
        played.pass(100ms);
    }
    QCOMPARE(playback.time(), Nanoseconds(5s));  // the next round
    QVERIFY(playback.section_applies());
}

void PlaybackTest::follows_the_last_message_while_it_is_live()
{
    PlaybackController playback([] { return Nanoseconds(0); });
    QSignalSpy settings(&playback, &PlaybackController::settings_changed);
    playback.go_live();
    QVERIFY2(!playback.live(), "nothing grows");
    playback.set_grows(true);
    QCOMPARE(settings.count(), 1);
    playback.go_live();  // before the first message
    playback.set_channels(list_of({}), 0, false);
    QVERIFY(playback.live());
    const auto until = [&](Nanoseconds last) {
        std::vector<Nanoseconds> times;
        for (Nanoseconds t = 1s; t <= last; t += 100ms) times.push_back(t);
        playback.set_channels(list_of({channel_at(times, false)}), 0, false);
        return playback.time();
    };
    QCOMPARE(until(2s), Nanoseconds(2s));
    QCOMPARE(until(3s), Nanoseconds(3s));
    playback.toggle();
    QVERIFY(!playback.live() && !playback.playing());
    QCOMPARE(until(4s), Nanoseconds(3s));
    playback.toggle();  // plays: not at the end
    QVERIFY(!playback.live() && playback.playing());
    playback.to_end();
    QVERIFY(playback.live() && !playback.playing());
    QCOMPARE(playback.time(), Nanoseconds(4s));
    playback.step(-1);
    QVERIFY(!playback.live());
    QCOMPARE(until(5s), Nanoseconds(3900ms));
    playback.seek(10s);  // to the last message
    QVERIFY(playback.live());
    QCOMPARE(until(6s), Nanoseconds(6s));
    playback.set_section(TimeSection{2s, 3s});
    QVERIFY(!playback.live());
    QCOMPARE(until(7s), Nanoseconds(2900ms));
    playback.play();
    QVERIFY(playback.playing());
    playback.go_live();
    QVERIFY(playback.live() && !playback.playing());
    QCOMPARE(playback.time(), Nanoseconds(7s));
    playback.set_grows(false);
    QVERIFY(!playback.live());
}

void PlaybackTest::what_was_dropped_cannot_be_reached()
{
    auto known = std::make_shared<MessageTimes>(*ten_hertz().times);
    known->times.erase(known->times.begin(), known->times.begin() + 40);
    known->first = 40;
    known->complete = false;
    auto channel = ten_hertz();
    Played played({channel}, false);
    auto& playback = played.playback;
    playback.go_to_message(20);
    QVERIFY(playback.pinned());
    channel.times = known;
    QCOMPARE(channel.time_of(40), Nanoseconds(5s));
    QCOMPARE(channel.last_until(5050ms), std::optional<std::uint64_t>(40));
    QVERIFY(!channel.last_until(4900ms));
    QCOMPARE(known->typical_step(), std::optional<Nanoseconds>(100ms));
    QCOMPARE(known->step(), std::optional<Nanoseconds>(100ms));
    playback.set_channels(list_of({channel}), 0, false);
    QVERIFY(!playback.pinned());
    QCOMPARE(playback.time(), Nanoseconds(5s));
    QCOMPARE(playback.active_number(), std::optional<std::uint64_t>(40));
    playback.step(-1);
    QCOMPARE(playback.active_number(), std::optional<std::uint64_t>(40));
    playback.go_to_message(3);
    QCOMPARE(playback.active_number(), std::optional<std::uint64_t>(40));
    playback.step(1);
    QCOMPARE(playback.active_number(), std::optional<std::uint64_t>(41));
}

void PlaybackTest::loops_in_the_section()
{
    Played played;
    played.playback.seek(2s);
    played.playback.begin_section();
    played.playback.seek(3s - 1ns);
    played.playback.end_section();
    QCOMPARE(*played.playback.section(), (TimeSection{2s, 3s}));
    played.playback.set_loops(true);
    played.playback.to_start();
    played.playback.play();
    QCOMPARE(played.time_after(2500ms), Nanoseconds(2500ms));
    QVERIFY(played.playback.playing());
    played.playback.set_section(std::nullopt);
    QCOMPARE(played.time_after(1s), Nanoseconds(3500ms));
}

void PlaybackTest::the_section_begins_with_the_shown_message_and_moves_nothing()
{
    Played played;
    auto& playback = played.playback;
    playback.seek(2050ms);
    playback.begin_section();
    QCOMPARE(playback.section()->from, Nanoseconds(2s));
    QCOMPARE(playback.time(), Nanoseconds(2050ms));
    playback.seek(4070ms);
    playback.end_section();
    QCOMPARE(*playback.section(), (TimeSection{2s, 4070ms + 1ns}));
    QCOMPARE(playback.time(), Nanoseconds(4070ms));
    playback.begin_section();
    QCOMPARE(*playback.section(), (TimeSection{4s, 4070ms + 1ns}));
}

void PlaybackTest::steps_by_message_of_the_active_channel()
{
    Played played({ten_hertz(), channel_at({0s, 4s, 8s})});
    played.playback.seek(5s);
    played.playback.play();
    played.playback.step(1);
    QVERIFY(!played.playback.playing());
    QCOMPARE(played.playback.time(), Nanoseconds(5100ms));
    played.playback.step(-1);
    played.playback.step(-1);
    QCOMPARE(played.playback.time(), Nanoseconds(4900ms));
    played.playback.set_active(1);
    played.playback.step(1);
    QCOMPARE(played.playback.time(), Nanoseconds(8s));
    played.playback.step(1);
    QCOMPARE(played.playback.time(), Nanoseconds(8s));
    QCOMPARE(played.playback.pinned()->number, std::uint64_t(2));
    played.playback.to_start();
    played.playback.set_active(0);
    QVERIFY(!played.playback.active_number());
    played.playback.step(-1);
    QCOMPARE(played.playback.active_number(), std::optional<std::uint64_t>(0));
}

void PlaybackTest::distinguishes_messages_of_equal_times()
{
    Played played({channel_at({1s, 2s, 2s, 2s, 3s})});
    std::vector<std::uint64_t> numbers;
    for (int i = 0; i != 4; ++i) {
        played.playback.step(1);
        numbers.push_back(*played.playback.active_number());
    }
    QCOMPARE(numbers, (std::vector<std::uint64_t>{1, 2, 3, 4}));
    played.playback.step(-1);
    played.playback.step(-1);
    QCOMPARE(*played.playback.active_number(), std::uint64_t(2));
    QCOMPARE(played.playback.time(), Nanoseconds(2s));
}

void PlaybackTest::shows_every_message_only_when_the_last_one_was_shown()
{
    Played played;
    played.playback.set_mode(PlaybackMode::every_message);
    played.playback.play();
    played.pass(16ms);
    QCOMPARE(*played.playback.active_number(), std::uint64_t(1));
    played.pass(1min);
    QCOMPARE(*played.playback.active_number(), std::uint64_t(1));
    played.playback.shown(played.playback.time());
    played.pass(16ms);
    QCOMPARE(*played.playback.active_number(), std::uint64_t(2));
    played.playback.shown(played.playback.time());
    played.pass(50ms);  // the next is due after 100
    QCOMPARE(*played.playback.active_number(), std::uint64_t(2));
    played.pass(50ms);
    QCOMPARE(*played.playback.active_number(), std::uint64_t(3));
}

void PlaybackTest::ignores_everything_while_nothing_is_open()
{
    PlaybackController playback;
    playback.toggle();
    playback.step(1);
    playback.seek(5s);
    playback.to_end();
    playback.begin_section();
    playback.end_section();
    playback.set_rate(2);
    playback.tick();
    QVERIFY(!playback.playing());
    playback.set_channels(list_of({}), 0, true);
    playback.play();
    QVERIFY(!playback.playing());
    QCOMPARE(playback.rate(), 2.0);
}

void PlaybackTest::survives_times_at_the_ends_of_int64()
{
    Played played({channel_at({Nanoseconds::min(), Nanoseconds::max()})});
    played.playback.to_end();
    played.playback.jump(10s);
    played.playback.to_start();
    played.playback.jump(-10s);
    played.playback.step(1);
    played.playback.end_section();
    QCOMPARE(played.playback.pinned()->number, std::uint64_t(1));
    TimelineWidget timeline;
    timeline.resize(600, 100);
    timeline.set_channels(
        list_of({channel_at({Nanoseconds::min(), Nanoseconds::max()}), channel_at({Nanoseconds::max()})}), 0);
    QVERIFY(!timeline.grab().isNull());
}

void PlaybackTest::reads_typed_times()
{
    const TimeContext context{{10s, 20s}, Nanoseconds(1629299142s)};
    const auto time = [&](const char* text) { return std::get<Nanoseconds>(parse_time(text, context).value()); };
    QCOMPARE(time("12.5"), Nanoseconds(12500ms));
    QCOMPARE(time(" 12.000000001 s "), Nanoseconds(12s + 1ns));
    QCOMPARE(time(".5"), Nanoseconds(500ms));
    QCOMPARE(time("90s"), Nanoseconds(90s));
    QCOMPARE(time("5ms"), Nanoseconds(5ms));
    QCOMPARE(time("1:02:03.5"), Nanoseconds(3723500ms));
    QCOMPARE(time("+1m"), Nanoseconds(70s));
    QCOMPARE(time("+3"), Nanoseconds(13s));
    QCOMPARE(time("-3"), Nanoseconds(17s));
    QCOMPARE(time("1500 ns"), Nanoseconds(1500));
    QCOMPARE(time("2021-08-18T15:05:43Z"), Nanoseconds(1s));
    QCOMPARE(std::get<std::uint64_t>(parse_time("#42", context).value()), std::uint64_t(42));
    for (const char* text :
         {"", "x", "1.5.2", "--3", "#", "#-1", "1e3", "99999999999999999999", "3 m", "nan", "+", "-", "s", "ns"})
        QVERIFY2(!parse_time(text, context), text);
    QVERIFY(!parse_time("2021-08-18T15:05:43Z", {{10s, 20s}, {}}));
}

void PlaybackTest::writes_times_exactly()
{
    QCOMPARE(seconds_text(12500ms), QString("12.500 s"));
    QCOMPARE(seconds_text(1s + 2ns), QString("1.000000002 s"));
    QCOMPARE(seconds_text(1s + 1ns), QString("1.000 s"));
    QCOMPARE(seconds_text(8499999999ns), QString("8.500 s"));
    QCOMPARE(seconds_text(-8499999999ns), QString("-8.500 s"));
    QCOMPARE(fixed_text(-0.004, 2), QString("0.00"));
    QCOMPARE(fixed_text(-0.006, 2), QString("-0.01"));
    QCOMPARE(rounded_text(10.724361038297086), QString("10.7244"));
    QCOMPARE(rounded_text(-0.0), QString("0"));
    QCOMPARE(seconds_text(-1500ms), QString("-1.500 s"));
    QCOMPARE(seconds_text(Nanoseconds::min()), QString("-9223372036.854775808 s"));
    QCOMPARE(seconds_text(12345ms, 100ms), QString("12.3 s"));
    QCOMPARE(seconds_text(14255999999ns, 1ms), QString("14.256 s"));
    QCOMPARE(seconds_text(-1999999999ns, 1ms), QString("-2.000 s"));
    QCOMPARE(seconds_text(Nanoseconds::min(), 1ms), QString("-9223372036.855 s"));
    QCOMPARE(duration_text(Nanoseconds::min(), Nanoseconds::max()), QString("18446744073.710 s"));
    QCOMPARE(milliseconds_text(33333333ns), QString("33.3333 ms"));
    QCOMPARE(milliseconds_text(33333333ns, 1), QString("33.3 ms"));
    QCOMPARE(utc_text(1629299142s + 500ms), std::string("2021-08-18 15:05:42.500 UTC"));
    QCOMPARE(utc_text(-1ms), std::string("1969-12-31 23:59:59.999 UTC"));
}

/// Sizes are those of `osiconvert info`.
void PlaybackTest::writes_sizes_and_counts()
{
    QCOMPARE(size_text(999), QString("999 B"));
    QCOMPARE(size_text(2434), QString("2.43 kB"));
    QCOMPARE(size_text(35'900), QString("35.9 kB"));
    QCOMPARE(size_text(999'499), QString("999 kB"));
    QCOMPARE(size_text(999'500), QString("1.00 MB"));
    QCOMPARE(size_text(UINT64_MAX), QString("18.4 EB"));
    QCOMPARE(count_text(0, "error"), QString("0 errors"));
    QCOMPARE(count_text(1, "error"), QString("1 error"));
    QCOMPARE(count_text(12345, "frame"), QStringLiteral("12\u202f345 frames"));
}

void PlaybackTest::rules_ticks_that_people_count_in()
{
    const TimeScale scale({0s, 10s}, 0, 1000);
    QCOMPARE(scale.tick_step(90), Nanoseconds(1s));
    QCOMPARE(scale.ticks(90).size(), std::size_t(11));
    QCOMPARE(scale.x_of(5s), 500.0);
    QCOMPARE(scale.time_at(250), Nanoseconds(2500ms));
    const auto zoomed = scale.zoomed(10, 500, {0s, 10s});
    QCOMPARE(zoomed.section(), (TimeSection{4500ms, 5500ms}));
    QCOMPARE(zoomed.panned(10000, {0s, 10s}).section().from, Nanoseconds(0));
    QCOMPARE(zoomed.zoomed(0.0001, 0, {0s, 10s}).section(), (TimeSection{0s, 10s}));
    QVERIFY(TimeScale({Nanoseconds::min(), Nanoseconds::max()}, 0, 1000).ticks(90).size() < 20);
    QVERIFY(TimeScale({Nanoseconds::max(), Nanoseconds::max()}, 0, 1000).section().from < Nanoseconds::max());
}

void PlaybackTest::scrubs_and_chooses_on_the_timeline()
{
    TimelineWidget timeline;
    timeline.resize(1000, 120);
    timeline.set_channels(list_of({ten_hertz(), ten_hertz()}), 0);
    timeline.show();
    QVERIFY(QTest::qWaitForWindowExposed(&timeline));
    QSignalSpy scrubbed(&timeline, &TimelineWidget::scrubbed);
    QSignalSpy chosen(&timeline, &TimelineWidget::channel_chosen);
    QSignalSpy section(&timeline, &TimelineWidget::section_chosen);
    const auto at = [&](Nanoseconds time) { return QPoint(static_cast<int>(timeline.scale().x_of(time)), 60); };
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, at(6s));
    QCOMPARE(scrubbed.size(), 1);
    const auto error = scrubbed[0][0].value<std::chrono::nanoseconds>() - Nanoseconds(6s);
    QVERIFY(error < 20ms && error > -20ms);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, QPoint(40, 20 + 10 + 18 + 9));
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].toUInt(), 1U);
    QTest::mousePress(&timeline, Qt::LeftButton, Qt::ShiftModifier, at(3s));
    QTest::mouseMove(&timeline, at(5s));
    QTest::mouseRelease(&timeline, Qt::LeftButton, Qt::ShiftModifier, at(5s));
    QVERIFY(section.size() >= 1);
    QVERIFY(section.last()[0].value<std::optional<TimeSection>>().has_value());
}

void turn_wheel(QWidget& widget, QPoint at, int by)
{
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, by}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

void PlaybackTest::a_zoomed_timeline_follows_the_time()
{
    TimelineWidget timeline;
    timeline.resize(1000, 120);
    timeline.set_channels(list_of({ten_hertz()}), 0);
    timeline.show();
    QVERIFY(QTest::qWaitForWindowExposed(&timeline));
    timeline.set_time(1s);
    for (int i = 0; i != 10; ++i) turn_wheel(timeline, {static_cast<int>(timeline.scale().left()), 60}, 120);
    const auto is_seen = [&](Nanoseconds time) {
        const auto section = timeline.scale().section();
        return section.from <= time && time <= section.to;
    };
    QVERIFY(is_seen(1s) && !is_seen(4s));
    for (auto time = Nanoseconds(1s); time < 10s; time += 16ms) {
        timeline.set_time(time, true);
        QVERIFY(is_seen(time));
    }
    timeline.set_time(2s);  // by a seek
    QVERIFY(is_seen(2s));
    // A person looks elsewhere while it plays.
    QTest::mousePress(&timeline, Qt::MiddleButton, {}, {600, 60});
    QTest::mouseMove(&timeline, {-5000, 60});
    QTest::mouseRelease(&timeline, Qt::MiddleButton, {}, {-5000, 60});
    QVERIFY(!is_seen(2s));
    const auto looked_at = timeline.scale().section();
    timeline.set_time(2016ms, true);
    QCOMPARE(timeline.scale().section(), looked_at);
    timeline.set_time(2100ms);  // a step
    QVERIFY(is_seen(2100ms));
}

void PlaybackTest::names_every_channel_of_many()
{
    TimelineWidget timeline;
    OpenChannels channels;
    for (int i = 0; i != 20; ++i) channels.push_back(ten_hertz());
    timeline.set_channels(list_of(channels), 0);
    timeline.resize(1000, timeline.sizeHint().height());
    timeline.show();
    QVERIFY(QTest::qWaitForWindowExposed(&timeline));
    QSignalSpy chosen(&timeline, &TimelineWidget::channel_chosen);
    const auto choose = [&](int y) {
        QTest::mouseClick(&timeline, Qt::LeftButton, {}, {40, y});
        return chosen.isEmpty() ? 99U : chosen.last()[0].toUInt();
    };
    QVERIFY(timeline.height() < 200);
    QCOMPARE(choose(20 + 10 + 9), 0U);
    QCOMPARE(choose(20 + 10 + 18 + 9), 1U);  // as high as with two channels: there is room for the name
    const auto* const bar = timeline.findChild<QScrollBar*>();
    QVERIFY(bar->isVisible());
    for (int i = 0; i != 100; ++i) turn_wheel(timeline, {40, 60}, -120);
    QCOMPARE(choose(timeline.height() - 10), 19U);
    timeline.set_channels(list_of(channels), 3);  // what is active is seen
    QCOMPARE(choose(20 + 10 + 9), 3U);
    timeline.set_channels(list_of({ten_hertz(), ten_hertz()}), 0);
    timeline.resize(1000, timeline.sizeHint().height() - 1);
    QVERIFY(!bar->isVisible());
}

void PlaybackTest::rules_long_times_from_the_start()
{
    const Nanoseconds start = 1629299142s + 300ms;
    TimelineWidget timeline;
    timeline.resize(1000, 120);
    timeline.set_channels(list_of({channel_at({start, start + 5s, start + 10s})}), 0);
    timeline.show();
    QVERIFY(QTest::qWaitForWindowExposed(&timeline));
    QCOMPARE(timeline.tick_text(start + 2500ms, 500ms), QStringLiteral("+2.5 s"));
    QCOMPARE(timeline.scale().ticks(90, start).front(), start);
    const auto tip = timeline.tip_at({static_cast<int>(timeline.scale().x_of(start + 5s)) + 1, 25});
    QVERIFY2(tip.startsWith(QStringLiteral("16292991")), qUtf8Printable(tip));
    QVERIFY2(tip.contains(QStringLiteral("from the start")), qUtf8Printable(tip));
    QVERIFY2(tip.section(QLatin1Char(' '), 0, 0).section(QLatin1Char('.'), 1).size() == 3, "a pixel says no more");
    timeline.set_channels(list_of({ten_hertz()}), 0);
    QCOMPARE(timeline.tick_text(2500ms, 500ms), QStringLiteral("2.5 s"));
    QVERIFY(!timeline.tip_at({500, 25}).contains(QStringLiteral("from the start")));
}

void PlaybackTest::joins_marks_that_would_cover_each_other()
{
    const TimeScale scale({0s, 10s}, 0, 1000);  // 10 ms are a pixel, 0.1 s a group
    std::vector<TimelineMark> marks{{5s, {}, Severity::info, QStringLiteral("alone")},
                                    {20s, {}, Severity::error, QStringLiteral("elsewhere")}};
    for (int i = 0; i != 20; ++i)
        marks.push_back({1s + i * 4ms, {}, Severity::warning, QStringLiteral("late %1").arg(i)});
    marks.push_back({1050ms, {}, Severity::error, QStringLiteral("broken")});
    const auto groups = grouped(marks, scale);
    QCOMPARE(groups.size(), std::size_t(2));
    QCOMPARE(groups[0].x, 105.0);
    QCOMPARE(groups[0].first().severity, Severity::error);
    const auto words = tip_of(groups[0], {});
    QCOMPARE(words.first(), QStringLiteral("1 error, 20 warnings"));
    QCOMPARE(words[1], QStringLiteral("broken"));
    QCOMPARE(words[2], QStringLiteral("late 0"));
    QCOMPARE(words.last(), QStringLiteral("and 13 more"));
    QCOMPARE(groups[1].x, 500.0);
    QCOMPARE(tip_of(groups[1], {}), QStringList(QStringLiteral("alone")));
    // Of several channels each says of which it is.
    auto other = ten_hertz();
    other.name = "other";
    const std::vector<TimelineMark> equal{{5s, 0, Severity::error, QStringLiteral("broken")},
                                          {5s, 1, Severity::error, QStringLiteral("broken")}};
    const auto of_both = grouped(equal, scale);
    QCOMPARE(
        tip_of(of_both[0], {ten_hertz(), other}),
        (QStringList{QStringLiteral("2 errors"), QStringLiteral("topic: broken"), QStringLiteral("other: broken")}));
    // However many there are, they do not overlap.
    std::vector<TimelineMark> many;
    for (int i = 0; i != 1000; ++i) many.push_back({i * 10ms, {}, Severity::warning, {}});
    QCOMPARE(grouped(many, scale).size(), std::size_t(100));
}

void PlaybackTest::goes_where_the_time_field_says()
{
    Played played;
    TransportBar bar(played.playback);
    bar.show();
    QVERIFY(QTest::qWaitForWindowExposed(&bar));
    bar.activateWindow();
    auto* const field = bar.findChild<QWidget*>(QStringLiteral("time"));
    const auto type = [&](const char* text) {
        bar.edit_time();
        QTest::keyClicks(field, QLatin1String(text));
        QTest::keyClick(field, Qt::Key_Return);
    };
    type("4.2");
    QCOMPARE(played.playback.time(), Nanoseconds(4200ms));
    type("#7");
    QCOMPARE(played.playback.time(), Nanoseconds(1700ms));
    type("nowhere");
    QCOMPARE(played.playback.time(), Nanoseconds(1700ms));
    const auto is_said = [&](const char* text) {
        const auto labels = bar.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel* each) { return each->text().contains(QLatin1String(text)); });
    };
    QVERIFY(is_said("'nowhere' is not a time"));
    type("1970-01-01T00:00:04.2Z");
    QVERIFY(is_said("this trace has no calendar time"));
    played.playback.to_end();
    const auto last = played.playback.time();
    played.playback.to_start();
    type("99999");
    QCOMPARE(played.playback.time(), last);
    played.playback.jump(10s);
    QCOMPARE(played.playback.time(), last);
}

/// How often something is laid out.
class LayoutRequests : public QObject {
public:
    explicit LayoutRequests(QObject& watched) { watched.installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::LayoutRequest ? 1 : 0;
        return false;
    }
    int count = 0;
};

void PlaybackTest::a_message_lays_nothing_out_anew()
{
    Played played;
    TransportBar bar(played.playback);
    bar.show();
    QVERIFY(QTest::qWaitForWindowExposed(&bar));
    LayoutRequests requests(bar);
    bar.show_position(1s, 4444, 4444, true);
    QTest::qWait(20);
    QVERIFY(requests.count > 0);  // there was no room yet
    requests.count = 0;
    for (const std::uint64_t number : {1111, 7, 100, 4000}) {
        bar.show_position(1s, number, 4444, true);
        QTest::qWait(5);
    }
    QCOMPARE(requests.count, 0);
}

OSIVIEW_TEST(PlaybackTest, QApplication)
#include "playback_test.moc"
