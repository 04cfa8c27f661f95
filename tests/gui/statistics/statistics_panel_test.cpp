// SPDX-License-Identifier: MPL-2.0
#include <fstream>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPointer>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>
#include <QTreeWidget>

#include <ositrace/scene.hpp>
#include <ositrace/trace_writer.hpp>

#include "gui/statistics/statistics_panel.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

std::filesystem::path real_trace(const std::string& name) { return ositrace::test::shared_folder() / "traces" / name; }

/// The value of a line of the first channel.
QString fact(const StatisticsPanel& panel, const QString& name)
{
    const auto* const tree = panel.findChild<QTreeWidget*>("channel_statistics");
    const auto* const channel = tree->topLevelItem(0);
    for (int i = 0; channel != nullptr && i != channel->childCount(); ++i)
        if (channel->child(i)->text(0) == name) return channel->child(i)->text(1);
    return QStringLiteral("no such line");
}

bool settles(const StatisticsPanel& panel)
{
    return QTest::qWaitFor([&] { return panel.is_settled(); }, 60'000);
}

/// The sample scene with these of its frames.
std::filesystem::path trace_of(const QTemporaryDir& folder, const std::string& name,
                               const std::vector<std::uint64_t>& frames)
{
    const auto file = std::filesystem::path(folder.path().toStdString()) / name;
    Scene scene({.type = MessageType::ground_truth, .frames = 20, .moving_objects = 2, .reflections = 0});
    const auto writer = create_trace(file, scene.info(), {.overwrite = true});
    for (const auto i : frames) {
        ByteBuffer bytes;
        scene.frame(i, bytes);
        Frame frame;
        frame.bytes = bytes.bytes();
        writer->write(frame);
    }
    writer->close();
    return file;
}

/// Without the seventh to ninth frames, and with the last frame twice.
std::filesystem::path trace_with_a_gap(const QTemporaryDir& folder)
{
    return trace_of(folder, "gap.osi", {0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 12});
}

}  // namespace

class StatisticsPanelTest : public QObject {
    Q_OBJECT

private slots:
    void shows_gaps_and_equal_times();
    void a_click_on_a_gap_leads_there();
    void findings_are_listed_and_marked();
    void says_that_not_all_findings_are_listed();
    void rules_that_nearly_every_frame_breaks_are_muted();
    void what_is_not_listed_is_marked();
    void a_broken_frame_is_marked_at_its_time();
    void a_click_on_a_finding_leads_to_its_field();
    void says_the_same_as_osiconvert_data();
    void says_the_same_as_osiconvert();
    void reads_nothing_while_it_is_held();
    void a_large_trace_is_read_as_a_whole_when_asked();
    void closing_ends_what_runs();
    void what_is_retired_goes_by_itself();
    void what_cannot_be_read_a_second_time_says_so();

private:
    QTemporaryDir folder_;
};

void StatisticsPanelTest::shows_gaps_and_equal_times()
{
    Session session;
    Selection selection;
    const StatisticsPanel panel(session, selection);
    session.open(trace_with_a_gap(folder_));
    QVERIFY(settles(panel));
    QCOMPARE(fact(panel, "messages"), "11");
    QCOMPARE(fact(panel, "duration"), "1.200 s");
    QCOMPARE(fact(panel, "step"), "100 ms");
    QCOMPARE(fact(panel, "gaps"), "1");
    QCOMPARE(fact(panel, "equal times"), "1");
    QCOMPARE(fact(panel, "backward times"), "0");
    QCOMPARE(fact(panel, "without time"), "0");
    QCOMPARE(fact(panel, "jitter"), QStringLiteral("steps of 0 ms \u2026 400 ms"));
}

void StatisticsPanelTest::a_click_on_a_gap_leads_there()
{
    Session session;
    Selection selection;
    StatisticsPanel panel(session, selection);
    panel.resize(500, 700);
    panel.show();
    session.open(trace_with_a_gap(folder_));
    QVERIFY(settles(panel));
    std::vector<Nanoseconds> asked;
    connect(&panel, &StatisticsPanel::seek_requested, this, [&](Nanoseconds time) { asked.push_back(time); });
    auto* const tree = panel.findChild<QTreeWidget*>("channel_statistics");
    const auto list = tree->findItems("list of gaps", Qt::MatchExactly | Qt::MatchRecursive);
    QCOMPARE(list.size(), 1);
    QCOMPARE(list[0]->childCount(), 1);
    QCOMPARE(list[0]->child(0)->text(0), "before message 6");
    tree->scrollToItem(list[0]->child(0));
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(list[0]->child(0)).center());
    QCOMPARE(asked, std::vector<Nanoseconds>{std::chrono::milliseconds(500)});
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        panel.grab().save(path + "/statistics.png");
}

void StatisticsPanelTest::findings_are_listed_and_marked()
{
    Session session;
    Selection selection;
    const StatisticsPanel panel(session, selection);
    std::vector<TimelineMark> marks;
    connect(&panel, &StatisticsPanel::marks_changed, this,
            [&](const std::vector<TimelineMark>& more) { marks = more; });
    const auto file = trace_with_a_gap(folder_);
    session.open(file);
    QVERIFY(settles(panel));
    const auto expected = check_trace(file, {.listed_per_kind = 200, .rules = RuleSet::built_in()});
    QVERIFY(!expected.findings.empty());
    QCOMPARE(panel.findings().rowCount(), static_cast<int>(expected.counts.size()));
    int rows = 0;
    for (int group = 0; group != panel.findings().rowCount(); ++group) {
        const auto rule = panel.findings().index(group, FindingsModel::message);
        rows += panel.findings().rowCount(rule);
        QCOMPARE(rule.data().toString().toStdString(),
                 "not met: " + expected.counts[static_cast<std::size_t>(group)].description);
        const auto count = expected.counts[static_cast<std::size_t>(group)].count;
        QCOMPARE(rule.siblingAtColumn(FindingsModel::time).data().toString(),
                 count == 1 ? QStringLiteral("once") : QStringLiteral("%1 times").arg(count));
    }
    QCOMPARE(rows, static_cast<int>(expected.findings.size()));
    const auto timed =
        std::ranges::count_if(expected.findings, [](const Finding& finding) { return finding.time.has_value(); });
    QVERIFY(timed > 0);
    QVERIFY(std::ssize(marks) >= timed);
    QVERIFY(marks.front().source == std::optional<std::uint32_t>(0));
}

void StatisticsPanelTest::says_that_not_all_findings_are_listed()
{
    Session session;
    Selection selection;
    const StatisticsPanel panel(session, selection);
    const auto* const state = panel.findChild<QLabel*>("examination_state");
    session.open(trace_with_a_gap(folder_));
    QVERIFY(settles(panel));
    QVERIFY(!state->text().contains("the first"));
    session.close_all();
    session.open(trace_of(folder_, "equal_times.osi", std::vector<std::uint64_t>(210, 3)));
    QVERIFY(settles(panel));
    QVERIFY2(state->text().contains("the first 200 of each kind"), qPrintable(state->text()));
    QVERIFY(state->text().contains("210 frames checked"));
}

/// All messages have the same time, and one of the rules is broken once.
void StatisticsPanelTest::rules_that_nearly_every_frame_breaks_are_muted()
{
    auto frames = std::vector<std::uint64_t>(50, 3);
    frames[20] = 2;  // backward
    Session session;
    Selection selection;
    StatisticsPanel panel(session, selection);
    panel.resize(500, 700);
    panel.show();
    std::vector<TimelineMark> marks;
    connect(&panel, &StatisticsPanel::marks_changed, this,
            [&](const std::vector<TimelineMark>& more) { marks = more; });
    session.open(trace_of(folder_, "muted.osi", frames));
    QVERIFY(settles(panel));
    auto& model = *panel.findChild<QTreeView*>("findings")->model();
    const auto rule = [&](const QString& name) {
        return model.match(model.index(0, FindingsModel::rule), Qt::DisplayRole, name, 1, Qt::MatchEndsWith).value(0);
    };
    const auto equal = rule("timestamp.not_repeated"), backward = rule("timestamp.not_decreasing");
    QVERIFY(equal.isValid() && backward.isValid());
    const auto checked = [](const QModelIndex& row) {
        return row.siblingAtColumn(FindingsModel::message).data(Qt::CheckStateRole).toInt() == Qt::Checked;
    };
    QVERIFY(!checked(equal) && checked(backward));
    const auto marked = marks.size();
    QVERIFY(marked > 0 && marked < 5);
    const auto* const state = panel.findChild<QLabel*>("examination_state");
    QVERIFY2(state->text().contains("rules not marked on the timeline: 1 "), qPrintable(state->text()));
    QVERIFY(model.setData(equal.siblingAtColumn(FindingsModel::message), Qt::Checked, Qt::CheckStateRole));
    QVERIFY(marks.size() > marked + 40);
    QVERIFY(model.setData(backward.siblingAtColumn(FindingsModel::message), Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY2(state->text().contains("rules not marked on the timeline: 1 "), qPrintable(state->text()));
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        panel.grab().save(path + "/muted.png");
}

void StatisticsPanelTest::what_is_not_listed_is_marked()
{
    Session session;
    Selection selection;
    const StatisticsPanel panel(session, selection);
    std::vector<TimelineMark> marks;
    connect(&panel, &StatisticsPanel::marks_changed, this,
            [&](const std::vector<TimelineMark>& more) { marks = more; });
    const auto file = trace_of(folder_, "one_time.osi", std::vector<std::uint64_t>(210, 3));
    QVERIFY(std::filesystem::file_size(file) <= Examination::small_bytes);
    session.open(file);
    QVERIFY(settles(panel));
    const auto all = check_trace(file, {.listed_per_kind = 1'000'000, .rules = RuleSet::built_in()});
    const auto timed =
        std::ranges::count_if(all.findings, [](const Finding& finding) { return finding.frame.has_value(); });
    QVERIFY(timed > static_cast<std::ptrdiff_t>(Examination::listed_per_kind));
    auto& model = *panel.findChild<QTreeView*>("findings")->model();
    for (int rule = 0; rule != model.rowCount(); ++rule)
        model.setData(model.index(rule, FindingsModel::message), Qt::Checked, Qt::CheckStateRole);
    std::uint64_t marked = 0;
    for (const auto& mark : marks) marked += mark.count;
    QCOMPARE(marked, static_cast<std::uint64_t>(timed));
    QVERIFY(marks.size() < all.counts.size() * (UnlistedFindings::most_places + Examination::listed_per_kind));
}

void StatisticsPanelTest::a_broken_frame_is_marked_at_its_time()
{
    const auto file = trace_of(folder_, "broken.osi", {0, 1, 2, 3, 4, 5, 6, 7});
    {
        std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
        for (int i = 0; i != 5; ++i) {  // to the sixth frame
            std::uint32_t size = 0;
            bytes.read(reinterpret_cast<char*>(&size), sizeof size);
            bytes.seekg(size, std::ios::cur);
        }
        bytes.seekp(bytes.tellg() + std::streamoff(4));
        bytes.write("\xff\xff\xff\xff\xff\xff", 6);
        QVERIFY(bytes.good());
    }
    Session session;
    Selection selection;
    const StatisticsPanel panel(session, selection);
    std::vector<TimelineMark> marks;
    connect(&panel, &StatisticsPanel::marks_changed, this,
            [&](const std::vector<TimelineMark>& more) { marks = more; });
    session.open(file);
    QVERIFY(settles(panel));
    const auto at = session.channels()->front().time_of(5);
    QVERIFY(std::ranges::any_of(
        marks, [&](const TimelineMark& mark) { return mark.severity == Severity::error && mark.time == at; }));
}

void StatisticsPanelTest::a_click_on_a_finding_leads_to_its_field()
{
    const auto file = real_trace("deserialization_version_is_set_invalid.osi");
    if (!std::filesystem::exists(file)) QSKIP("the real traces are not here");
    Session session;
    Selection selection;
    StatisticsPanel panel(session, selection);
    panel.resize(900, 700);
    panel.show();
    session.open(file);
    QVERIFY(settles(panel));
    std::vector<Nanoseconds> asked;
    connect(&panel, &StatisticsPanel::seek_requested, this, [&](Nanoseconds time) { asked.push_back(time); });
    auto* const view = panel.findChild<QTreeView*>("findings");
    QModelIndex row;
    for (int group = 0; group != panel.findings().rowCount() && !row.isValid(); ++group) {
        const auto first =
            panel.findings().index(0, FindingsModel::message, panel.findings().index(group, FindingsModel::message));
        if (panel.findings().finding(first)->time && !panel.findings().finding(first)->finding.field.empty())
            row = first;
    }
    QVERIFY(row.isValid());
    const auto finding = *panel.findings().finding(row);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(row.parent()).center());
    QVERIFY2(asked.empty(), "the row of a rule leads nowhere");
    view->expand(row.parent());
    session.set_starts_aligned(true);  // all rows are shown anew
    QVERIFY(view->isExpanded(row.parent()));
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        panel.grab().save(path + "/findings.png");
    view->scrollTo(row);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(row).center());
    QCOMPARE(asked, std::vector<Nanoseconds>{*finding.time});
    QVERIFY(selection.current());
    QCOMPARE(selection.current()->path, finding.finding.field);
}

void StatisticsPanelTest::says_the_same_as_osiconvert_data()
{
    QTest::addColumn<QString>("name");
    for (const auto* const name :
         {"20230621T113737Z_sv_350_32112_100.osi", "20240618T122540Z_sv_370_244_20_minimal_valid_example.osi",
          "highway_merge.osi", "disappearingVehicle.mcap", "sensorDataDetectedLaneBoundaries.mcap"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void StatisticsPanelTest::says_the_same_as_osiconvert()
{
    QFETCH(const QString, name);
    const auto file = real_trace(name.toStdString());
    if (!std::filesystem::exists(file)) QSKIP("the real traces are not here");
#ifdef OSITRACE_TEST_SANITIZED
    QSKIP("ThreadSanitizer fails when a process is started");
#endif
    if (!std::filesystem::exists(ositrace::test::program("osiconvert"))) QSKIP("osiconvert is not built");
    Session session;
    Selection selection;
    const StatisticsPanel panel(session, selection);
    session.open(file);
    QVERIFY(settles(panel));
    QProcess stats;
    stats.start(program_path("osiconvert"), {"stats", "--json", QString::fromStdString(file.string())});
    QVERIFY(stats.waitForFinished(60'000));
    const auto channel = QJsonDocument::fromJson(stats.readAllStandardOutput())["files"][0]["channels"][0];
    QVERIFY(channel["frames"].toInt() > 0);
    QCOMPARE(fact(panel, "messages").remove(QChar(0x202f)).toInt(), channel["frames"].toInt());
    const auto* const tree = panel.findChild<QTreeWidget*>("channel_statistics");
    const auto size = tree->findItems("size", Qt::MatchExactly | Qt::MatchRecursive).value(0);
    QVERIFY(size != nullptr);
    QCOMPARE(size->toolTip(0).remove(QChar(0x202f)),
             QStringLiteral("of all messages: %1 bytes").arg(channel["bytes"].toInteger()));
}

void StatisticsPanelTest::reads_nothing_while_it_is_held()
{
    Session session;
    Selection selection;
    StatisticsPanel panel(session, selection);
    panel.hold();
    session.open(trace_of(folder_, "held.osi", {0, 1, 2}));
    QVERIFY(QTest::qWaitFor([&] { return session.is_complete(); }, 60'000));
    QVERIFY(!QTest::qWaitFor([&] { return panel.is_settled(); }, 300));
    QCOMPARE(fact(panel, "equal times"), QStringLiteral("no such line"));
    panel.release();
    QVERIFY(settles(panel));
    QVERIFY(fact(panel, "equal times") != "no such line");
}

void StatisticsPanelTest::a_large_trace_is_read_as_a_whole_when_asked()
{
    const auto file = std::filesystem::path(folder_.path().toStdString()) / "large.osi";
    Scene scene({.type = MessageType::sensor_view, .frames = 2, .moving_objects = 2, .reflections = 500'000});
    {
        const auto writer = create_trace(file, scene.info(), {});
        ByteBuffer bytes;
        scene.frame(0, bytes);
        Frame frame;
        frame.bytes = bytes.bytes();
        for (std::uint64_t size = 0; size <= Examination::small_bytes; size += bytes.size()) writer->write(frame);
        writer->close();
    }
    Session session;
    Selection selection;
    StatisticsPanel panel(session, selection);
    panel.show();
    session.open(file);
    QVERIFY(settles(panel));
    QVERIFY(fact(panel, "equal times") != "no such line");
    QCOMPARE(panel.findings().rowCount(), 0);
    auto* const button = panel.findChild<QPushButton*>("read_all");
    QVERIFY(button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(!panel.is_settled());
    QVERIFY(settles(panel));
    QVERIFY(panel.findings().rowCount() > 0);
    QVERIFY(!button->isVisible());
}

void StatisticsPanelTest::closing_ends_what_runs()
{
    Session session;
    Selection selection;
    const StatisticsPanel panel(session, selection);
    session.open(trace_with_a_gap(folder_));
    QVERIFY(QTest::qWaitFor([&] { return !session.traces().empty() && session.traces()[0].complete; }, 60'000));
    session.close_all();
    QVERIFY(panel.is_settled());
    QCOMPARE(panel.findings().rowCount(), 0);
    QCOMPARE(panel.findChild<QTreeWidget*>("channel_statistics")->topLevelItemCount(), 0);
}

/// An examination reports through the event loop: it is running until then.
void StatisticsPanelTest::what_is_retired_goes_by_itself()
{
    const std::shared_ptr<const Trace> trace = open_trace(trace_with_a_gap(folder_));
    QObject parent;
    auto examination = std::make_unique<Examination>(trace, Depth::all, &parent);
    const QPointer<Examination> retired = examination.get();
    QSignalSpy heard(examination.get(), &Examination::state_changed);
    Examination::retire(std::move(examination));
    QVERIFY2(retired, "it was waited for");
    QVERIFY(QTest::qWaitFor([&] { return retired.isNull(); }, 60'000));
    QCOMPARE(heard.count(), 0);

    auto beside = std::make_unique<QObject>();
    examination = std::make_unique<Examination>(trace, Depth::all, beside.get());
    const QPointer<Examination> other = examination.get();
    Examination::retire(std::move(examination));
    beside.reset();
    QVERIFY(other.isNull());
}

void StatisticsPanelTest::what_cannot_be_read_a_second_time_says_so()
{
    const auto file = trace_with_a_gap(folder_);
    const std::shared_ptr<const Trace> trace = open_trace(file);
    std::filesystem::remove(file);
    const Examination examination(trace, Depth::all);
    QVERIFY(QTest::qWaitFor([&] { return !examination.is_running(); }, 60'000));
    QVERIFY(examination.summary());
    QVERIFY(!examination.findings());
    QVERIFY2(examination.state().contains("read a second time"), qPrintable(examination.state()));
}

OSIVIEW_TEST(StatisticsPanelTest, QApplication)
#include "statistics_panel_test.moc"
