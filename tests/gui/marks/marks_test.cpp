// SPDX-License-Identifier: MPL-2.0
// Bookmarks, reports of checkers and events in the list of marks and on the timeline.
#include <fstream>
#include <set>

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QProcess>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>

#include <ositrace/check.hpp>

#include "gui/marks/marks_panel.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "gui/text/quantity.hpp"
#include "tests/gui/session/opened_session.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace std::chrono_literals;
using ositrace::test::open_all;
using ositrace::test::patience_ms;

class MarksTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void bookmarks_are_noted_stored_and_exported();
    void a_layout_may_contain_anything();
    void the_report_of_our_checker_is_that_of_the_check();
    void findings_follow_their_channel();
    void events_are_listed_and_marked_like_bookmarks();
    void the_events_of_a_channel_are_those_of_the_command_line();
    void a_stretch_is_shown_at_its_greatest_value();
    void highlights_are_what_the_command_line_finds();
    void events_end_with_their_trace();
    void a_large_report_does_not_block();

private:
    QString write(const char* name, const std::string& text);
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

void MarksTest::initTestCase()
{
    auto options = ositrace::test::small_scene(60);
    options.type = MessageType::ground_truth;
    file_ = ositrace::test::write_sample(scratch_ / "drive.osi", options);
}

QString MarksTest::write(const char* name, const std::string& text)
{
    const auto file = scratch_ / name;
    std::ofstream(file) << text;
    return QString::fromStdString(file.string());
}

void MarksTest::bookmarks_are_noted_stored_and_exported()
{
    Session session;
    Selection selection;
    MarksPanel panel(session, selection);
    QSignalSpy marks(&panel, &MarksPanel::marks_changed), sought(&panel, &MarksPanel::seek_requested);
    panel.show_time(2s);
    panel.add_bookmark();
    panel.show_time(Nanoseconds(1'000'000'500));
    panel.add_bookmark();
    panel.show_section(TimeSection{1500ms, 2500ms});
    panel.bookmark_section();
    auto& list = panel.list();
    QCOMPARE(list.rowCount(), 3);
    QCOMPARE(list.rows()[0].mark.time, Nanoseconds(1'000'000'500));  // in the order of their times
    QCOMPARE(list.rows()[1].mark.until, std::optional(Nanoseconds(2500ms)));
    QVERIFY(list.setData(list.index(0, MarkList::text_column), QStringLiteral("cut-in, \"close\"")));
    QVERIFY(!list.setData(list.index(0, MarkList::time_column), QStringLiteral("3")));
    QCOMPARE(list.index(1, MarkList::duration_column).data().toString(), QStringLiteral("1.000 s"));
    QCOMPARE(marks.back().front().value<std::vector<TimelineMark>>(), list.marks());

    // The next and the previous one of the shown time.
    panel.show_time(1s);
    panel.go(1);
    QCOMPARE(sought.takeLast().front().value<std::chrono::nanoseconds>(), Nanoseconds(1'000'000'500));
    panel.show_time(2s);
    panel.go(-1);
    QCOMPARE(sought.takeLast().front().value<std::chrono::nanoseconds>(), Nanoseconds(1500ms));
    panel.go(1);
    QVERIFY(sought.isEmpty());

    const auto csv = scratch_ / "marks.csv";
    QCOMPARE(panel.save_csv(QString::fromStdString(csv.string())), QString());
    QFile written(QString::fromStdString(csv.string()));
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll(), QByteArray("time [s],until [s],kind,text,of\n"
                                           "1.0000005,,bookmark,\"cut-in, \"\"close\"\"\",\n"
                                           "1.500,2.500,bookmark,,\n"
                                           "2.000,,bookmark,,\n"));
    QVERIFY(!panel.save_csv(QStringLiteral("/nowhere/marks.csv")).isEmpty());

    QJsonObject layout;
    panel.save(layout);
    MarksPanel again(session, selection);
    again.restore(layout);
    QVERIFY(again.list().rows() == list.rows());
    list.remove({0, 2});
    QCOMPARE(list.rowCount(), 1);
}

void MarksTest::a_layout_may_contain_anything()
{
    Session session;
    Selection selection;
    MarksPanel panel(session, selection);
    QJsonArray array{7, QJsonObject{{"time_ns", "soon"}}, QJsonObject{{"time_ns", 3}},
                     QJsonObject{{"time_ns", "5"}, {"until_ns", "4"}, {"text", QString(100'000, 'x')}}};
    for (int i = 0; i != 3000; ++i) array.append(QJsonObject{{"time_ns", QString::number(i)}});
    panel.restore({{"bookmarks", array}});
    QCOMPARE(panel.list().rowCount(), static_cast<int>(MarkList::most_bookmarks));
    const auto longest = std::ranges::max_element(panel.list().rows(), {},
                                                  [](const MarkList::Row& row) { return row.mark.text.size(); });
    QCOMPARE(longest->mark.text.size(), MarkList::most_characters);
    QVERIFY(!longest->mark.until);
    panel.restore({{"bookmarks", "nonsense"}});
    QCOMPARE(panel.list().rowCount(), 0);
}

void MarksTest::the_report_of_our_checker_is_that_of_the_check()
{
    const auto cut = scratch_ / "cut.osi";
    std::filesystem::copy_file(file_, cut);
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - 10);
    const auto report_file = QString::fromStdString((scratch_ / "drive.xqar").string());
    QProcess check;
    check.setStandardOutputFile(report_file);
    check.start(ositrace::test::program_path("osiconvert"),
                {"check", QString::fromStdString(cut.string()), "--format", "xqar"});
    QVERIFY(check.waitForFinished(patience_ms));
    const auto expected = read_check_report((scratch_ / "drive.xqar"));

    Session session;
    Selection selection;
    QVERIFY(open_all(session, {cut}));
    MarksPanel panel(session, selection);
    QSignalSpy message(&panel, &MarksPanel::message);
    panel.open_report(report_file);
    QVERIFY(!panel.is_settled());
    QVERIFY(QTest::qWaitFor([&] { return panel.is_settled(); }, patience_ms));
    QCOMPARE(panel.list().rowCount(), static_cast<int>(expected.findings.size()));
    QVERIFY(panel.list().rowCount() > 0);
    for (const auto& row : panel.list().rows()) QVERIFY(row.mark.kind == MarkKind::finding);
    QVERIFY(message.back().front().toString().startsWith(QStringLiteral("drive.xqar: ")));

    panel.open_report(write("broken.xqar", "<CheckerResults>\n<b>"));
    QVERIFY(QTest::qWaitFor([&] { return panel.is_settled(); }, patience_ms));
    QVERIFY2(message.back().front().toString().contains(QStringLiteral("broken.xqar: line 2: ")),
             qPrintable(message.back().front().toString()));
    QCOMPARE(panel.list().rowCount(), static_cast<int>(expected.findings.size()));
}

void MarksTest::findings_follow_their_channel()
{
    Session session;
    Selection selection;
    MarksPanel panel(session, selection);
    const auto file = write("other.xqar", R"(<CheckerResults><CheckerBundle><Checker checkerId="c">
        <Issue description="at a time" level="2"><Locations><TimeLocation time="1.5"/></Locations></Issue>
        <Issue description="of a message" level="1"><Locations><MessageLocation index="20"/></Locations></Issue>
        <Issue description="of no message" level="1"><Locations><MessageLocation index="2000"/></Locations></Issue>
        </Checker></CheckerBundle></CheckerResults>)");
    panel.open_report(file);
    QVERIFY(QTest::qWaitFor([&] { return panel.is_settled(); }, patience_ms));
    QCOMPARE(panel.list().marks().size(), std::size_t{1});  // the trace is not open yet
    QVERIFY(open_all(session, {file_}));
    panel.show_times(session.channels());
    QCOMPARE(panel.list().marks().size(), std::size_t{2});
    const auto& rows = panel.list().rows();
    QCOMPARE(rows[0].mark.time, Nanoseconds(1500ms));
    QCOMPARE(rows[1].mark.time, (*session.channels())[0].time_of(20));
    QVERIFY(!rows[2].has_time);
    session.set_offset(0, 1s);
    panel.show_times(session.channels());
    QCOMPARE(panel.list().rows()[0].mark.time, Nanoseconds(2500ms));
    panel.list().remove({0});  // one row of a report stands for the report
    QCOMPARE(panel.list().rowCount(), 0);
}

void MarksTest::events_are_listed_and_marked_like_bookmarks()
{
    Session session;
    Selection selection;
    QVERIFY(open_all(session, {file_}));
    MarksPanel panel(session, selection);
    TimelineWidget timeline;
    timeline.resize(800, 120);
    timeline.set_channels(session.channels(), 0);
    connect(&panel, &MarksPanel::marks_changed, &timeline, &TimelineWidget::set_listed_marks);
    panel.set_events(
        QStringLiteral("traffic"),
        {{.time = 3s,
          .source = {},
          .text = QStringLiteral("object 7"),
          .until = 4s,
          .name = QStringLiteral("hard braking")},
         {.time = 1s, .source = {}, .text = QStringLiteral("object 2"), .name = QStringLiteral("cut-in")}});
    auto& list = panel.list();
    QCOMPARE(list.rowCount(), 2);
    QCOMPARE(list.index(0, MarkList::kind_column).data().toString(), QStringLiteral("cut-in"));
    QCOMPARE(list.index(1, MarkList::duration_column).data().toString(), QStringLiteral("1.000 s"));
    QCOMPARE(timeline.marks().size(), std::size_t{2});
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty()) {
        timeline.grab().save(path + "/marks_timeline.png");
        panel.resize(700, 200);
        panel.grab().save(path + "/marks.png");
    }
    const auto tip = timeline.tip_at({static_cast<int>(timeline.scale().x_of(3s)), 25});
    QVERIFY2(tip.contains(QStringLiteral("hard braking: object 7 (1.000 s)")), qPrintable(tip));
    panel.add_bookmark();
    panel.set_events(QStringLiteral("traffic"), {});
    QCOMPARE(list.rowCount(), 1);
    // Findings of the check stay beside them.
    timeline.set_marks({{.time = 2s, .source = {}, .text = QStringLiteral("wrong")}});
    QCOMPARE(timeline.marks().size(), std::size_t{2});
}

void MarksTest::the_events_of_a_channel_are_those_of_the_command_line()
{
    QProcess program;
    program.start(ositrace::test::program_path("osiconvert"),
                  {"events", QString::fromStdString(file_.string()), "--json"});
    QVERIFY(program.waitForFinished(patience_ms));
    const auto rows = QJsonDocument::fromJson(program.readAllStandardOutput()).object().value("rows").toArray();
    QVERIFY(rows.size() > 1);

    Session session;
    Selection selection;
    QVERIFY(open_all(session, {file_}));
    MarksPanel panel(session, selection);
    QSignalSpy messages(&panel, &MarksPanel::message);
    panel.find_events();
    QVERIFY(!panel.is_settled());
    QVERIFY(QTest::qWaitFor([&] { return panel.is_settled(); }, patience_ms));
    QCOMPARE(messages.back().front().toString(), QStringLiteral("%1 events").arg(rows.size()));
    const auto& listed = panel.list().rows();
    QCOMPARE(static_cast<qsizetype>(listed.size()), rows.size());
    for (qsizetype i = 0; i != rows.size(); ++i) {
        const auto row = rows[i].toObject();
        const auto& mark = listed[static_cast<std::size_t>(i)].mark;
        QCOMPARE(std::chrono::duration<double>(mark.time).count(), row.value("begin").toDouble());
        QCOMPARE(std::chrono::duration<double>(mark.until.value_or(mark.time)).count(), row.value("end").toDouble());
        QCOMPARE(mark.name, row.value("kind").toString().replace('_', ' '));
        const bool is_by_other = mark.name == QStringLiteral("cut in") || mark.name == QStringLiteral("cut out");
        QCOMPARE(static_cast<qint64>(mark.object.value()),
                 row.value(is_by_other ? QLatin1String("other") : QLatin1String("object")).toInteger());
        QCOMPARE(mark.source, std::optional(std::uint32_t{0}));
        for (const auto* const who : {"object", "other"})
            if (const auto id = row.value(QLatin1String(who)); !id.isNull())
                QVERIFY2(mark.text.contains(QStringLiteral("object %1").arg(id.toInteger())), qPrintable(mark.text));
        if (mark.name == QStringLiteral("cut in"))
            QVERIFY2(mark.text.startsWith(QStringLiteral("object %1").arg(row.value("other").toInteger())) &&
                         mark.text.contains(QStringLiteral("clearance")),
                     qPrintable(mark.text));
    }

    // They follow the time of their channel, and go when they are removed.
    const auto first = listed.front().mark.time;
    session.set_offset(0, 1s);
    panel.show_times(session.channels());
    QVERIFY(panel.is_settled());
    QCOMPARE(panel.list().rows().front().mark.time, first + 1s);
    QJsonObject layout;
    panel.save(layout);
    QVERIFY(layout.value("events").toBool());
    panel.restore({});
    QCOMPARE(panel.list().rowCount(), 0);

    // With a threshold, which a layout keeps.
    program.start(
        ositrace::test::program_path("osiconvert"),
        {"events", QString::fromStdString(file_.string()), "--json", "--braking", "0.5", "--standstill-speed", "100"});
    QVERIFY(program.waitForFinished(patience_ms));
    const auto more = QJsonDocument::fromJson(program.readAllStandardOutput()).object().value("rows").toArray();
    QVERIFY(more.size() > rows.size());
    auto options = event_options();
    options.set("braking", "0.5");
    options.set("standstill-speed", "100");
    panel.find_events(options);
    QVERIFY(QTest::qWaitFor([&] { return panel.is_settled(); }, patience_ms));
    QCOMPARE(static_cast<qsizetype>(panel.list().rowCount()), more.size());
    QVERIFY(panel.findChild<QLabel*>("marks_state")->text().contains(QStringLiteral("braking from 0.5")));
    panel.save(layout = {});
    panel.remove_events();
    QCOMPARE(panel.list().rowCount(), 0);
    panel.restore(layout);
    QVERIFY(QTest::qWaitFor([&] { return panel.is_settled(); }, patience_ms));
    QCOMPARE(static_cast<qsizetype>(panel.list().rowCount()), more.size());
}

namespace {

/// The rows of a command with `--json`.
QJsonArray rows_of_command(const QStringList& arguments)
{
    QProcess program;
    program.start(ositrace::test::program_path("osiconvert"), arguments);
    if (!program.waitForFinished(patience_ms)) return {};
    return QJsonDocument::fromJson(program.readAllStandardOutput()).object().value("rows").toArray();
}

double seconds_of(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

void MarksTest::a_stretch_is_shown_at_its_greatest_value()
{
    Session session;
    Selection selection;
    QVERIFY(open_all(session, {file_}));
    MarksPanel panel(session, selection);
    QSignalSpy sought(&panel, &MarksPanel::seek_requested);
    connect(&panel, &MarksPanel::seek_requested, &panel, [&](Nanoseconds time) { panel.show_time(time); });
    auto options = event_options();
    for (const auto* const name : {"braking", "acceleration"}) options.set(name, "0.2");
    panel.find_events(options);
    QVERIFY(QTest::qWaitFor([&] { return panel.is_settled(); }, patience_ms));
    const auto rows = rows_of_command(
        {"events", QString::fromStdString(file_.string()), "--braking", "0.2", "--acceleration", "0.2", "--json"});
    const auto& listed = panel.list().rows();
    QCOMPARE(static_cast<qsizetype>(listed.size()), rows.size());
    int peaks = 0;
    std::set<Nanoseconds> moments;
    for (qsizetype i = 0; i != rows.size(); ++i) {
        const auto mark = listed[static_cast<std::size_t>(i)].mark;
        moments.insert(mark.moment());
        const bool has_peak = QStringList{"hard braking", "hard acceleration", "lane departure"}.contains(mark.name);
        QCOMPARE(mark.peak.has_value(), has_peak);
        if (!has_peak) continue;
        peaks += mark.moment() != mark.time;
        QCOMPARE(seconds_of(mark.moment()), rows[i].toObject().value("value_time").toDouble());
        panel.choose(mark);
        QCOMPARE(sought.back().front().value<Nanoseconds>(), mark.moment());
    }
    QVERIFY(peaks > 0);
    // One key goes through all of them, to both sides.
    for (const int direction : {1, -1}) {
        panel.show_time(direction > 0 ? Nanoseconds(-1) : Nanoseconds(1h));
        sought.clear();
        for (std::size_t i = 0; i != moments.size(); ++i) panel.go(direction);
        std::set<Nanoseconds> seen;
        for (const auto& each : sought) seen.insert(each.front().value<Nanoseconds>());
        QCOMPARE(seen, moments);
    }
}

void MarksTest::highlights_are_what_the_command_line_finds()
{
    Session session;
    Selection selection;
    QVERIFY(open_all(session, {file_}));
    MarksPanel panel(session, selection);
    auto& label = *panel.findChild<QLabel*>("marks_highlights");
    QVERIFY(label.text().isEmpty());
    panel.find_events();
    QVERIFY(QTest::qWaitFor([&] { return panel.is_settled(); }, patience_ms));
    const auto file = QString::fromStdString(file_.string());
    QStringList expected;
    for (const auto& [kind, what] :
         {std::pair{"hard_braking", "hardest braking"}, {"hard_acceleration", "hardest acceleration"}}) {
        QJsonObject hardest;
        for (const auto& each :
             rows_of_command({"events", file, "--braking", "0.1", "--acceleration", "0.1", "--json"}))
            if (const auto row = each.toObject();
                row.value("kind") == QLatin1String(kind) &&
                std::abs(row.value("value").toDouble()) > std::abs(hardest.value("value").toDouble()))
                hardest = row;
        expected += QStringLiteral("%1: object %2, %3 m/s\u00b2 at %4 s")
                        .arg(QLatin1String(what))
                        .arg(hardest.value("object").toInteger())
                        .arg(rounded_text(hardest.value("value").toDouble(), 3))
                        .arg(hardest.value("value_time").toDouble(), 0, 'f', 3);
    }
    // A light is red in the first message, none becomes red later.
    const auto red = rows_of_command({"find",
                                      "traffic_light[*].classification.color == RED and not "
                                      "traffic_light[*].classification.mode == OFF",
                                      file, "--json"});
    QVERIFY(!red.isEmpty());
    auto text = label.text();
    text.remove(QRegularExpression("<[^>]*>"));
    QVERIFY2(text.startsWith(expected.join(QStringLiteral(" \u00b7 ")) + QStringLiteral(" \u00b7 red light: ")),
             qPrintable(text));
    std::set<QString> moments;
    for (const auto& each : red) moments.insert(QString::number(each.toObject().value("begin").toDouble(), 'f', 3));
    QCOMPARE(text.count(QRegularExpression("\\d at ")), static_cast<qsizetype>(moments.size()));
    for (const auto& each : moments) QVERIFY2(text.contains(" at " + each + " s"), qPrintable(each));
    panel.remove_events();
    QVERIFY(label.text().isEmpty());
}

void MarksTest::events_end_with_their_trace()
{
    const auto cut = scratch_ / "cut_events.osi";
    std::filesystem::copy_file(file_, cut);
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - 10);
    Session session;
    Selection selection;
    MarksPanel panel(session, selection);
    connect(&session, &Session::channels_changed, &panel, [&] { panel.show_times(session.channels()); });
    panel.hold();
    panel.find_events();  // before a trace is open
    QVERIFY(open_all(session, {cut}));
    QVERIFY(panel.is_settled());
    panel.release();
    QVERIFY(!panel.is_settled());
    QVERIFY(QTest::qWaitFor([&] { return panel.is_settled(); }, patience_ms));
    QVERIFY(panel.list().rowCount() > 0);
    // Those before the damage, which is reported.
    const auto state = panel.findChild<QLabel*>("marks_state")->text();
    QVERIFY2(state.contains(QStringLiteral("truncated")), qPrintable(state));
    session.reload();
    QVERIFY(QTest::qWaitFor([&] { return session.is_complete() && panel.is_settled(); }, patience_ms));
    session.close_all();
    QVERIFY(panel.is_settled());
    QCOMPARE(panel.list().rowCount(), 0);
    // A sensor data has no events.
    auto options = ositrace::test::small_scene(3);
    options.type = MessageType::sensor_data;
    QVERIFY(open_all(session, {ositrace::test::write_sample(scratch_ / "detections.osi", options)}));
    QVERIFY(panel.findChild<QLabel*>("marks_state")->text().contains(QStringLiteral("GroundTruth")));
}

void MarksTest::a_large_report_does_not_block()
{
    std::string xml = "<CheckerResults><CheckerBundle><Checker checkerId=\"c\">";
    for (int i = 0; i != 100'000; ++i)
        xml += "<Issue description=\"finding\" level=\"2\"><Locations><TimeLocation time=\"" +
               std::to_string(i * 7919 % 100'003) + "\"/></Locations></Issue>";
    xml += "</Checker></CheckerBundle></CheckerResults>";
    const auto report = parse_check_report(xml);
    MarkList list;
    QElapsedTimer timer;
    timer.start();
    list.set_group(QStringLiteral("r"), rows_of(report, QStringLiteral("r"), {}));
    qInfo("100 000 findings are listed in %lld ms", static_cast<long long>(timer.elapsed()));
    QCOMPARE(list.rowCount(), 100'000);
    QVERIFY(std::ranges::is_sorted(list.rows(), {}, [](const MarkList::Row& row) { return row.mark.time; }));
}

OSIVIEW_TEST(MarksTest, QApplication)
#include "marks_test.moc"
