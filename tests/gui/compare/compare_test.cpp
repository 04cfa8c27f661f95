// SPDX-License-Identifier: MPL-2.0
// The panel without a window: what is offered, what the tables, the summary and the curves say.
#include <array>
#include <span>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

#include "gui/compare/boundary_history.hpp"
#include "gui/compare/boundary_results.hpp"
#include "gui/compare/compare_panel.hpp"
#include "gui/compare/error_history.hpp"
#include "gui/compare/result_rows.hpp"
#include "gui/compare/result_table.hpp"
#include "gui/session/session.hpp"
#include "gui/snapshot/frame_service.hpp"
#include "gui/snapshot/snapshot_builder.hpp"
#include "gui/tree/message_tree_model.hpp"
#include "tests/gui/compare/flawed_sensor.hpp"
#include "tests/gui/sample_trace.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

/// A panel on a session; a snapshot is built for it when it is asked to show a time.
struct Compared {
    Session session;
    Selection selection;
    ComparePanel panel{selection};
    SnapshotBuilder builder{std::size_t{64} << 20};
    std::shared_ptr<const CompareChoice> choice;
    std::shared_ptr<const Snapshot> snapshot;

    explicit Compared(const std::vector<std::filesystem::path>& files)
    {
        QObject::connect(&session, &Session::channels_changed, &panel,
                         [this] { panel.show_channels(session.channels()); });
        QObject::connect(&session, &Session::times_changed, &panel, [this] { panel.show_times(session.channels()); });
        QObject::connect(&panel, &ComparePanel::compared, &panel,
                         [this](const std::shared_ptr<const CompareChoice>& chosen) { choice = chosen; });
        QObject::connect(&panel, &ComparePanel::offset_requested, &session, &Session::set_offset);
        panel.resize(1200, 300);
        panel.show();
        for (const auto& each : files) session.open(each);
    }
    bool settle()
    {
        return QTest::qWaitFor([&] { return session.is_complete() && choice && panel.run() && panel.is_settled(); },
                               patience_ms);
    }
    void show(Nanoseconds time)
    {
        snapshot = builder.build(
            {.channels = session.channels(), .time = time, .pinned = {}, .generation = 1, .compared = choice});
        selection.follow(*snapshot->picture);
        panel.show_snapshot(snapshot);
        panel.show_time(time);
    }
    [[nodiscard]] QString text(const char* label) { return panel.findChild<QLabel*>(QLatin1String(label))->text(); }
    [[nodiscard]] QString choice_text(const char* box)
    {
        return panel.findChild<QComboBox*>(QLatin1String(box))->currentText();
    }
    void choose(const char* box, const QString& text)
    {
        auto* const combo = panel.findChild<QComboBox*>(QLatin1String(box));
        combo->setCurrentIndex(combo->findText(text));
        emit combo->activated(combo->currentIndex());
    }
    void set(const char* box, double value) { panel.findChild<QDoubleSpinBox*>(QLatin1String(box))->setValue(value); }
};

/// The texts of the displayed row with `id` in column `A`.
QStringList row_of_a(ResultView& view, const QString& id, int column_of_a)
{
    const auto& model = *view.model();
    for (int row = 0; row != model.rowCount(); ++row) {
        if (model.index(row, column_of_a).data().toString() != id) continue;
        QStringList texts;
        for (int column = 0; column != model.columnCount(); ++column)
            texts += model.index(row, column).data().toString();
        return texts;
    }
    return {};
}

constexpr int column_of_a = 1;

}  // namespace

class CompareTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void compares_ground_truth_with_detections();
    void the_table_at_a_time_is_what_the_library_says();
    void over_time_has_the_worst_object_and_its_curve();
    void lists_missed_objects_and_ghosts();
    void what_was_compared_is_gone_when_it_is_closed();
    void rounding_is_no_error();
    void reach_and_gate_and_offset_change_the_result();
    void shares_the_selection();
    void a_sensor_data_with_its_input_is_compared_with_itself();
    void says_whether_traces_are_equal_to_the_last_bit();
    void nothing_is_compared_while_it_is_hidden();
    void two_files_that_cannot_be_compared_say_why();
    void says_that_there_are_no_objects_to_compare();
    void writes_all_errors_as_csv();
    void lane_boundaries_are_compared_over_time();
    void boundaries_without_a_partner_are_one_click_away();
    void lane_boundaries_are_chosen_where_there_is_nothing_else();
    void writes_lane_boundaries_as_csv();
    void a_click_on_missed_objects_and_ghosts_selects_them();

private:
    ScratchFolder scratch_;
    std::unique_ptr<FlawedSensor> files_;
    std::unique_ptr<FlawedLanes> lanes_;
};

void CompareTest::initTestCase()
{
    setenv("XDG_CACHE_HOME", (scratch_ / "cache").c_str(), 1);
    files_ = std::make_unique<FlawedSensor>(scratch_);
    lanes_ = std::make_unique<FlawedLanes>(scratch_);
}

void CompareTest::compares_ground_truth_with_detections()
{
    for (const bool detections_first : {false, true}) {
        Compared compared(detections_first ? std::vector{files_->detections, files_->truth}
                                           : std::vector{files_->truth, files_->detections});
        QVERIFY(compared.settle());
        QCOMPARE(compared.choice_text("compare_a"), QStringLiteral("GroundTruth"));
        QCOMPARE(compared.choice_text("compare_b"), QStringLiteral("SensorData: detections"));
        compared.show(2s);
        const auto rows = row_of_a(compared.panel.at_time(), QStringLiteral("11"), column_of_a);
        QCOMPARE(rows.value(0), QStringLiteral("by id"));
        QCOMPARE(rows.value(2), QStringLiteral("511"));
        QCOMPARE(rows.value(3), QStringLiteral("vehicle"));
        QCOMPARE(rows.value(pair_table_distance), QStringLiteral("0.200"));  // message 20
        QCOMPARE(rows.value(pair_table_distance + 1), QStringLiteral("0.200"));
        QCOMPARE(rows.value(pair_table_distance + 2), QStringLiteral("0.000"));
        const auto turned = row_of_a(compared.panel.at_time(), QStringLiteral("13"), column_of_a);
        QCOMPARE(turned.value(pair_table_distance + 4), QStringLiteral("5.730"));                 // degrees
        QVERIFY(row_of_a(compared.panel.at_time(), QStringLiteral("1"), column_of_a).isEmpty());  // the host
        QCOMPARE(compared.panel.at_time().model()->index(0, column_of_a).data().toString(), QStringLiteral("11"));
        QVERIFY(compared.text("compare_state").contains(QStringLiteral("A #20 at 2.000 s, B #20 at 2.000 s: 3 pairs")));
        QVERIFY(
            compared.text("compare_summary").contains(QStringLiteral("40 pairs of messages, at most 0.0 ms apart")));
    }
}

void CompareTest::the_table_at_a_time_is_what_the_library_says()
{
    Compared compared({files_->truth, files_->detections});
    QVERIFY(compared.settle());
    const auto& channels = *compared.session.channels();
    ObjectComparer comparer({channels[0].channel, channels[1].channel},
                            {ObjectSet::ground_truth, ObjectSet::detections}, {});
    for (std::uint64_t i = 0; i != FlawedSensor::messages; ++i) {
        compared.show(FlawedSensor::period * static_cast<std::int64_t>(i) + 30ms);
        const auto& shown = compared.snapshot->channels;
        QCOMPARE(shown[0].number, i);
        QCOMPARE(shown[1].number, i);
        const auto result = comparer.compare({&*shown[0].frame, nullptr}, {&*shown[1].frame, nullptr});
        const auto& model = compared.panel.at_time().rows();
        const auto rows = pair_rows(result);
        QCOMPARE(model.rowCount(), static_cast<int>(rows.size()));
        for (int row = 0; row != model.rowCount(); ++row) {
            const auto& each = rows[static_cast<std::size_t>(row)];
            const auto text = [&](int column) { return model.index(row, column).data().toString(); };
            QCOMPARE(text(column_of_a), each.a == nullptr ? QString() : QString::number(each.a->id));
            QCOMPARE(text(column_of_a + 1), each.b == nullptr ? QString() : QString::number(each.b->id));
            for (std::size_t k = 0; k != object_error_count; ++k) {
                const auto kind = static_cast<ObjectError>(k);
                QCOMPARE(text(pair_table_distance + static_cast<int>(k)),
                         each.errors == nullptr ? QString() : error_text(kind, (*each.errors)[kind]));
            }
        }
    }
}

void CompareTest::over_time_has_the_worst_object_and_its_curve()
{
    Compared compared({files_->truth, files_->detections});
    QVERIFY(compared.settle());
    compared.show(0s);
    QVERIFY2(compared.text("compare_summary").contains(QStringLiteral("object 11, 0.390 m at 3.900 s")),
             qPrintable(compared.text("compare_summary")));
    auto& chart = compared.panel.chart();
    QCOMPARE(chart.lines().size(), std::size_t{2});  // mean and largest
    QCOMPARE(chart.lines()[1].data->curve.values.size(), std::size_t{40});
    QCOMPARE(static_cast<float>(chart.lines()[1].data->curve.values[20]), 0.2F);
    QSignalSpy seeks(&compared.panel, &ComparePanel::seek_requested);
    auto& table = compared.panel.over_time();
    QCOMPARE(table.model()->index(0, 0).data().toString(), QStringLiteral("11"));  // the worst is first
    QCOMPARE(table.model()->index(0, 1).data().toString(), QStringLiteral("vehicle"));
    table.setCurrentIndex(table.model()->index(0, 0));
    QCOMPARE(seeks.count(), 1);
    QCOMPARE(seeks.front().front().value<Nanoseconds>(), Nanoseconds(3900ms));
    QCOMPARE(chart.lines().size(), std::size_t{1});
    QCOMPARE(chart.lines()[0].name, QStringLiteral("object 11"));
    // Where an object has no pair, its curve has no value, also after its last pair.
    const auto result = compared.panel.run()->result().objects;
    for (const auto& object : result->objects) {
        const auto line = error_lines(*result, ObjectError::distance, &object).front();
        std::size_t pairs = 0;
        for (const auto& moment : result->moments) pairs += line.value(moment.time).has_value();
        QCOMPARE(pairs, object.samples.size());
    }
    for (std::size_t i = 0; i != 40; ++i)
        QVERIFY(std::abs(chart.lines()[0].data->curve.values[i] - 0.01 * static_cast<double>(i)) < 1e-5);
    // Another error: the largest yaw error is that of 13.
    compared.choose("compare_error", QStringLiteral("yaw"));
    QVERIFY(compared.text("compare_summary").contains(QStringLiteral("object 13, 5.730\u00b0")));
    // A click on the chart seeks.
    seeks.clear();
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.place_of(0, 1950ms, 1).toPoint());
    QCOMPARE(seeks.count(), 1);
    QVERIFY(std::chrono::abs(seeks.front().front().value<Nanoseconds>() - 1950ms) < 50ms);
}

void CompareTest::lists_missed_objects_and_ghosts()
{
    Compared compared({files_->truth, files_->detections});
    QVERIFY(compared.settle());
    compared.show(600ms);
    const auto missed = row_of_a(compared.panel.at_time(), QStringLiteral("12"), column_of_a);
    QCOMPARE(missed.value(0), QStringLiteral("missed"));
    QVERIFY(missed.value(2).isEmpty());
    compared.show(900ms);
    const auto ghost = row_of_a(compared.panel.at_time(), QString(), column_of_a);
    QCOMPARE(ghost.value(0), QStringLiteral("ghost"));
    QCOMPARE(ghost.value(2), QStringLiteral("99"));
    auto summary = compared.text("compare_summary");
    QVERIFY2(summary.contains(QStringLiteral("3 missed</a> in 3 messages")), qPrintable(summary));
    QVERIFY2(summary.contains(QStringLiteral("1 ghost</a> in 1 message")), qPrintable(summary));
    QCOMPARE(compared.panel.chart().marks()[0].times, (std::vector<Nanoseconds>{500ms, 600ms, 700ms}));
    QCOMPARE(compared.panel.chart().marks()[1].times, std::vector<Nanoseconds>{900ms});
    // The links go to the next one, and after the last one to the first.
    auto* const label = compared.panel.findChild<QLabel*>(QStringLiteral("compare_summary"));
    QSignalSpy seeks(&compared.panel, &ComparePanel::seek_requested);
    emit label->linkActivated(QStringLiteral("missed"));
    QCOMPARE(seeks.back().front().value<Nanoseconds>(), Nanoseconds(500ms));
    compared.show(500ms);
    emit label->linkActivated(QStringLiteral("missed"));
    QCOMPARE(seeks.back().front().value<Nanoseconds>(), Nanoseconds(600ms));
    emit label->linkActivated(QStringLiteral("ghosts"));
    QCOMPARE(seeks.back().front().value<Nanoseconds>(), Nanoseconds(900ms));
}

void CompareTest::what_was_compared_is_gone_when_it_is_closed()
{
    Compared compared({files_->truth, files_->detections});
    QVERIFY(compared.settle());
    compared.show(600ms);
    QVERIFY(compared.choice->objects.reach.range > 30);  // that of the detections
    QVERIFY(!compared.text("compare_summary").isEmpty());
    QVERIFY(compared.panel.at_time().model()->rowCount() > 0 && !compared.panel.chart().lines().empty());
    compared.session.close_all();
    QVERIFY(!compared.panel.run());
    QCOMPARE(compared.text("compare_summary"), QString());
    QVERIFY(compared.text("compare_state").startsWith(QStringLiteral("Nothing to compare")));
    QCOMPARE(compared.panel.at_time().model()->rowCount(), 0);
    QCOMPARE(compared.panel.over_time().model()->rowCount(), 0);
    QVERIFY(compared.panel.chart().lines().empty());
}

void CompareTest::rounding_is_no_error()
{
    QCOMPARE(error_text(ObjectError::longitudinal, -3e-14), QStringLiteral("0.000"));
    QCOMPARE(shown_error(ObjectError::longitudinal, 9e-10), 0.0);
    QCOMPARE(shown_error(ObjectError::yaw, -9e-10), 0.0);
    QCOMPARE(shown_error(ObjectError::longitudinal, 1e-8), 1e-8);
}

void CompareTest::reach_and_gate_and_offset_change_the_result()
{
    Compared compared({files_->truth, files_->detections});
    QVERIFY(compared.settle());
    compared.set("compare_range", 20);  // the objects drive away: they are out of reach at the end
    QVERIFY(compared.settle());
    compared.show(600ms);
    QVERIFY2(compared.text("compare_state").contains(QStringLiteral("2 pairs, 0 missed, 0 ghosts, 1 out of reach")),
             qPrintable(compared.text("compare_state")));
    QTest::mouseClick(compared.panel.findChild<QToolButton*>(QStringLiteral("compare_reach")), Qt::LeftButton);
    QVERIFY(compared.choice->objects.reach.range > 30);
    QVERIFY(compared.choice->objects.reach.half_angle < 1.6);
    compared.set("compare_offset", 100);  // B later: message i meets i - 1, 0.5 m behind
    QVERIFY(compared.settle());
    compared.show(2s);
    const auto row = row_of_a(compared.panel.at_time(), QStringLiteral("13"), column_of_a);
    QCOMPARE(row.value(pair_table_distance + 1), QStringLiteral("-0.500"));
    QVERIFY(compared.text("compare_state").contains(QStringLiteral("A #20 at 2.000 s, B #19 at 2.000 s")));
    QCOMPARE(compared.snapshot->channels[1].number, std::uint64_t{19});  // the scene shows the same message
    QCOMPARE((*compared.session.channels())[1].shift, Nanoseconds(100ms));
    // B is 30 ms late: its nearest message is not shown yet.
    compared.set("compare_offset", 30);
    QVERIFY(compared.settle());
    compared.show(2s);
    QVERIFY(compared.text("compare_state").contains(QStringLiteral("A #20 at 2.000 s, B #20 at 2.030 s")));
    QVERIFY(compared.text("compare_state").contains(QStringLiteral("The scene shows another message of B")));
    compared.show(2030ms);
    QVERIFY(!compared.text("compare_state").contains(QStringLiteral("The scene shows")));
    // It stays with its channel when the files are read again.
    compared.session.reload();
    QVERIFY(QTest::qWaitFor([&] { return compared.session.is_complete(); }, patience_ms));
    QVERIFY(compared.settle());
    QCOMPARE((*compared.session.channels())[1].offset, Nanoseconds(30ms));
}

void CompareTest::shares_the_selection()
{
    Compared compared({files_->truth, files_->detections});
    QVERIFY(compared.settle());
    compared.show(1s);
    auto& table = compared.panel.at_time();
    const auto marked = [&] {
        const auto current = table.selectionModel()->currentIndex();
        return current.isValid() ? table.model()->index(current.row(), column_of_a).data().toString() : QString();
    };
    // A row selects its object of A: thing and path.
    table.setCurrentIndex(table.model()->index(0, 0));
    QVERIFY(compared.selection.current());
    QCOMPARE(compared.selection.current()->source, 0U);
    QCOMPARE(compared.selection.current()->path, std::string("moving_object[1]"));
    QCOMPARE(compared.selection.current()->thing->id, std::uint64_t{11});
    // A detection that is selected elsewhere marks the row of its pair, and the curve is that of the object of A.
    const auto* const thing = compared.snapshot->picture->find(1, "moving_object[2]");
    QVERIFY(thing != nullptr);
    compared.selection.select({thing->key, 1, thing->path});
    QCOMPARE(marked(), QStringLiteral("13"));
    QCOMPARE(compared.panel.chart().lines()[0].name, QStringLiteral("object 13"));
    compared.show(1500ms);
    QCOMPARE(marked(), QStringLiteral("13"));
    compared.selection.clear();
    QVERIFY(marked().isEmpty());
    QCOMPARE(compared.panel.chart().lines().size(), std::size_t{2});
}

void CompareTest::a_sensor_data_with_its_input_is_compared_with_itself()
{
    auto options = ositrace::test::small_scene(5);
    options.type = MessageType::sensor_data;
    Compared compared({ositrace::test::write_sample(scratch_ / "carries.osi", options)});
    QVERIFY(compared.settle());
    QVERIFY(compared.choice_text("compare_a").endsWith(QStringLiteral(": its ground truth")));
    QVERIFY(compared.choice_text("compare_b").endsWith(QStringLiteral(": detections")));
    compared.show(200ms);
    QVERIFY(compared.panel.at_time().model()->rowCount() > 3);
    QVERIFY(compared.text("compare_summary").contains(QStringLiteral("0.000 m")));
    // A type is as exact as in the table at a time.
    const auto& at_time = *compared.panel.at_time().model();
    for (int row = 0; row != at_time.rowCount(); ++row) {
        const auto over_time =
            row_of_a(compared.panel.over_time(), at_time.index(row, column_of_a).data().toString(), 0);
        QCOMPARE(over_time.value(1), at_time.index(row, 3).data().toString());
    }
}

void CompareTest::says_whether_traces_are_equal_to_the_last_bit()
{
    auto options = ositrace::test::small_scene(5);
    const auto osi = ositrace::test::write_sample(scratch_ / "one.osi", options);
    const auto mcap = ositrace::test::write_sample(scratch_ / "one.mcap", options);
    options.seed = 2;
    const auto other = ositrace::test::write_sample(scratch_ / "two.osi", options);
    {
        Compared compared({osi, mcap});
        QVERIFY(compared.settle());
        compared.choose("compare_mode", QStringLiteral("Exact"));
        QVERIFY(compared.settle());
        compared.show(200ms);
        QVERIFY(compared.text("compare_summary").contains(QStringLiteral("equal to the last bit: 5 messages")));
        QVERIFY(compared.text("compare_state").contains(QStringLiteral("the same bytes")));
        QCOMPARE(compared.panel.at_time().model()->rowCount(), 0);
    }
    Compared compared({osi, other});
    QVERIFY(compared.settle());
    compared.choose("compare_mode", QStringLiteral("Exact"));
    QVERIFY(compared.settle());
    compared.show(200ms);
    const auto summary = compared.text("compare_summary");
    QVERIFY2(summary.contains(QStringLiteral("5 of 5 pairs differ")), qPrintable(summary));
    QVERIFY2(summary.contains(QStringLiteral(">0.000 s: host_vehicle_data.")), qPrintable(summary));
    const auto& frames = compared.snapshot->channels;
    const auto result =
        compare_messages(*frames[0].frame, *frames[0].channel, *frames[1].frame, *frames[1].channel, 1000);
    const auto& model = compared.panel.at_time().rows();
    QCOMPARE(model.rowCount(), static_cast<int>(result.differences.size()));
    QCOMPARE(model.index(0, 0).data().toString().toStdString(), result.differences.front().field);
    QCOMPARE(compared.panel.over_time().model()->rowCount(), 5);
    // The tree marks them and what is around them, in both messages.
    MessageTreeModel tree;
    tree.show(compared.snapshot);
    const auto colour = [&](std::uint32_t source, const std::string& path) {
        return tree.find(source, path).data(Qt::ForegroundRole).value<QColor>();
    };
    for (const std::uint32_t source : {0U, 1U}) {
        const auto& path = result.differences.front().paths.at(source);
        QVERIFY(!path.empty());
        const auto marked = colour(source, path);
        QVERIFY(marked.isValid());
        QCOMPARE(colour(source, "global_ground_truth"), marked);
        QCOMPARE(colour(source, "global_ground_truth.moving_object"), marked);
        QVERIFY(colour(source, "global_ground_truth.timestamp.seconds") != marked);
    }
}

void CompareTest::nothing_is_compared_while_it_is_hidden()
{
    Compared compared({files_->truth, files_->detections});
    QVERIFY(compared.settle());
    compared.panel.hide();
    QVERIFY(!compared.choice);
    QVERIFY(compared.panel.run() == nullptr);
    compared.show(1s);
    QVERIFY(!compared.snapshot->comparison);
    compared.panel.show();
    QVERIFY(compared.settle());
    compared.show(1s);
    QVERIFY(compared.snapshot->comparison);
    QCOMPARE(compared.panel.at_time().model()->rowCount(), 3);
}

void CompareTest::two_files_that_cannot_be_compared_say_why()
{
    Compared alone({files_->truth});
    QVERIFY(QTest::qWaitFor([&] { return alone.session.is_complete(); }, patience_ms));
    QVERIFY(alone.text("compare_state").contains(QStringLiteral("Nothing to compare")));
    // Types that differ have no exact comparison.
    Compared compared({files_->truth, files_->detections});
    QVERIFY(compared.settle());
    compared.choose("compare_mode", QStringLiteral("Exact"));
    QVERIFY(compared.settle());
    compared.show(1s);
    QVERIFY(compared.text("compare_summary").contains(QStringLiteral("expected one OSI type")));
    QVERIFY(compared.text("compare_state").contains(QStringLiteral("expected one OSI type")));
}

void CompareTest::says_that_there_are_no_objects_to_compare()
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    const SceneSource scene(options, 1);
    std::vector<std::filesystem::path> files;
    for (const auto* const name : {"empty_a.mcap", "empty_b.mcap"}) {
        files.push_back(scratch_ / name);
        const auto writer = create_trace(files.back(), scene.info());
        for (char second = 1; second != 6; ++second) {
            const std::array<char, 4> message{0x12, 0x02, 0x08, second};  // only the seconds of the timestamp
            Frame frame;
            frame.bytes = std::as_bytes(std::span(message));
            frame.time = frame.log_time = std::chrono::seconds(second);
            writer->write(frame);
        }
        writer->close();
    }
    Compared compared(files);
    QVERIFY(compared.settle());
    QVERIFY2(compared.text("compare_summary").contains(QStringLiteral("nothing to compare")),
             qPrintable(compared.text("compare_summary")));
}

void CompareTest::writes_all_errors_as_csv()
{
    Compared compared({files_->truth, files_->detections});
    QVERIFY(compared.settle());
    const auto file = QString::fromStdString((scratch_ / "errors.csv").string());
    QCOMPARE(write_csv(*compared.panel.run()->result().objects, file), QString());
    QFile in(file);
    QVERIFY(in.open(QIODevice::ReadOnly));
    const auto lines = QString::fromUtf8(in.readAll()).split('\n');
    QCOMPARE(lines.front(), QStringLiteral("state,kind,time_s,message_a,message_b,object_a,object_b,distance_m,"
                                           "dx_m,dy_m,dz_m,dyaw_rad,dv_m_s,dlength_m,dwidth_m,dheight_m"));
    QCOMPARE(lines.size(), 1 + 40 * 3 + 1 + 1);  // 3 of 120 objects are missed; a ghost; the end of the last line
    QCOMPARE(lines.filter(QStringLiteral("missed,")).front(), QStringLiteral("missed,moving,0.500,5,5,12,,,,,,,,,,"));
    QCOMPARE(lines.filter(QStringLiteral("ghost,")).front(), QStringLiteral("ghost,moving,0.900,9,9,,99,,,,,,,,,"));
    const auto pair = lines.filter(QStringLiteral("pair,moving,3.900,39,39,11,511,")).front().split(',');
    QVERIFY(std::abs(pair[7].toDouble() - 0.39) < 1e-6);
    QCOMPARE(write_csv({}, QStringLiteral("/no such folder/errors.csv")).isEmpty(), false);
}

void CompareTest::lane_boundaries_are_compared_over_time()
{
    Compared compared({lanes_->truth, lanes_->detections});
    compared.choose("compare_mode", QStringLiteral("Lane boundaries"));
    QVERIFY(compared.settle());
    compared.show(0s);
    const auto summary = compared.text("compare_summary");
    QVERIFY2(summary.contains(QStringLiteral("boundary 3, 0.190 m at 1.900 s (45 m ahead)</a>")), qPrintable(summary));
    QVERIFY2(summary.contains(QStringLiteral("mean |lateral| 0.047 m")), qPrintable(summary));
    QVERIFY2(summary.contains(QStringLiteral("3 without a boundary of A</a> in 3 messages")), qPrintable(summary));
    auto& table = compared.panel.over_time();
    const auto right = row_of_a(table, QStringLiteral("4"), 0);
    QCOMPARE(right.mid(0, 2) + right.mid(4), (QStringList{"4", "-0.050", "0.050", "-0.050", "20", "3"}));
    const auto worst = row_of_a(table, QStringLiteral("3"), 0);
    QCOMPARE(worst.mid(0, 4) + worst.mid(6), (QStringList{"3", "0.190", "1.900 s", "45.0", "20", "0"}));
    QCOMPARE(table.model()->index(0, 0).data().toString(), QStringLiteral("3"));  // the worst is first
    // Over the distance, or over time: as the tab.
    auto& chart = compared.panel.chart();
    auto* const tabs = compared.panel.findChild<QTabWidget*>(QStringLiteral("compare_tabs"));
    QVERIFY(compared.panel.boundary_chart().isVisible() && !chart.isVisible());
    tabs->setCurrentWidget(&table);
    QVERIFY(!compared.panel.boundary_chart().isVisible() && chart.isVisible());
    QCOMPARE(chart.lines().size(), std::size_t{2});
    QCOMPARE(chart.lines()[1].data->curve.values.size(), std::size_t{20});
    QCOMPARE(static_cast<float>(chart.lines()[1].data->curve.values[15]), 0.15F);
    QCOMPARE(chart.marks()[0].times, (std::vector<Nanoseconds>{500ms, 600ms, 700ms}));
    // A click goes to the message, selects the boundary, and looks at the place.
    QSignalSpy seeks(&compared.panel, &ComparePanel::seek_requested),
        places(&compared.panel, &ComparePanel::place_requested);
    table.setCurrentIndex(table.model()->index(0, 0));
    QCOMPARE(seeks.back().front().value<Nanoseconds>(), Nanoseconds(1900ms));
    QCOMPARE(places.count(), 0);
    compared.show(1900ms);
    QCOMPARE(places.count(), 1);
    const auto place = places.front().front().value<GlobalPoint>();
    QVERIFY(std::abs(place[0] - 97.81) < 1e-6 && std::abs(place[1] - 96) < 1e-6);
    QVERIFY(compared.selection.current() && compared.selection.current()->thing);
    QCOMPARE(compared.selection.current()->thing->id, std::uint64_t{3});
    QCOMPARE(compared.selection.current()->path, std::string("lane_boundary[0]"));
    QVERIFY(chart.lines()[1].name.endsWith(QStringLiteral("of boundary 3")));
    for (auto* const view : {&table, &compared.panel.at_time()}) {
        QVERIFY(view->currentIndex().isValid());
        QCOMPARE(view->model()->index(view->currentIndex().row(), 0).data().toString(), QStringLiteral("3"));
    }
    // The link does the same.
    compared.selection.clear();
    compared.show(0s);
    emit compared.panel.findChild<QLabel*>(QStringLiteral("compare_summary"))->linkActivated(QStringLiteral("worst"));
    compared.show(1900ms);
    QCOMPARE(places.count(), 2);
    QCOMPARE(compared.selection.current()->thing->id, std::uint64_t{3});
    // A double click at this time looks at the boundary.
    tabs->setCurrentWidget(&compared.panel.at_time());
    emit compared.panel.at_time().opened(1);
    QCOMPARE(places.count(), 3);
    QVERIFY(std::abs(places.back().front().value<GlobalPoint>()[0] - 102.05) < 1e-6);
}

void CompareTest::boundaries_without_a_partner_are_one_click_away()
{
    Compared compared({lanes_->truth, lanes_->detections});
    compared.choose("compare_mode", QStringLiteral("Lane boundaries"));
    QVERIFY(compared.settle());
    compared.show(0s);
    auto* const label = compared.panel.findChild<QLabel*>(QStringLiteral("compare_summary"));
    QSignalSpy seeks(&compared.panel, &ComparePanel::seek_requested),
        places(&compared.panel, &ComparePanel::place_requested);
    for (const auto time : {500ms, 600ms, 700ms, 500ms}) {
        emit label->linkActivated(QStringLiteral("alone"));
        QCOMPARE(seeks.back().front().value<Nanoseconds>(), Nanoseconds(time));
        compared.show(time);
        QVERIFY(compared.selection.current() && compared.selection.current()->thing);
        QCOMPARE(compared.selection.current()->thing->id, std::uint64_t{4});
    }
    QCOMPARE(places.count(), 4);
}

void CompareTest::lane_boundaries_are_chosen_where_there_is_nothing_else()
{
    Compared compared({lanes_->truth, lanes_->detections});
    QVERIFY(QTest::qWaitFor([&] { return compared.choice && compared.choice->mode == CompareMode::boundaries; },
                            patience_ms));
    QVERIFY(compared.settle());
    QCOMPARE(compared.choice_text("compare_mode"), QStringLiteral("Lane boundaries"));
    // A mode that the user chose stays, and says what has something.
    compared.choose("compare_mode", QStringLiteral("Objects"));
    QVERIFY(compared.settle());
    QTest::qWait(50);
    QVERIFY(compared.choice->mode == CompareMode::objects);
    const auto summary = compared.text("compare_summary");
    QVERIFY2(summary.contains(QStringLiteral("nothing to compare: no message of B has such an object; both have <a")),
             qPrintable(summary));
    emit compared.panel.findChild<QLabel*>(QStringLiteral("compare_summary"))
        ->linkActivated(QStringLiteral("boundaries"));
    QVERIFY(compared.choice->mode == CompareMode::boundaries);
    // Objects and boundaries: the objects.
    Compared objects({files_->truth, files_->detections});
    QVERIFY(objects.settle());
    QTest::qWait(50);
    QVERIFY(objects.choice->mode == CompareMode::objects);
}

void CompareTest::writes_lane_boundaries_as_csv()
{
    Compared compared({lanes_->truth, lanes_->detections});
    compared.choose("compare_mode", QStringLiteral("Lane boundaries"));
    QVERIFY(compared.settle());
    QVERIFY(compared.panel.findChild<QToolButton*>(QStringLiteral("compare_export"))->isEnabled());
    const auto file = QString::fromStdString((scratch_ / "boundaries.csv").string());
    QCOMPARE(write_boundary_csv(*compared.panel.run()->result().boundaries, file), QString());
    QFile in(file);
    QVERIFY(in.open(QIODevice::ReadOnly));
    const auto lines = QString::fromUtf8(in.readAll()).split('\n');
    QCOMPARE(lines.front(),
             QStringLiteral("time_s,message_a,message_b,boundary,mean_m,mean_absolute_m,largest_m,at_m,without_a_m"));
    QCOMPARE(lines.size(), 1 + 41 + 1);
    QCOMPARE(lines.filter(QStringLiteral("0.600,6,6,4,")).value(0), QStringLiteral("0.600,6,6,4,,,,,40"));
    const auto last = lines.filter(QStringLiteral("1.900,19,19,3,")).value(0).split(',');
    QVERIFY(std::abs(last.value(6).toDouble() - 0.19) < 1e-6 && last.value(7) == QStringLiteral("45"));
}

void CompareTest::a_click_on_missed_objects_and_ghosts_selects_them()
{
    Compared compared({files_->truth, files_->detections});
    QVERIFY(compared.settle());
    compared.show(600ms);
    auto* const label = compared.panel.findChild<QLabel*>(QStringLiteral("compare_summary"));
    QSignalSpy seeks(&compared.panel, &ComparePanel::seek_requested),
        focused(&compared.panel, &ComparePanel::focus_requested);
    // Here is one: the first click stays.
    emit label->linkActivated(QStringLiteral("missed"));
    QCOMPARE(seeks.count(), 0);
    QVERIFY(compared.selection.current());
    QCOMPARE(compared.selection.current()->thing->id, std::uint64_t{12});
    QCOMPARE(focused.count(), 1);
    QCOMPARE(focused.back().front().value<ThingKey>().id, std::uint64_t{12});
    emit label->linkActivated(QStringLiteral("missed"));
    QCOMPARE(seeks.back().front().value<Nanoseconds>(), Nanoseconds(700ms));
    compared.show(700ms);
    QCOMPARE(focused.count(), 2);
    emit label->linkActivated(QStringLiteral("ghosts"));
    QCOMPARE(seeks.back().front().value<Nanoseconds>(), Nanoseconds(900ms));
    compared.show(900ms);
    QCOMPARE(compared.selection.current()->source, 1U);
    QCOMPARE(compared.selection.current()->thing->id, std::uint64_t{99});
    QCOMPARE(focused.count(), 3);
    // It is the only one: again to it.
    emit label->linkActivated(QStringLiteral("ghosts"));
    QCOMPARE(seeks.back().front().value<Nanoseconds>(), Nanoseconds(900ms));
    QCOMPARE(focused.count(), 4);
}

OSIVIEW_TEST(CompareTest, QApplication)
#include "compare_test.moc"
