// SPDX-License-Identifier: MPL-2.0
// The comparison in the window, with real keys and clicks: what the table says is what the screen shows.
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QToolButton>

#include "gui/compare/boundary_results.hpp"
#include "gui/compare/compare_panel.hpp"
#include "gui/compare/error_history.hpp"
#include "gui/compare/result_rows.hpp"
#include "gui/compare/result_table.hpp"
#include "gui/objects/object_panel.hpp"
#include "gui/scene/scene_views.hpp"
#include "tests/gui/compare/flawed_sensor.hpp"
#include "tests/gui/golden/golden_picture.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/file_dialog.hpp"
#include "tests/gui/window/opened_window.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

/// A window with ground truth and detections, and the panel opened by its key.
struct ComparedWindow : Opened {
    ComparePanel* panel = nullptr;
    QString lie;  ///< the first; empty: there was none
    int shown = 0;

    explicit ComparedWindow(const FlawedSensor& files, QSize size = {}) : Opened(files.truth)
    {
        if (size.isValid()) window.resize(size);
        window.open_additional({QString::fromStdString(files.detections.string())});
        ready = ready && QTest::qWaitFor(
                             [&] {
                                 return window.viewer().session().is_complete() &&
                                        window.viewer().session().channels()->size() == 2;
                             },
                             patience_ms);
        panel = window.findChild<ComparePanel*>();
        press(Qt::Key_C, Qt::ShiftModifier);
        ready = ready && QTest::qWaitFor([&] { return panel->isVisible(); }, patience_ms) && compared();
        QObject::connect(&window, &ViewerWindow::snapshot_shown, &window, [this] { check(); });
    }
    bool compared()
    {
        return QTest::qWaitFor(
            [&] {
                const auto& snapshot = window.viewer().snapshot();
                return window.is_settled() && snapshot && snapshot->comparison && panel->run() && panel->is_settled();
            },
            patience_ms);
    }
    [[nodiscard]] QString state() { return window.findChild<QLabel*>(QStringLiteral("compare_state"))->text(); }
    /// The table, its caption and the scene are of the same messages.
    void check()
    {
        const auto& snapshot = *window.viewer().snapshot();
        if (!snapshot.comparison || !lie.isEmpty()) return;
        ++shown;
        const auto number = snapshot.channels.front().number;
        const auto wanted = QStringLiteral("A #%1 at").arg(number);
        if (!state().startsWith(wanted)) lie = QStringLiteral("%1 where message %2 is shown").arg(state()).arg(number);
        const auto& table = panel->at_time().rows();
        const auto rows = pair_rows(*snapshot.comparison->objects);
        if (table.rowCount() != static_cast<int>(rows.size())) lie = QStringLiteral("another number of rows");
        for (int row = 0; row != table.rowCount() && lie.isEmpty(); ++row) {
            const auto& pair = rows[static_cast<std::size_t>(row)];
            if (pair.a == nullptr || pair.a->id != 11) continue;
            const auto says = table.index(row, pair_table_distance).data().toString();
            const auto is = QString::number(0.01 * static_cast<double>(number), 'f', 3);
            if (says != is) lie = QStringLiteral("error %1 where it is %2").arg(says, is);
        }
    }
    void click(ResultView& view, const QModelIndex& index)
    {
        view.scrollTo(index);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
    }
    /// Moves the mouse over a text with links until one of them is under it, and clicks.
    bool click_link(const QString& target)
    {
        auto* const label = window.findChild<QLabel*>(QStringLiteral("compare_summary"));
        const QObject scope;  // of the connections
        QString hovered;
        bool clicked = false;
        QObject::connect(label, &QLabel::linkHovered, &scope, [&](const QString& link) { hovered = link; });
        QObject::connect(label, &QLabel::linkActivated, &scope, [&](const QString& link) { clicked = link == target; });
        // The text may move while it is searched, even before the click: the summary follows the shown message.
        return QTest::qWaitFor(
            [&] {
                for (int y = 4; y < label->height(); y += 6)
                    for (int x = 2; x < label->width() && !clicked; x += 6) {
                        QTest::mouseMove(label, {x, y});
                        QCoreApplication::processEvents();
                        if (hovered == target) QTest::mouseClick(label, Qt::LeftButton, {}, {x, y});
                    }
                return clicked;
            },
            60'000);
    }
};

}  // namespace

class CompareWindowTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void opens_by_its_key_with_ground_truth_against_detections();
    void fits_its_default_height_data();
    void fits_its_default_height();
    void knows_files_that_were_opened_before_the_window();
    void the_table_is_that_of_the_shown_messages_at_every_moment();
    void the_worst_object_is_one_click_away();
    void a_click_on_a_row_selects_in_scene_tree_and_objects();
    void a_click_on_the_curve_seeks();
    void an_offset_shifts_b_in_the_scene_too();
    void side_by_side_has_a_view_for_each();
    void compared_objects_have_the_colours_of_their_results();
    void lane_boundaries_are_compared_now_and_over_time();
    void saves_the_errors();
    void the_curves_look_as_they_should();

private:
    ScratchFolder scratch_;
    std::unique_ptr<FlawedSensor> files_;
};

void CompareWindowTest::initTestCase()
{
    static_cast<void>(prepared_trace(scratch_));
    files_ = std::make_unique<FlawedSensor>(scratch_);
}

void CompareWindowTest::opens_by_its_key_with_ground_truth_against_detections()
{
    ComparedWindow opened(*files_);
    QVERIFY(opened.ready);
    QVERIFY(opened.state().startsWith(QStringLiteral("A #0 at 0.000 s, B #0 at 0.000 s: 3 pairs")));
    opened.press(Qt::Key_C, Qt::ShiftModifier);
    QVERIFY(QTest::qWaitFor([&] { return !opened.panel->isVisible(); }, patience_ms));
    QVERIFY(opened.settle());
    QVERIFY(!opened.window.viewer().snapshot()->comparison);
}

/// As the files on the command line are.
void CompareWindowTest::fits_its_default_height_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("of a new window") << QSize();
    QTest::newRow("small") << QSize(1280, 800);
    QTest::newRow("large") << QSize(1920, 1080);
}

void CompareWindowTest::fits_its_default_height()
{
    QFETCH(const QSize, size);
    ComparedWindow opened(*files_, size);
    QVERIFY(opened.ready);
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        opened.window.grab().save(path + QStringLiteral("/compare_%1.png").arg(QTest::currentDataTag()));
    const QWidget* parent = opened.panel->parentWidget();
    while (parent != nullptr && qobject_cast<const QScrollArea*>(parent) == nullptr) parent = parent->parentWidget();
    const auto* const area = qobject_cast<const QScrollArea*>(parent);
    QVERIFY(area != nullptr);
    QVERIFY(!area->verticalScrollBar()->isVisible() && !area->horizontalScrollBar()->isVisible());
    auto& table = opened.panel->at_time();
    QVERIFY(table.rows().rowCount() == 3 && !table.verticalScrollBar()->isVisible());
}

void CompareWindowTest::knows_files_that_were_opened_before_the_window()
{
    auto viewer = std::make_unique<Viewer>();
    viewer->open({files_->truth, files_->detections});
    auto& session = viewer->session();
    QVERIFY(QTest::qWaitFor([&] { return session.is_complete(); }, patience_ms));
    ViewerWindow window(std::move(viewer));
    window.show();
    auto& panel = *window.findChild<ComparePanel*>();
    window.commands().action(Command::compare).trigger();
    QVERIFY(QTest::qWaitFor([&] { return panel.isVisible() && panel.run() && panel.is_settled(); }, patience_ms));
    QVERIFY(QTest::qWaitFor([&] { return panel.at_time().model()->rowCount() == 3; }, patience_ms));
}

void CompareWindowTest::the_table_is_that_of_the_shown_messages_at_every_moment()
{
    ComparedWindow opened(*files_);
    QVERIFY(opened.ready);
    for (std::uint64_t i = 1; i != 12; ++i) {
        opened.press(Qt::Key_Right);
        QVERIFY(opened.shows(i));
    }
    opened.press(Qt::Key_Home);
    QVERIFY(opened.shows(0));
    opened.playback().set_rate(5);
    opened.press(Qt::Key_Space);
    QVERIFY(QTest::qWaitFor([&] { return opened.number() == FlawedSensor::messages - 1; }, patience_ms));
    opened.press(Qt::Key_PageUp);
    QVERIFY(opened.settle());
    QVERIFY2(opened.lie.isEmpty(), qPrintable(opened.lie));
    QVERIFY(opened.shown >= 12);  // a busy machine shows few of the messages that are played
}

void CompareWindowTest::the_worst_object_is_one_click_away()
{
    ComparedWindow opened(*files_);
    QVERIFY(opened.ready);
    QVERIFY(opened.click_link(QStringLiteral("worst")));
    QVERIFY(opened.shows(39));
    const auto& selected = opened.window.viewer().selection().current();
    QVERIFY(selected && selected->thing);
    QCOMPARE(selected->thing->id, std::uint64_t{11});
    const auto is_in_the_middle = [&] {
        const auto& state = opened.window.scene().state();
        const auto* const thing = state.picture->find(*selected->thing);
        const ViewTransform view(state.camera, state.picture->origin, {800, 600});
        const auto at = thing != nullptr ? view.project(to_vector(thing->centre)) : std::nullopt;
        return at && std::abs(at->x - 400) < 20 && std::abs(at->y - 300) < 20;
    };
    QVERIFY2(QTest::qWaitFor(is_in_the_middle, 60'000), "it comes into the picture");
    QCOMPARE(selected->path, std::string("moving_object[1]"));
    QCOMPARE(opened.panel->chart().lines().front().name, QStringLiteral("object 11"));
    QVERIFY(opened.click_link(QStringLiteral("ghosts")));
    QVERIFY(opened.shows(9));
    QVERIFY(opened.click_link(QStringLiteral("missed")));  // after the last one: the first
    QVERIFY(opened.shows(5));
}

void CompareWindowTest::a_click_on_a_row_selects_in_scene_tree_and_objects()
{
    ComparedWindow opened(*files_);
    QVERIFY(opened.ready);
    auto& table = opened.panel->at_time();
    for (int row = 0; row != table.model()->rowCount(); ++row) {
        const auto id = table.model()->index(row, 1).data().toULongLong();
        opened.click(table, table.model()->index(row, 1));
        const auto& selected = opened.window.viewer().selection().current();
        QVERIFY(selected && selected->thing);
        QCOMPARE(selected->thing->id, id);
        QVERIFY(opened.window.scene().state().options.selected == selected->thing);
        auto& objects = opened.window.findChild<ObjectPanel*>()->view();
        QCOMPARE(objects.model()->index(objects.currentIndex().row(), 0).data().toULongLong(), id);
    }
}

void CompareWindowTest::a_click_on_the_curve_seeks()
{
    ComparedWindow opened(*files_);
    QVERIFY(opened.ready);
    auto& chart = opened.panel->chart();
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.place_of(0, 2050ms, 0.1).toPoint());
    QVERIFY(opened.shows(20));
}

void CompareWindowTest::an_offset_shifts_b_in_the_scene_too()
{
    ComparedWindow opened(*files_);
    QVERIFY(opened.ready);
    opened.press(Qt::Key_End);
    QVERIFY(opened.shows(39));
    auto* const box = opened.window.findChild<QDoubleSpinBox*>(QStringLiteral("compare_offset"));
    QTest::mouseClick(box, Qt::LeftButton);
    box->selectAll();
    QTest::keyClicks(box, QStringLiteral("100"));
    QTest::keyClick(box, Qt::Key_Return);
    QVERIFY(QTest::qWaitFor(
        [&] {
            if (!opened.compared()) return false;
            const auto snapshot = opened.window.viewer().snapshot();
            const auto& messages = snapshot->comparison->messages;
            return snapshot->channels[1].number == 38 && messages && messages->b == 38;
        },
        patience_ms));
    QVERIFY(opened.window.viewer().problems().filter(QStringLiteral("is shifted by")).size() == 1);
    QVERIFY(opened.state().startsWith(QStringLiteral("A #39 at 3.900 s, B #38 at 3.900 s")));
}

void CompareWindowTest::side_by_side_has_a_view_for_each()
{
    ComparedWindow opened(*files_);
    QVERIFY(opened.ready);
    auto& views = opened.window.views();
    views.first().set_legend(false);
    const auto before = opened.window.layout_now();
    auto* const button = opened.window.findChild<QToolButton*>(QStringLiteral("compare_side_by_side"));
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(views.is_split() && opened.compared());
    auto &a = views.first(), &b = *views.second();
    QVERIFY(a.options().shows(Category::moving_object) && !a.options().shows(Category::detected_moving_object));
    QVERIFY(!b.options().shows(Category::moving_object) && b.options().shows(Category::detected_moving_object));
    QVERIFY(a.options().shows(Category::lane) && b.options().shows(Category::lane));
    // Nothing of B is in A, and nothing of A in B.
    QCOMPARE(a.shown_channels().size(), 1);
    QCOMPARE(b.shown_channels().size(), 1);
    QVERIFY(a.shown_channels() != b.shown_channels());
    QVERIFY(!a.options().shows(Category::lidar_detection) && b.options().shows(Category::lidar_detection));
    QVERIFY(a.state().caption.startsWith(QStringLiteral("A: ")) && b.state().caption.startsWith(QStringLiteral("B: ")));
    QVERIFY(!a.state().marks.empty());
    QCOMPARE(a.state().marks, b.state().marks);
    QVERIFY(!a.legend() && !b.legend());
    // One camera.
    QVERIFY(a.camera() == b.camera());
    b.walk(0.5, 0.25);
    QVERIFY(a.camera() == b.camera());
    opened.press(Qt::Key_Right);
    QVERIFY(opened.shows(1) && opened.compared());
    QVERIFY(a.camera() == b.camera());
    QVERIFY(!a.state().marks.empty());
    QCOMPARE(a.state().marks, b.state().marks);
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        opened.window.grab().save(path + QStringLiteral("/side_by_side.png"));
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(!views.is_split());
    QCOMPARE(opened.window.layout_now().hidden, before.hidden);
    // A closed panel returns to the views as they were, too.
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(views.is_split());
    opened.press(Qt::Key_C, Qt::ShiftModifier);
    QVERIFY(QTest::qWaitFor([&] { return !views.is_split(); }, patience_ms));
    QCOMPARE(opened.window.layout_now().hidden, before.hidden);
    QVERIFY(!views.first().state().caption.startsWith(QStringLiteral("A: ")));
}

void CompareWindowTest::compared_objects_have_the_colours_of_their_results()
{
    ComparedWindow opened(*files_);
    QVERIFY(opened.ready);
    auto& playback = opened.window.viewer().playback();
    const auto looks_at = [&](Nanoseconds time) {
        playback.seek(time);
        std::map<Look, int> counts;
        if (!QTest::qWaitFor([&] { return opened.window.viewer().shown_time() == time && opened.compared(); },
                             patience_ms))
            return counts;
        for (const auto& each : opened.window.scene().options().tints) ++counts[each.look];
        return counts;
    };
    // Three are detected; in message 6 one is missed, in message 9 there is a ghost.
    QCOMPARE(looks_at(0ms), (std::map<Look, int>{{Look::palette_green, 3}}));
    QCOMPARE(looks_at(600ms), (std::map<Look, int>{{Look::palette_green, 2}, {Look::palette_orange, 1}}));
    QCOMPARE(looks_at(900ms), (std::map<Look, int>{{Look::palette_green, 3}, {Look::palette_red, 1}}));
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        opened.window.grab().save(path + QStringLiteral("/compare_tints.png"));
    opened.press(Qt::Key_C, Qt::ShiftModifier);
    QVERIFY(QTest::qWaitFor([&] { return opened.window.scene().options().tints.empty(); }, patience_ms));
}

/// The numbers are those of a program of its own in Python, which samples the lines every 5 cm.
void CompareWindowTest::lane_boundaries_are_compared_now_and_over_time()
{
    const auto trace = shared_folder() / "traces/sensorDataDetectedLaneBoundaries.mcap";
    if (!std::filesystem::exists(trace)) QSKIP("the shared traces are not there");
    Opened opened(trace);
    QVERIFY(opened.ready);
    auto& panel = *opened.window.findChild<ComparePanel*>();
    opened.press(Qt::Key_C, Qt::ShiftModifier);
    auto* const mode = opened.window.findChild<QComboBox*>(QStringLiteral("compare_mode"));
    // There are no other detections.
    QVERIFY(QTest::qWaitFor([&] { return mode->currentData().toInt() == static_cast<int>(CompareMode::boundaries); },
                            patience_ms));
    QVERIFY(QTest::qWaitFor([&] { return panel.run() && panel.is_settled(); }, patience_ms));
    const auto summary = opened.window.findChild<QLabel*>(QStringLiteral("compare_summary"))->text();
    QVERIFY2(summary.contains(QStringLiteral(">boundary ")) && summary.contains(QStringLiteral("426 pairs")),
             qPrintable(summary));
    opened.window.viewer().playback().seek(1s);
    const auto comparison = [&]() -> const BoundaryComparison* {
        const auto& snapshot = opened.window.viewer().snapshot();
        const bool is_there = snapshot && snapshot->comparison && snapshot->comparison->boundaries &&
                              opened.window.viewer().shown_time() == Nanoseconds(1s) && opened.window.is_settled();
        return is_there ? &*snapshot->comparison->boundaries : nullptr;
    };
    QVERIFY(QTest::qWaitFor([&] { return comparison() != nullptr && panel.is_settled(); }, patience_ms));
    const auto& found = *comparison();
    const std::map<std::uint64_t, std::array<double, 3>> wanted{{1, {44.34, -0.0033, 0.0183}},
                                                                {3, {40.36, -0.0202, 0.0405}},
                                                                {4, {25.59, 0.0374, 0.0530}},
                                                                {8, {40.55, -0.0086, 0.0366}}};
    QCOMPARE(found.boundaries.size(), wanted.size());  // the others have no points
    for (const auto& each : found.boundaries) {
        const auto& [length, mean, mean_absolute] = wanted.at(each.id);
        QVERIFY2(std::abs(each.matched - length) < 0.05, qPrintable(QString::number(each.matched)));
        QVERIFY2(std::abs(each.mean - mean) < 0.002, qPrintable(QString::number(each.mean)));
        QVERIFY2(std::abs(each.mean_absolute - mean_absolute) < 0.002, qPrintable(QString::number(each.mean_absolute)));
    }
    QVERIFY(panel.boundary_chart().isVisible() && !panel.chart().isVisible());
    QCOMPARE(panel.at_time().rows().rowCount(), 4);
    const auto state = opened.window.findChild<QLabel*>(QStringLiteral("compare_state"))->text();
    QVERIFY2(state.contains(QStringLiteral("7 lane boundaries of B against 7 of A")), qPrintable(state));
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        opened.window.grab().save(path + QStringLiteral("/compare_boundaries.png"));
    auto* const tabs = opened.window.findChild<QTabWidget*>(QStringLiteral("compare_tabs"));
    tabs->setCurrentWidget(&panel.over_time());
    auto& table = panel.over_time();
    QVERIFY(table.model()->rowCount() >= 4);
    const auto before = opened.window.scene().camera();
    const auto at = table.visualRect(table.model()->index(0, 0)).center();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, at);
    const auto& worst = *panel.run()->result().boundaries->worst();
    const auto time = panel.run()->result().boundaries->moments[worst.moment].time;
    const auto& selection = opened.window.viewer().selection();
    QVERIFY(QTest::qWaitFor(
        [&] {
            return opened.window.viewer().shown_time() == time && opened.window.is_settled() && selection.current() &&
                   selection.current()->thing && !(opened.window.scene().camera() == before);
        },
        patience_ms));
    QCOMPARE(selection.current()->thing->id, worst.id);
    QCOMPARE(table.model()->index(table.currentIndex().row(), 0).data().toULongLong(), worst.id);
    QVERIFY(!panel.boundary_chart().isVisible() && panel.chart().isVisible());
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty()) {
        QTest::qWait(1500);
        opened.window.grab().save(path + QStringLiteral("/compare_boundaries_over_time.png"));
    }
}

void CompareWindowTest::saves_the_errors()
{
    ComparedWindow opened(*files_);
    QVERIFY(opened.ready);
    const auto name = scratch_ / "errors";
    answer_file_dialog(name);
    QTest::mouseClick(opened.window.findChild<QWidget*>(QStringLiteral("compare_export")), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return !opened.panel->is_exporting(); }, patience_ms));
    QVERIFY(std::filesystem::file_size(name.string() + ".csv") > 1000);
}

void CompareWindowTest::the_curves_look_as_they_should()
{
    ComparedWindow opened(*files_);
    QVERIFY(opened.ready);
    PlotView chart;
    chart.set_legend(true);
    chart.setPalette(opened.window.palette());
    chart.setFont(QFont(QStringLiteral("DejaVu Sans"), 9));
    chart.resize(480, 180);
    const auto& result = *opened.panel->run()->result().objects;
    chart.set_lines(error_lines(result, ObjectError::distance, nullptr));
    chart.set_marks(error_marks(result, nullptr));
    chart.set_extent(TimeSection{result.moments.front().time, result.moments.back().time});
    chart.set_time(1s);
    const auto picture = chart.grab().toImage().convertToFormat(QImage::Format_RGBA8888);
    const auto difference = ositrace::test::compare_with_golden(picture, "error_chart");
    QVERIFY2(difference, "OSITRACE_MAKE_GOLDEN=1 makes it");
    QVERIFY2(difference->share < 0.02, qPrintable(QString::number(difference->share)));  // fonts differ
}

OSIVIEW_TEST(CompareWindowTest, QApplication)
#include "compare_window_test.moc"
