// SPDX-License-Identifier: MPL-2.0
// When the messages of a channel are.
#include <algorithm>
#include <cstdlib>

#include <QTest>

#include "gui/session/message_times.hpp"
#include "gui/snapshot/snapshot_builder.hpp"
#include "tests/gui/sample_trace.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace std::chrono_literals;

class TimesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void thins_out_the_times_of_very_many_messages();
    void assumes_times_where_messages_have_none();
    void finds_the_last_message_before_a_time();
    void a_gap_makes_no_end_of_its_own();
    void messages_of_one_time_stand_side_by_side();
    void times_that_run_backward_are_assumed();
    void time_that_goes_back_once_is_counted_once();
    void a_message_is_past_after_a_few_steps();

private:
    ScratchFolder scratch_;
};

/// The index cache of the person who runs the tests stays as it is.
void TimesTest::initTestCase() { setenv("XDG_CACHE_HOME", (scratch_ / "cache").c_str(), 1); }

void TimesTest::thins_out_the_times_of_very_many_messages()
{
    const auto trace = open_trace(test::write_sample(scratch_ / "many.osi", test::small_scene(1000, 10ms)));
    TimesWalk walk(trace, 0, 16);
    while (walk.walk(64)) {
    }
    const auto& times = walk.times();
    QCOMPARE(times.count, std::uint64_t(1000));
    QVERIFY(times.complete && times.times.size() <= 16 && times.stride == 64);
    QCOMPARE(times.last, Nanoseconds(9990ms));
    const auto early = times.last_until(5s);
    QVERIFY(early && *early <= 500 && *early + 64 > 500);
    // The builder reads the messages between.
    auto known = std::make_shared<MessageTimes>(times);
    const auto channels = std::make_shared<const OpenChannels>(OpenChannels{
        {trace, 0, 0, std::shared_ptr<const Channel>(trace, trace->info().channels.data()), known, {}, true, {}}});
    SnapshotBuilder builder(1 << 20);
    const auto snapshot = builder.build({.channels = channels, .time = 5s, .generation = 1});
    QCOMPARE(snapshot->channels.front().number, std::uint64_t(500));
    QCOMPARE(snapshot->channels.front().time, Nanoseconds(5s));
}

void TimesTest::assumes_times_where_messages_have_none()
{
    // Five messages that hold a sensor_id alone.
    std::string bytes;
    for (int i = 0; i != 5; ++i) bytes += std::string("\x04\0\0\0\x1a\x02\x08\x05", 8);
    write_file(scratch_ / "timeless_sv_380.osi", bytes);
    OpenOptions options;
    options.type = MessageType::sensor_view;
    options.encoding = Encoding::protobuf;
    const auto trace = open_trace(scratch_ / "timeless_sv_380.osi", options);
    TimesWalk walk(trace, 0);
    while (walk.walk(100)) {
    }
    QCOMPARE(walk.times().count, std::uint64_t(5));
    QCOMPARE(walk.times().without_time, std::uint64_t(5));
    QCOMPARE(walk.times().last, Nanoseconds(400ms));
}

void TimesTest::finds_the_last_message_before_a_time()
{
    MessageTimes times;
    times.times = {1s, 2s, 2s, 4s};
    times.count = 4;
    times.last = 4s;
    QVERIFY(!times.last_until(1s - 1ns));
    QCOMPARE(times.last_until(1s), std::optional<std::uint64_t>(0));
    QCOMPARE(times.last_until(2s), std::optional<std::uint64_t>(2));
    QCOMPARE(times.last_until(4s - 1ns), std::optional<std::uint64_t>(2));
    QCOMPARE(times.last_until(Nanoseconds::max()), std::optional<std::uint64_t>(3));
    QCOMPARE(*times.extent(), (TimeSection{1s, 5s}));
    QCOMPARE(*times.typical_step(), Nanoseconds(1s));
}

void TimesTest::a_gap_makes_no_end_of_its_own()
{
    MessageTimes times;
    times.times = {0s, 1s, 2s, 3s, 103s};
    times.count = 5;
    times.last = 103s;
    QCOMPARE(*times.extent(), (TimeSection{0s, 104s}));
}

void TimesTest::messages_of_one_time_stand_side_by_side()
{
    const auto file = scratch_ / "one_time.osi";
    SceneSource source(test::small_scene(1), 1);
    const auto writer = create_trace(file, source.info());
    Frame frame;
    QVERIFY(source.read(frame));
    for (int i = 0; i != 5; ++i) writer->write(frame);
    writer->close();
    const auto trace = open_trace(file);
    TimesWalk walk(trace, 0);
    while (walk.walk(100)) {
    }
    const auto& times = walk.times();
    QVERIFY(times.all_assumed && times.complete && times.backward == 0);
    QCOMPARE(times.count, std::uint64_t(5));
    QCOMPARE(times.last_until(times.times.front()), std::optional<std::uint64_t>(0));
    QCOMPARE(times.last - times.times.front(), Nanoseconds(400ms));
}

void TimesTest::times_that_run_backward_are_assumed()
{
    const auto trace = open_trace(test::write_backward(scratch_ / "backward.osi", test::small_scene(5)));
    TimesWalk walk(trace, 0);
    while (walk.walk(100)) {
    }
    const auto& times = walk.times();
    QVERIFY(times.all_assumed);
    QCOMPARE(times.backward, std::uint64_t(4));
    QCOMPARE(times.overtaken, std::uint64_t(4));
    QCOMPARE(times.last, Nanoseconds(800ms));
}

void TimesTest::time_that_goes_back_once_is_counted_once()
{
    SceneSource scene(test::small_scene(20), 1);
    std::vector<Frame> frames;
    for (Frame frame; scene.read(frame); frame = {}) frames.push_back(frame);
    std::rotate(frames.begin(), frames.begin() + 15, frames.end());  // 15 to 19, then 0 to 14
    const auto file = scratch_ / "restarted.osi";
    const auto writer = create_trace(file, scene.info());
    for (const auto& frame : frames) writer->write(frame);
    writer->close();
    TimesWalk walk(open_trace(file), 0);
    while (walk.walk(100)) {
    }
    QCOMPARE(walk.times().backward, std::uint64_t(1));
    QCOMPARE(walk.times().overtaken, std::uint64_t(15));
}

void TimesTest::a_message_is_past_after_a_few_steps()
{
    const auto channel_at = [](std::vector<Nanoseconds> at, bool complete = true) {
        MessageTimes times;
        times.times = std::move(at);
        times.count = times.times.size();
        times.last = times.times.back();
        times.complete = complete;
        OpenChannel channel;
        channel.times = std::make_shared<const MessageTimes>(std::move(times));
        return channel;
    };
    QVERIFY(!channel_at({0s, 1s, 2s}).is_past(2, 7s));
    QVERIFY(channel_at({0s, 1s, 2s}).is_past(2, 7s + 1ns));
    QVERIFY(!channel_at({0s, 1s, 2s}, false).is_past(2, 1h));  // the index goes on
    QVERIFY(channel_at({0s, 1s, 2s}, false).is_past(1, 1h));
    QVERIFY(!channel_at({0s}).is_past(0, 1h));
    QVERIFY(!channel_at({0s, 0s}).is_past(1, 1h));
    // In bursts: a mean step of 0.5 s.
    const auto bursts = channel_at({0s, 1ms, 2ms, 1s, 1001ms, 1002ms, 2s, 2001ms, 2002ms, 3s, 3001ms, 3002ms, 4s});
    QVERIFY(!bursts.is_past(2, 999ms) && !bursts.is_past(12, 5s) && bursts.is_past(12, 6s));
    QVERIFY(channel_at({Nanoseconds::min(), Nanoseconds::min() + 1s}).is_past(1, Nanoseconds::max()));
}

OSIVIEW_TEST(TimesTest, QCoreApplication)
#include "times_test.moc"
