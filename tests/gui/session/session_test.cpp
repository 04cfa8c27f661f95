// SPDX-License-Identifier: MPL-2.0
// Several traces and their channels.
#include <cstdlib>

#include <QTest>

#include "gui/session/session.hpp"
#include "gui/snapshot/snapshot_builder.hpp"
#include "tests/gui/session/opened_session.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace std::chrono_literals;

class SessionTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void puts_traces_on_one_axis();
    void aligns_traces_of_other_days();
    void a_file_that_is_opened_last_keeps_its_place();
    void keeps_the_channel_that_was_chosen_while_the_file_was_read();
    void chooses_again_when_nobody_chose();
    void knows_a_channel_again_among_its_like();

private:
    ScratchFolder scratch_;
};

/// The index cache of the person who runs the tests stays as it is.
void SessionTest::initTestCase() { setenv("XDG_CACHE_HOME", (scratch_ / "cache").c_str(), 1); }

void SessionTest::puts_traces_on_one_axis()
{
    Session session;
    QVERIFY(test::open_all(session, {test::write_sample(scratch_ / "fast.osi", test::small_scene(50)),
                                     test::write_sample(scratch_ / "slow.mcap", test::small_scene(4, 2s))}));
    QCOMPARE(session.channels()->size(), std::size_t(2));
    QCOMPARE(*session.extent(), (TimeSection{0s, 8s}));
    QVERIFY(!session.starts_aligned());
    const auto slow = static_cast<std::size_t>((*session.channels())[0].times->count == 4 ? 0 : 1);
    SnapshotBuilder builder(1 << 20);
    const auto snapshot = builder.build(test::request_at(session, 3s));
    QCOMPARE(snapshot->channels[slow].number, std::uint64_t(1));
    QCOMPARE(snapshot->channels[1 - slow].number, std::uint64_t(30));
}

void SessionTest::aligns_traces_of_other_days()
{
    auto moved = test::small_scene(5);
    const auto now = test::write_sample(scratch_ / "now.osi", moved);
    Session session;
    QVERIFY(test::open_all(session, {now, now}));
    session.set_starts_aligned(true);
    QCOMPARE((*session.channels())[1].shift, Nanoseconds(0));
    QCOMPARE((*session.channels())[0].name, std::string("SensorView (now.osi)"));
}

void SessionTest::a_file_that_is_opened_last_keeps_its_place()
{
    const auto sample = test::write_sample(scratch_ / "sample.osi", test::small_scene(5));
    const auto first = scratch_ / "first_sv.osi";
    Session session;
    QVERIFY(test::open_all(session, {first, sample, sample}));  // there is no first one yet
    QVERIFY(session.all_opened());
    QCOMPARE(session.channels()->size(), std::size_t(2));
    std::filesystem::copy_file(sample, first);
    session.reload();
    QVERIFY(
        QTest::qWaitFor([&] { return session.is_complete() && session.channels()->size() == 3; }, test::patience_ms));
    for (std::size_t i = 0; i != 3; ++i) QCOMPARE((*session.channels())[i].trace_number, i);
    QCOMPARE(session.active(), std::uint32_t(0));
}

void SessionTest::keeps_the_channel_that_was_chosen_while_the_file_was_read()
{
    Session session;
    QVERIFY(test::open_all(session, {test::write_sample(scratch_ / "other.osi", test::small_scene(5))}));
    session.open(test::write_sample(scratch_ / "late.osi.zst", test::small_scene(100)));
    bool chosen = false;
    connect(&session, &Session::channels_changed, &session, [&] {
        if (std::exchange(chosen, true)) return;
        session.set_active(1);
        session.set_shown(1, false);
    });
    QVERIFY(QTest::qWaitFor([&] { return session.is_complete(); }, test::patience_ms));
    QVERIFY(chosen);
    QCOMPARE(session.active(), std::uint32_t(1));
    QCOMPARE(session.channels()->size(), std::size_t(2));
    QVERIFY(!(*session.channels())[1].shown);
    QCOMPARE((*session.channels())[1].times->count, std::uint64_t(100));
}

void SessionTest::chooses_again_when_nobody_chose()
{
    Session session;
    std::optional<MessageType> at_first;
    connect(&session, &Session::channels_changed, &session, [&] {
        if (!at_first) at_first = session.channels()->at(session.active()).channel->type;
    });
    QVERIFY(test::open_all(session, {test::write_without_summary(scratch_ / "late_view.mcap")}));
    QCOMPARE(at_first, std::optional(MessageType::ground_truth));
    QCOMPARE(session.channels()->at(session.active()).channel->type, std::optional(MessageType::sensor_view));
    QCOMPARE(session.channels()->size(), std::size_t(2));
}

void SessionTest::knows_a_channel_again_among_its_like()
{
    const auto channel = [](std::size_t trace, const char* topic) {
        OpenChannel open;
        open.trace_number = trace;
        auto info = std::make_shared<Channel>();
        info->topic = topic;
        open.channel = std::move(info);
        return open;
    };
    const OpenChannels before{channel(0, "view"), channel(1, "view"), channel(1, "view"), channel(1, "gone")};
    const OpenChannels now{channel(0, "view"), channel(1, "new"), channel(1, "view"), channel(1, "view")};
    QCOMPARE(place_of(before, 0, now), std::optional<std::uint32_t>(0));
    QCOMPARE(place_of(before, 1, now), std::optional<std::uint32_t>(2));
    QCOMPARE(place_of(before, 2, now), std::optional<std::uint32_t>(3));
    QVERIFY(!place_of(before, 3, now));
}

OSIVIEW_TEST(SessionTest, QCoreApplication)
#include "session_test.moc"
