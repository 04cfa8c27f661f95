// SPDX-License-Identifier: MPL-2.0
// What is shown at a time, and the thread that makes it.
#include <cstdlib>

#include <QSignalSpy>
#include <QTest>

#include "gui/snapshot/frame_service.hpp"
#include "gui/snapshot/snapshot_builder.hpp"
#include "tests/gui/session/opened_session.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace std::chrono_literals;

namespace {

std::vector<std::uint64_t> numbers_of(const gui::Snapshot& snapshot)
{
    std::vector<std::uint64_t> numbers;
    for (const auto& each : snapshot.channels) numbers.push_back(each.frame ? each.number : ~std::uint64_t{0});
    return numbers;
}

std::size_t things_of(const Picture& picture)
{
    std::size_t count = 0;
    for (const auto& layer : picture.layers) count += layer->things.size();
    return count;
}

}  // namespace

class SnapshotTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void shows_the_same_by_seeking_as_by_playing();
    void shows_another_time_when_a_channel_is_shifted();
    void hides_a_channel_and_keeps_its_message();
    void shows_nothing_that_moves_of_a_channel_that_has_ended();
    void keeps_what_was_shown_within_its_budget();
    void frames_of_chunks_do_not_keep_them();
    void a_frame_that_fills_its_chunk_is_not_copied();
    void answers_the_latest_request();
    void drops_what_was_asked_before_it_forgot();

private:
    ScratchFolder scratch_;
};

/// The index cache of the person who runs the tests stays as it is.
void SnapshotTest::initTestCase() { setenv("XDG_CACHE_HOME", (scratch_ / "cache").c_str(), 1); }

void SnapshotTest::shows_the_same_by_seeking_as_by_playing()
{
    auto options = test::small_scene(30);
    options.static_data = StaticData::first_frame;
    Session session;
    QVERIFY(test::open_all(session, {test::write_sample(scratch_ / "once.osi", options)}));
    SnapshotBuilder player(1 << 26);
    std::shared_ptr<const gui::Snapshot> played;
    for (int i = 0; i != 30; ++i) played = player.build(test::request_at(session, i * 100ms));
    SnapshotBuilder seeker(1 << 26);
    const auto sought = seeker.build(test::request_at(session, 2900ms));
    QCOMPARE(numbers_of(*sought), numbers_of(*played));
    QVERIFY(things_of(*sought->picture) > 20);
    QCOMPARE(things_of(*sought->picture), things_of(*played->picture));
    QCOMPARE(sought->picture->origin, played->picture->origin);
}

void SnapshotTest::shows_another_time_when_a_channel_is_shifted()
{
    Session session;
    QVERIFY(test::open_all(session, {test::write_sample(scratch_ / "shifted.osi", test::small_scene(5))}));
    SnapshotBuilder builder(1 << 26);
    QCOMPARE(builder.build(test::request_at(session, 0s))->channels.front().time, Nanoseconds(0));
    auto moved = *session.channels();
    moved.front().shift = 1s;
    const auto snapshot =
        builder.build({.channels = std::make_shared<const OpenChannels>(moved), .time = 1s, .generation = 2});
    QCOMPARE(snapshot->channels.front().number, std::uint64_t(0));
    QCOMPARE(snapshot->channels.front().time, Nanoseconds(1s));
}

void SnapshotTest::hides_a_channel_and_keeps_its_message()
{
    Session session;
    QVERIFY(test::open_all(session, {test::write_sample(scratch_ / "hidden.osi", test::small_scene(5))}));
    SnapshotBuilder builder(1 << 26);
    const auto shown = builder.build(test::request_at(session, 0s));
    QSignalSpy changed(&session, &Session::shown_changed);
    session.set_shown(0, false);
    session.set_shown(7, false);
    QCOMPARE(changed.size(), 1);
    const auto hidden = builder.build(test::request_at(session, 0s));
    QVERIFY(things_of(*shown->picture) != 0 && things_of(*hidden->picture) == 0);
    QVERIFY(hidden->channels.front().frame);
}

void SnapshotTest::shows_nothing_that_moves_of_a_channel_that_has_ended()
{
    Session session;
    const auto early = test::write_sample(scratch_ / "early.osi", test::small_scene(20));
    const auto late = test::write_sample(scratch_ / "late.osi", test::small_scene(20));
    QVERIFY(test::open_all(session, {early, late}));
    auto channels = *session.channels();
    channels[1].shift = 5s;
    const auto list = std::make_shared<const OpenChannels>(channels);
    SnapshotBuilder builder(1 << 26);
    const auto things_at = [&](Nanoseconds time, std::uint32_t source, bool moving) {
        std::size_t count = 0;
        const auto snapshot = builder.build({.channels = list, .time = time, .generation = 1});
        for (const auto& layer : snapshot->picture->layers)
            for (const auto& thing : layer->things) {
                const bool moves =
                    thing.key.category == Category::moving_object || thing.key.category == Category::host;
                if (thing.key.source == source && moves == moving) ++count;
            }
        for (const auto& cloud : snapshot->picture->clouds)
            if (cloud->key.source == source && moving) count += cloud->points.size();
        return count;
    };
    QVERIFY(things_at(1900ms, 0, true) != 0);
    QVERIFY(things_at(2400ms, 0, true) != 0);  // a late message is no end
    QCOMPARE(things_at(2401ms, 0, true), std::size_t(0));
    QCOMPARE(things_at(5500ms, 0, true), std::size_t(0));
    QVERIFY(things_at(5500ms, 0, false) != 0);  // its road does not go away
    QVERIFY(things_at(5500ms, 1, true) != 0);
    QVERIFY(things_at(1900ms, 0, true) != 0);
    const auto snapshot = builder.build({.channels = list, .time = 5500ms, .generation = 1});
    QVERIFY(snapshot->channels[0].is_past && snapshot->channels[0].frame && !snapshot->channels[1].is_past);
}

void SnapshotTest::keeps_what_was_shown_within_its_budget()
{
    Session session;
    QVERIFY(test::open_all(session, {test::write_sample(scratch_ / "budget.osi", test::small_scene(60))}));
    constexpr std::size_t budget = 1 << 20;
    SnapshotBuilder builder(budget);
    const auto first = builder.build(test::request_at(session, 0s));
    QCOMPARE(builder.build(test::request_at(session, 50ms))->picture, first->picture);
    for (int round = 0; round != 3; ++round)
        for (int i = 0; i != 60; ++i) {
            QVERIFY(builder.build(test::request_at(session, i * 100ms))->channels.front().frame);
            QVERIFY(builder.cache().bytes() <= budget);
        }
    SnapshotBuilder none(0);
    QVERIFY(none.build(test::request_at(session, 0s))->channels.front().frame);
    QCOMPARE(none.cache().bytes(), std::size_t(0));
}

void SnapshotTest::frames_of_chunks_do_not_keep_them()
{
    Session session;
    QVERIFY(test::open_all(session, {test::write_sample(scratch_ / "chunks.mcap", test::small_scene(20))}));
    SnapshotBuilder builder(1 << 26);
    const auto snapshot = builder.build(test::request_at(session, 1s));
    const auto read = session.traces().front().trace->frame(0, 10);
    QVERIFY(snapshot->channels.front().frame->bytes.data() != read.bytes.data());
    QVERIFY(std::equal(read.bytes.begin(), read.bytes.end(), snapshot->channels.front().frame->bytes.begin()));
}

void SnapshotTest::a_frame_that_fills_its_chunk_is_not_copied()
{
    auto options = test::small_scene(2);
    options.reflections = 250'000;
    Session session;
    QVERIFY(test::open_all(session, {test::write_sample(scratch_ / "large.mcap", options)}));
    SnapshotBuilder builder(1 << 26);
    const auto snapshot = builder.build(test::request_at(session, 0s));
    const auto& shown = *snapshot->channels.front().frame;
    QVERIFY(shown.bytes.data() == session.traces().front().trace->frame(0, 0).bytes.data());
    QVERIFY(shown.owner_bytes > shown.bytes.size());
    QVERIFY(snapshot->bytes() > shown.owner_bytes);
}

void SnapshotTest::answers_the_latest_request()
{
    Session session;
    QVERIFY(test::open_all(session, {test::write_sample(scratch_ / "latest.osi", test::small_scene(100))}));
    FrameService service(1 << 24);
    std::uint64_t last = 0;
    bool in_order = true;
    connect(&service, &FrameService::ready, &session, [&](const std::shared_ptr<const gui::Snapshot>& snapshot) {
        in_order = in_order && snapshot->generation > last;
        last = snapshot->generation;
    });
    for (std::uint64_t i = 1; i <= 500; ++i) service.request(test::request_at(session, (i * 37 % 100) * 100ms, i));
    QVERIFY(QTest::qWaitFor([&] { return last == 500; }, test::patience_ms));
    QVERIFY(in_order);
}

void SnapshotTest::drops_what_was_asked_before_it_forgot()
{
    Session session;
    QVERIFY(test::open_all(session, {test::write_sample(scratch_ / "forgotten.osi", test::small_scene(10))}));
    FrameService service(1 << 24);
    QSignalSpy ready(&service, &FrameService::ready);
    service.request(test::request_at(session, 0s, 1));
    QTest::qSleep(50);  // the answer waits for this thread
    service.forget();
    service.request(test::request_at(session, 500ms, 2));
    QVERIFY(QTest::qWaitFor([&] { return !ready.isEmpty(); }, test::patience_ms));
    QTest::qWait(50);
    QCOMPARE(ready.size(), 1);
    QCOMPARE(ready[0][0].value<std::shared_ptr<const gui::Snapshot>>()->generation, std::uint64_t(2));
}

OSIVIEW_TEST(SnapshotTest, QCoreApplication)
#include "snapshot_test.moc"
