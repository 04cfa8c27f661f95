// SPDX-License-Identifier: MPL-2.0
#include <cstdlib>

#include <QSignalSpy>
#include <QTest>

#include <ositrace/convert.hpp>

#include "gui/session/frame_service.hpp"
#include "gui/session/moment_maker.hpp"
#include "gui/session/open_options.hpp"
#include "gui/session/session.hpp"
#include "gui/session/times_walk.hpp"
#include "gui/window/viewer.hpp"
#include "tests/gui/sample_trace.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace std::chrono_literals;

namespace {

constexpr int patience_ms = 60'000;

SceneOptions small(std::uint64_t frames, Nanoseconds period = 100ms)
{
    SceneOptions options;
    options.frames = frames;
    options.period = period;
    options.reflections = 50;
    return options;
}

bool open_all(Session& session, const std::vector<std::filesystem::path>& files)
{
    for (const auto& each : files) session.open(each);
    return QTest::qWaitFor([&] { return session.is_complete(); }, patience_ms);
}

MomentRequest request_at(const Session& session, Nanoseconds time, std::uint64_t generation = 1)
{
    return {.channels = session.channels(), .time = time, .generation = generation};
}

std::vector<std::uint64_t> numbers_of(const gui::Moment& moment)
{
    std::vector<std::uint64_t> numbers;
    for (const auto& each : moment.channels) numbers.push_back(each.frame ? each.number : ~std::uint64_t{0});
    return numbers;
}

std::size_t things_of(const Picture& picture)
{
    std::size_t count = 0;
    for (const auto& layer : picture.layers) count += layer->things.size();
    return count;
}

}  // namespace

class SessionTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void opens_every_container();
    void puts_traces_on_one_axis();
    void aligns_traces_of_other_days();
    void says_why_a_file_cannot_be_opened();
    void shows_a_broken_file_up_to_its_break();
    void says_that_an_mcap_file_was_cut();
    void shows_the_first_frame_before_the_index_is_complete();
    void shows_the_first_messages_while_the_file_is_read();
    void keeps_the_first_messages_of_a_file_that_breaks_while_it_is_unpacked();
    void keeps_the_channel_that_was_chosen_while_the_file_was_read();
    void chooses_again_when_nobody_chose();
    void goes_to_a_calendar_time_that_only_the_whole_file_knows();
    void knows_a_channel_again_among_its_like();
    void closes_while_it_opens();
    void thins_out_the_times_of_very_many_messages();
    void assumes_times_where_messages_have_none();
    void finds_the_last_message_before_a_time();
    void shows_the_same_by_seeking_as_by_playing();
    void shows_another_time_when_a_channel_is_shifted();
    void hides_a_channel_and_keeps_its_message();
    void keeps_what_was_shown_within_its_budget();
    void frames_of_chunks_do_not_keep_them();
    void answers_the_latest_request();
    void drops_what_was_asked_before_it_forgot();
    void opens_real_traces();

private:
    ScratchFolder scratch_;
};

/// The index cache of the person who runs the tests stays as it is.
void SessionTest::initTestCase() { setenv("XDG_CACHE_HOME", (scratch_ / "cache").c_str(), 1); }

void SessionTest::opens_every_container()
{
    std::vector<const char*> names{"a.osi", "a.osi.zst", "a.osi.lz4", "a.mcap"};
    if (viewer_open_options({}).text_parser) names.insert(names.end(), {"a.txth", "a.jsonl"});
    for (const auto* const name : names) {
        Session session;
        QVERIFY2(open_all(session, {test::write_sample(scratch_ / name, small(20))}), name);
        QCOMPARE(session.channels()->size(), std::size_t(1));
        const auto& channel = session.channels()->front();
        QCOMPARE(channel.times->count, std::uint64_t(20));
        QCOMPARE(*session.extent(), (TimeSection{0s, 2s}));
        QVERIFY2(session.traces().front().problem.isEmpty(), name);
        QCOMPARE(session.progress(), std::optional(1.0));
    }
}

void SessionTest::puts_traces_on_one_axis()
{
    Session session;
    QVERIFY(open_all(session, {test::write_sample(scratch_ / "fast.osi", small(50)), test::write_sample(scratch_ / "slow.mcap", small(4, 2s))}));
    QCOMPARE(session.channels()->size(), std::size_t(2));
    QCOMPARE(*session.extent(), (TimeSection{0s, 8s}));
    QVERIFY(!session.starts_aligned());
    const auto slow = static_cast<std::size_t>((*session.channels())[0].times->count == 4 ? 0 : 1);
    MomentMaker maker(1 << 20);
    const auto moment = maker.make(request_at(session, 3s));
    QCOMPARE(moment->channels[slow].number, std::uint64_t(1));
    QCOMPARE(moment->channels[1 - slow].number, std::uint64_t(30));
}

void SessionTest::aligns_traces_of_other_days()
{
    auto moved = small(5);
    const auto now = test::write_sample(scratch_ / "now.osi", moved);
    Session session;
    QVERIFY(open_all(session, {now, now}));
    session.set_starts_aligned(true);
    QCOMPARE((*session.channels())[1].shift, Nanoseconds(0));
    QCOMPARE((*session.channels())[0].name, std::string("SensorView (now.osi)"));
}

void SessionTest::says_why_a_file_cannot_be_opened()
{
    write_file(scratch_ / "noise.osi", "this is no trace, and never was one");
    write_file(scratch_ / "empty.mcap", "");
    Session session;
    QVERIFY(open_all(session, {scratch_ / "absent.osi", scratch_ / "noise.osi", scratch_ / "empty.mcap", scratch_.path()}));
    QVERIFY(session.channels()->empty());
    QVERIFY(!session.extent());
    for (const auto& each : session.traces()) QVERIFY2(!each.problem.isEmpty() && !each.problem.contains('\n'), each.file.c_str());
    QVERIFY(session.traces()[0].problem.contains("absent.osi"));
}

void SessionTest::shows_a_broken_file_up_to_its_break()
{
    const auto file = test::write_sample(scratch_ / "cut.osi", small(20));
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 100);
    Session session;
    QVERIFY(open_all(session, {file}));
    QCOMPARE(session.channels()->front().times->count, std::uint64_t(19));
    QVERIFY(session.traces().front().problem.contains("frame 19"));
    MomentMaker maker(1 << 20);
    QVERIFY(maker.make(request_at(session, 1h))->channels.front().frame);
}

void SessionTest::says_that_an_mcap_file_was_cut()
{
    auto options = small(100);
    options.reflections = 5000;
    const auto file = test::write_sample(scratch_ / "cut.mcap", options);
    std::filesystem::resize_file(file, std::filesystem::file_size(file) * 6 / 10);
    Session session;
    QString at_once;
    connect(&session, &Session::channels_changed, &session, [&] { at_once = session.traces().front().problem; });
    QVERIFY(open_all(session, {file}));
    const auto count = session.channels()->front().times->count;
    QVERIFY2(count > 10 && count < 100, qPrintable(QString::number(count)));
    QVERIFY(session.traces().front().problem.contains("cut.mcap"));
    QCOMPARE(at_once, session.traces().front().problem);
}

void SessionTest::shows_the_first_frame_before_the_index_is_complete()
{
    Session session;
    std::uint64_t known = 0;
    connect(&session, &Session::channels_changed, &session, [&] {
        known = session.channels()->front().times->count;
        QVERIFY(!session.is_complete());
    });
    QVERIFY(open_all(session, {test::write_sample(scratch_ / "first.osi", small(200))}));
    QCOMPARE(known, std::uint64_t(1));
}

/// What stood there before the file was open.
struct Beginning {
    std::uint64_t messages = 0;
    bool whole = true;
};

Beginning beginning_of(Session& session, const std::filesystem::path& file)
{
    std::optional<Beginning> beginning;
    QObject::connect(&session, &Session::channels_changed, &session, [&] {
        if (!beginning) beginning = Beginning{session.channels()->front().times->count, session.traces().front().whole};
    });
    const bool opened = open_all(session, {file});
    QObject::disconnect(&session, &Session::channels_changed, &session, nullptr);
    return opened && beginning ? *beginning : Beginning{};
}

void SessionTest::shows_the_first_messages_while_the_file_is_read()
{
    const auto cut = test::write_sample(scratch_ / "no_summary.mcap", small(100));
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - 30);
    for (const auto& file : {test::write_sample(scratch_ / "packed.osi.zst", small(100)), cut}) {
        Session session;
        const auto beginning = beginning_of(session, file);
        QVERIFY2(beginning.messages == 64 && !beginning.whole, file.c_str());
        QVERIFY2(session.traces().front().whole, file.c_str());
        QCOMPARE(session.channels()->size(), std::size_t(1));
        QCOMPARE(session.channels()->front().times->count, std::uint64_t(100));
        QCOMPARE(session.channels()->front().trace, session.traces().front().trace);
    }
    Session session;
    QVERIFY(beginning_of(session, test::write_sample(scratch_ / "plain.osi", small(100))).whole);
}

void SessionTest::keeps_the_first_messages_of_a_file_that_breaks_while_it_is_unpacked()
{
    auto options = small(2000);
    options.reflections = 0;
    const auto file = test::write_sample(scratch_ / "cut.osi.zst", options);
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    Session session;
    QVERIFY(open_all(session, {file}));
    QVERIFY(!session.traces().front().whole && session.traces().front().problem.contains("cut.osi.zst"));
    QCOMPARE(session.channels()->front().times->count, std::uint64_t(64));
    QVERIFY(session.channels()->front().times->complete);
    MomentMaker maker(1 << 20);
    QVERIFY(maker.make(request_at(session, 1h))->channels.front().frame);
}

void SessionTest::keeps_the_channel_that_was_chosen_while_the_file_was_read()
{
    Session session;
    QVERIFY(open_all(session, {test::write_sample(scratch_ / "other.osi", small(5))}));
    session.open(test::write_sample(scratch_ / "late.osi.zst", small(100)));
    bool chosen = false;
    connect(&session, &Session::channels_changed, &session, [&] {
        if (std::exchange(chosen, true)) return;
        session.set_active(1);
        session.set_shown(1, false);
    });
    QVERIFY(QTest::qWaitFor([&] { return session.is_complete(); }, patience_ms));
    QVERIFY(chosen);
    QCOMPARE(session.active(), std::uint32_t(1));
    QCOMPARE(session.channels()->size(), std::size_t(2));
    QVERIFY(!(*session.channels())[1].shown);
    QCOMPARE((*session.channels())[1].times->count, std::uint64_t(100));
}

/// An MCAP file that must be read to its end: ground truths, then sensor views, then the zero time.
std::filesystem::path write_without_summary(const std::filesystem::path& file)
{
    auto options = small(80);
    options.type = MessageType::ground_truth;
    SceneSource early(options, 1);
    options.type = MessageType::sensor_view;
    SceneSource late(options, 1);
    const auto writer = create_trace(file, early.info(), {.chunk_bytes = 1000});
    Frame frame;
    while (early.read(frame)) writer->write(frame);
    writer->add_channel(late.info().channels.front());
    while (late.read(frame)) {
        frame.channel = 1;
        writer->write(frame);
    }
    writer->add_metadata({"net.asam.osi.trace", {{"zero_time", "2021-08-18T15:05:42Z"}}});
    writer->close();
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 30);
    return file;
}

void SessionTest::chooses_again_when_nobody_chose()
{
    Session session;
    std::optional<MessageType> at_first;
    connect(&session, &Session::channels_changed, &session, [&] {
        if (!at_first) at_first = session.channels()->at(session.active()).channel->type;
    });
    QVERIFY(open_all(session, {write_without_summary(scratch_ / "late_view.mcap")}));
    QCOMPARE(at_first, std::optional(MessageType::ground_truth));
    QCOMPARE(session.channels()->at(session.active()).channel->type, std::optional(MessageType::sensor_view));
    QCOMPARE(session.channels()->size(), std::size_t(2));
}

void SessionTest::goes_to_a_calendar_time_that_only_the_whole_file_knows()
{
    Viewer viewer;
    viewer.open({write_without_summary(scratch_ / "zero_time.mcap")});
    QVERIFY(viewer.go_to("2021-08-18T15:05:47Z"));
    QVERIFY(QTest::qWaitFor([&] { return viewer.session().is_complete() && viewer.is_settled(); }, patience_ms));
    QVERIFY(viewer.zero_time());
    QCOMPARE(viewer.playback().time(), Nanoseconds(5s));
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

void SessionTest::closes_while_it_opens()
{
    const auto file = test::write_sample(scratch_ / "closing.osi", small(100));
    Session session;
    for (int i = 0; i != 20; ++i) {
        session.open(file);
        session.open(scratch_ / "absent.osi");
        if (i % 2 == 0) QTest::qWait(1);
        session.close_all();
        QVERIFY(session.channels()->empty());
    }
    QVERIFY(open_all(session, {file}));
    QCOMPARE(session.channels()->size(), std::size_t(1));
}

void SessionTest::thins_out_the_times_of_very_many_messages()
{
    const auto trace = open_trace(test::write_sample(scratch_ / "many.osi", small(1000, 10ms)));
    TimesWalk walk(trace, 0, 16);
    while (walk.walk(64)) {
    }
    const auto& times = walk.times();
    QCOMPARE(times.count, std::uint64_t(1000));
    QVERIFY(times.complete && times.times.size() <= 16 && times.stride == 64);
    QCOMPARE(times.last, Nanoseconds(9990ms));
    const auto early = times.last_until(5s);
    QVERIFY(early && *early <= 500 && *early + 64 > 500);
    // The maker reads what lies between.
    auto known = std::make_shared<MessageTimes>(times);
    const auto channels = std::make_shared<const OpenChannels>(
        OpenChannels{{trace, 0, 0, std::shared_ptr<const Channel>(trace, trace->info().channels.data()), known, {}, true, {}}});
    MomentMaker maker(1 << 20);
    const auto moment = maker.make({.channels = channels, .time = 5s, .generation = 1});
    QCOMPARE(moment->channels.front().number, std::uint64_t(500));
    QCOMPARE(moment->channels.front().time, Nanoseconds(5s));
}

void SessionTest::assumes_times_where_messages_have_none()
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

void SessionTest::finds_the_last_message_before_a_time()
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

void SessionTest::shows_the_same_by_seeking_as_by_playing()
{
    auto options = small(30);
    options.static_data = StaticData::first_frame;
    Session session;
    QVERIFY(open_all(session, {test::write_sample(scratch_ / "once.osi", options)}));
    MomentMaker player(1 << 26);
    std::shared_ptr<const gui::Moment> played;
    for (int i = 0; i != 30; ++i) played = player.make(request_at(session, i * 100ms));
    MomentMaker seeker(1 << 26);
    const auto sought = seeker.make(request_at(session, 2900ms));
    QCOMPARE(numbers_of(*sought), numbers_of(*played));
    QVERIFY(things_of(*sought->picture) > 20);
    QCOMPARE(things_of(*sought->picture), things_of(*played->picture));
    QCOMPARE(sought->picture->origin, played->picture->origin);
}

void SessionTest::shows_another_time_when_a_channel_is_shifted()
{
    Session session;
    QVERIFY(open_all(session, {test::write_sample(scratch_ / "shifted.osi", small(5))}));
    MomentMaker maker(1 << 26);
    QCOMPARE(maker.make(request_at(session, 0s))->channels.front().time, Nanoseconds(0));
    auto moved = *session.channels();
    moved.front().shift = 1s;
    const auto moment = maker.make({.channels = std::make_shared<const OpenChannels>(moved), .time = 1s, .generation = 2});
    QCOMPARE(moment->channels.front().number, std::uint64_t(0));
    QCOMPARE(moment->channels.front().time, Nanoseconds(1s));
}

void SessionTest::hides_a_channel_and_keeps_its_message()
{
    Session session;
    QVERIFY(open_all(session, {test::write_sample(scratch_ / "hidden.osi", small(5))}));
    MomentMaker maker(1 << 26);
    const auto shown = maker.make(request_at(session, 0s));
    QSignalSpy changed(&session, &Session::shown_changed);
    session.set_shown(0, false);
    session.set_shown(7, false);
    QCOMPARE(changed.size(), 1);
    const auto hidden = maker.make(request_at(session, 0s));
    QVERIFY(things_of(*shown->picture) != 0 && things_of(*hidden->picture) == 0);
    QVERIFY(hidden->channels.front().frame);
}

void SessionTest::keeps_what_was_shown_within_its_budget()
{
    Session session;
    QVERIFY(open_all(session, {test::write_sample(scratch_ / "budget.osi", small(60))}));
    constexpr std::size_t budget = 1 << 20;
    MomentMaker maker(budget);
    const auto first = maker.make(request_at(session, 0s));
    QCOMPARE(maker.make(request_at(session, 50ms))->picture, first->picture);
    for (int round = 0; round != 3; ++round)
        for (int i = 0; i != 60; ++i) {
            QVERIFY(maker.make(request_at(session, i * 100ms))->channels.front().frame);
            QVERIFY(maker.cache().bytes() <= budget);
        }
    MomentMaker none(0);
    QVERIFY(none.make(request_at(session, 0s))->channels.front().frame);
    QCOMPARE(none.cache().bytes(), std::size_t(0));
}

void SessionTest::frames_of_chunks_do_not_keep_them()
{
    Session session;
    QVERIFY(open_all(session, {test::write_sample(scratch_ / "chunks.mcap", small(20))}));
    MomentMaker maker(1 << 26);
    const auto moment = maker.make(request_at(session, 1s));
    const auto read = session.traces().front().trace->frame(0, 10);
    QVERIFY(moment->channels.front().frame->bytes.data() != read.bytes.data());
    QVERIFY(std::equal(read.bytes.begin(), read.bytes.end(), moment->channels.front().frame->bytes.begin()));
}

void SessionTest::answers_the_latest_request()
{
    Session session;
    QVERIFY(open_all(session, {test::write_sample(scratch_ / "latest.osi", small(100))}));
    FrameService service(1 << 24);
    std::uint64_t last = 0;
    bool in_order = true;
    connect(&service, &FrameService::ready, &session, [&](const std::shared_ptr<const gui::Moment>& moment) {
        in_order = in_order && moment->generation > last;
        last = moment->generation;
    });
    for (std::uint64_t i = 1; i <= 500; ++i) service.request(request_at(session, (i * 37 % 100) * 100ms, i));
    QVERIFY(QTest::qWaitFor([&] { return last == 500; }, patience_ms));
    QVERIFY(in_order);
}

void SessionTest::drops_what_was_asked_before_it_forgot()
{
    Session session;
    QVERIFY(open_all(session, {test::write_sample(scratch_ / "forgotten.osi", small(10))}));
    FrameService service(1 << 24);
    QSignalSpy ready(&service, &FrameService::ready);
    service.request(request_at(session, 0s, 1));
    QTest::qSleep(50);  // the answer waits for this thread
    service.forget();
    service.request(request_at(session, 500ms, 2));
    QVERIFY(QTest::qWaitFor([&] { return !ready.isEmpty(); }, patience_ms));
    QTest::qWait(50);
    QCOMPARE(ready.size(), 1);
    QCOMPARE(ready[0][0].value<std::shared_ptr<const gui::Moment>>()->generation, std::uint64_t(2));
}

void SessionTest::opens_real_traces()
{
    const auto folder = test::shared_folder() / "traces";
    if (!std::filesystem::exists(folder)) QSKIP("the real traces (../shared/traces) are not here");
    int opened = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".osi" && entry.path().extension() != ".mcap") continue;
        Session session;
        QVERIFY2(open_all(session, {entry.path()}), entry.path().c_str());
        QVERIFY2(session.extent(), entry.path().c_str());
        MomentMaker maker(1 << 26);
        const auto moment = maker.make(request_at(session, session.extent()->to));
        bool any = false;
        for (const auto& each : moment->channels) any = any || each.frame;
        QVERIFY2(any, entry.path().c_str());
        ++opened;
    }
    QVERIFY(opened > 0);
}

QTEST_GUILESS_MAIN(SessionTest)
#include "session_test.moc"
