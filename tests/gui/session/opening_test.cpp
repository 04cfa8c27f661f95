// SPDX-License-Identifier: MPL-2.0
// What a file shows while it is opened, and what is said of one that cannot be.
#include <cstdlib>

#include <sys/stat.h>

#include <QTest>

#include "gui/session/session.hpp"
#include "gui/session/trace_loader.hpp"
#include "gui/snapshot/snapshot_builder.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"
#include "tests/formats/wire_message.hpp"
#include "tests/gui/session/opened_session.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace std::chrono_literals;

class OpeningTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void opens_every_container();
    void says_why_a_file_cannot_be_opened();
    void waits_for_no_pipe_and_no_device();
    void shows_a_broken_file_up_to_its_break();
    void says_that_an_mcap_file_was_cut();
    void shows_the_first_frame_before_the_index_is_complete();
    void shows_the_first_messages_while_the_file_is_read();
    void keeps_the_first_messages_of_a_file_that_breaks_while_it_is_unpacked();
    void closes_while_it_opens();
    void shows_osi_whose_own_schema_cannot_be_read();
    void says_what_is_unusual_about_a_file();
    void opens_real_traces();

private:
    ScratchFolder scratch_;
};

/// The index cache of the person who runs the tests stays as it is.
void OpeningTest::initTestCase() { setenv("XDG_CACHE_HOME", (scratch_ / "cache").c_str(), 1); }

void OpeningTest::opens_every_container()
{
    std::vector<const char*> names{"a.osi", "a.osi.zst", "a.osi.lz4", "a.mcap"};
    if (viewer_open_options({}).text_parser) names.insert(names.end(), {"a.txth", "a.jsonl"});
    for (const auto* const name : names) {
        Session session;
        QVERIFY2(test::open_all(session, {test::write_sample(scratch_ / name, test::small_scene(20))}), name);
        QCOMPARE(session.channels()->size(), std::size_t(1));
        const auto& channel = session.channels()->front();
        QCOMPARE(channel.times->count, std::uint64_t(20));
        QCOMPARE(*session.extent(), (TimeSection{0s, 2s}));
        QVERIFY2(session.traces().front().problem.isEmpty(), name);
        QCOMPARE(session.progress(), std::optional(1.0));
    }
}

void OpeningTest::says_why_a_file_cannot_be_opened()
{
    write_file(scratch_ / "noise.osi", "this is no trace, and never was one");
    write_file(scratch_ / "empty.mcap", "");
    write_file(scratch_ / "empty.osi", "");
    Session session;
    QVERIFY(test::open_all(session, {scratch_ / "absent.osi", scratch_ / "noise.osi", scratch_ / "empty.mcap",
                                     scratch_.path(), scratch_ / "empty.osi"}));
    QVERIFY(session.channels()->empty());
    QVERIFY(!session.extent());
    for (const auto& each : session.traces())
        QVERIFY2(!each.problem.isEmpty() && !each.problem.contains('\n'), each.file.c_str());
    QVERIFY(session.traces()[0].problem.contains("absent.osi"));
    QVERIFY(session.traces().back().problem.contains("empty.osi: the file is empty"));
}

void OpeningTest::waits_for_no_pipe_and_no_device()
{
    const auto pipe = scratch_ / "pipe.osi";
    QCOMPARE(mkfifo(pipe.c_str(), 0600), 0);
    Session session;
    QVERIFY(test::open_all(session, {pipe, "/dev/zero"}));
    for (const auto& each : session.traces())
        QVERIFY2(each.problem.contains("not a regular file"), qPrintable(each.problem));
}

void OpeningTest::shows_a_broken_file_up_to_its_break()
{
    const auto file = test::write_sample(scratch_ / "cut.osi", test::small_scene(20));
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 100);
    Session session;
    QVERIFY(test::open_all(session, {file}));
    QCOMPARE(session.channels()->front().times->count, std::uint64_t(19));
    QVERIFY(session.traces().front().problem.contains("frame 19"));
    SnapshotBuilder builder(1 << 20);
    QVERIFY(builder.build(test::request_at(session, 1h))->channels.front().frame);
}

void OpeningTest::says_that_an_mcap_file_was_cut()
{
    auto options = test::small_scene(100);
    options.reflections = 5000;
    const auto file = test::write_sample(scratch_ / "cut.mcap", options);
    std::filesystem::resize_file(file, std::filesystem::file_size(file) * 6 / 10);
    Session session;
    QString at_once;
    connect(&session, &Session::channels_changed, &session, [&] { at_once = session.traces().front().problem; });
    QVERIFY(test::open_all(session, {file}));
    const auto count = session.channels()->front().times->count;
    QVERIFY2(count > 10 && count < 100, qPrintable(QString::number(count)));
    QVERIFY(session.traces().front().problem.contains("cut.mcap"));
    QCOMPARE(at_once, session.traces().front().problem);
}

void OpeningTest::shows_the_first_frame_before_the_index_is_complete()
{
    Session session;
    std::uint64_t known = 0;
    connect(&session, &Session::channels_changed, &session, [&] {
        known = session.channels()->front().times->count;
        QVERIFY(!session.is_complete());
    });
    QVERIFY(test::open_all(session, {test::write_sample(scratch_ / "first.osi", test::small_scene(200))}));
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
    const bool opened = test::open_all(session, {file});
    QObject::disconnect(&session, &Session::channels_changed, &session, nullptr);
    return opened && beginning ? *beginning : Beginning{};
}

void OpeningTest::shows_the_first_messages_while_the_file_is_read()
{
    const auto cut = test::write_sample(scratch_ / "no_summary.mcap", test::small_scene(100));
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - 30);
    for (const auto& file : {test::write_sample(scratch_ / "packed.osi.zst", test::small_scene(100)), cut}) {
        Session session;
        const auto beginning = beginning_of(session, file);
        QVERIFY2(beginning.messages == 64 && !beginning.whole, file.c_str());
        QVERIFY2(session.traces().front().whole, file.c_str());
        QCOMPARE(session.channels()->size(), std::size_t(1));
        QCOMPARE(session.channels()->front().times->count, std::uint64_t(100));
        QCOMPARE(session.channels()->front().trace, session.traces().front().trace);
    }
    Session session;
    QVERIFY(beginning_of(session, test::write_sample(scratch_ / "plain.osi", test::small_scene(100))).whole);
}

void OpeningTest::keeps_the_first_messages_of_a_file_that_breaks_while_it_is_unpacked()
{
    auto options = test::small_scene(2000);
    options.reflections = 0;
    const auto file = test::write_sample(scratch_ / "cut.osi.zst", options);
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    Session session;
    QVERIFY(test::open_all(session, {file}));
    QVERIFY(!session.traces().front().whole && session.traces().front().problem.contains("cut.osi.zst"));
    QCOMPARE(session.channels()->front().times->count, std::uint64_t(64));
    QVERIFY(session.channels()->front().times->complete);
    SnapshotBuilder builder(1 << 20);
    QVERIFY(builder.build(test::request_at(session, 1h))->channels.front().frame);
}

void OpeningTest::shows_osi_whose_own_schema_cannot_be_read()
{
    SceneSource scene(test::small_scene(5), 1);
    auto info = scene.info();
    auto foreign = info.channels.front();
    foreign.topic = "a camera";
    foreign.type.reset();
    foreign.root = nullptr;
    foreign.schema.reset();
    foreign.type_name = "other.Image";
    foreign.message_encoding = "json";
    foreign.schema_record = std::make_shared<SchemaRecord>(SchemaRecord{"other.Image", "jsonschema", {}});
    const std::vector<std::byte> no_schema{std::byte{0x0a}, std::byte{0x7f}, std::byte{1}};
    info.channels.front().schema_record =
        std::make_shared<SchemaRecord>(SchemaRecord{info.channels.front().type_name, "protobuf", no_schema});
    info.channels.insert(info.channels.begin(), foreign);
    const auto writer = create_trace(scratch_ / "odd.mcap", info);
    Frame frame;
    while (scene.read(frame)) {
        frame.channel = 1;
        writer->write(frame);
    }
    writer->close();
    Session session;
    QVERIFY(test::open_all(session, {scratch_ / "odd.mcap"}));
    QCOMPARE(session.channels()->size(), std::size_t(2));
    const auto& channel = (*session.channels())[session.active()];
    QCOMPARE(channel.channel->type_name, std::string("osi3.SensorView"));
    QVERIFY(channel.channel->root != nullptr && channel.channel->unviewable.empty());
    QVERIFY(channel.note.find("built-in OSI schema") != std::string::npos);
    SnapshotBuilder builder(1 << 26);
    const auto snapshot = builder.build(test::request_at(session, 0s));
    QVERIFY(snapshot && !snapshot->picture->layers.empty());
}

/// GroundTruths with nanos of 1.5 * 10^9, and an MCAP file whose channel has other metadata in its second chunk.
void OpeningTest::says_what_is_unusual_about_a_file()
{
    std::string nanos, messages;
    const auto truth = [](std::uint64_t second, std::uint64_t nanoseconds) {
        return by_hand::Message()
            .message(2, by_hand::Message().varint(1, second).varint(2, nanoseconds))
            .message(5, by_hand::Message().message(1, by_hand::Message().varint(1, 1)))
            .str();
    };
    for (std::uint64_t i = 0; i != 3; ++i) {
        const auto payload = truth(i, 1'500'000'000);
        nanos += by_hand::Message().raw_value(static_cast<std::uint32_t>(payload.size())).raw(payload).str();
    }
    write_file(scratch_ / "nanos_gt_380.osi", nanos);
    const auto channel = [](const std::string& value) {
        using namespace mcap_bytes;
        return record(Opcode::channel,
                      u16(1) + u16(1) + text("gt") + text("protobuf") + text(text("key") + text(value)));
    };
    const std::string set(text_of(Schema::built_in()->descriptor_set()));
    write_file(
        scratch_ / "repeated.mcap",
        mcap_bytes::file(mcap_bytes::chunk(mcap_bytes::schema(1, "osi3.GroundTruth", "protobuf", set) +
                                           channel("first") + mcap_bytes::message(1, 0, truth(0, 0))) +
                         mcap_bytes::chunk(channel("second") + mcap_bytes::message(1, 1'000'000'000, truth(1, 0)))));
    Session session;
    session.open(scratch_ / "nanos_gt_380.osi", MessageType::ground_truth);
    session.open(scratch_ / "repeated.mcap");
    const auto notes = [&](std::size_t i) { return session.traces()[i].notes; };
    QTRY_COMPARE(notes(0).size(), 1);
    QVERIFY(notes(0).front().contains("nanos_gt_380.osi: a message has 1500000000 nanos"));
    QTRY_COMPARE(notes(1).size(), 1);
    QVERIFY(notes(1).front().endsWith("declared again with other metadata: key is 'first' (elsewhere 'second')"));
    QTRY_VERIFY(session.traces()[1].complete);
    QVERIFY(session.traces()[0].problem.isEmpty() && session.traces()[1].problem.isEmpty());
}

void OpeningTest::closes_while_it_opens()
{
    const auto file = test::write_sample(scratch_ / "closing.osi", test::small_scene(100));
    Session session;
    for (int i = 0; i != 20; ++i) {
        session.open(file);
        session.open(scratch_ / "absent.osi");
        if (i % 2 == 0) QTest::qWait(1);
        session.close_all();
        QVERIFY(session.channels()->empty());
    }
    QVERIFY(test::open_all(session, {file}));
    QCOMPARE(session.channels()->size(), std::size_t(1));
}

void OpeningTest::opens_real_traces()
{
    const auto folder = test::shared_folder() / "traces";
    if (!std::filesystem::exists(folder)) QSKIP("the real traces (../shared/traces) are not here");
    int opened = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".osi" && entry.path().extension() != ".mcap") continue;
        Session session;
        QVERIFY2(test::open_all(session, {entry.path()}), entry.path().c_str());
        QVERIFY2(session.extent(), entry.path().c_str());
        SnapshotBuilder builder(1 << 26);
        const auto snapshot = builder.build(test::request_at(session, session.extent()->to));
        bool any = false;
        for (const auto& each : snapshot->channels) any = any || each.frame;
        QVERIFY2(any, entry.path().c_str());
        ++opened;
    }
    QVERIFY(opened > 0);
}

OSIVIEW_TEST(OpeningTest, QCoreApplication)
#include "opening_test.moc"
