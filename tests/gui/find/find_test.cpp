// SPDX-License-Identifier: MPL-2.0
// Find in time with keys and clicks, on a display.
#include <cmath>

#include <QComboBox>
#include <QDockWidget>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

#include "gui/find/find_panel.hpp"
#include "gui/playback/timeline_widget.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

/// A window whose search panel was opened by its key.
struct Searched : Opened {
    explicit Searched(const std::filesystem::path& file) : Opened(file), panel(*window.findChild<FindPanel*>())
    {
        press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        ready = ready && QTest::qWaitFor([&] { return words().hasFocus(); }, patience_ms);
    }
    /// Types an expression, presses Enter and waits for the end.
    bool search(const QString& expression)
    {
        words().setFocus();
        words().selectAll();
        QTest::keyClicks(&words(), expression);
        press(Qt::Key_Return);
        return QTest::qWaitFor([&] { return panel.found().list() && panel.is_settled(); }, patience_ms);
    }
    void click_row(int row)
    {
        auto& view = *panel.findChild<QTableView*>("find_list");
        view.scrollTo(view.model()->index(row, 0));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(row, 0)).center());
    }
    void click(const char* button)
    {
        QTest::mouseClick(panel.findChild<QToolButton*>(QLatin1String(button)), Qt::LeftButton);
    }
    QLineEdit& words() { return *panel.findChild<QLineEdit*>("find_expression"); }
    QString note() { return panel.findChild<QLabel*>("find_note")->text(); }
    QString text(int row, FoundModel::Column column) { return panel.found().index(row, column).data().toString(); }

    FindPanel& panel;
};

}  // namespace

class FindTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void is_hidden_until_it_is_used();
    void lists_and_marks_when_an_expression_holds();
    void what_comes_nearest_is_named_where_nothing_is_found();
    void words_are_those_of_an_example();
    void a_click_shows_the_message_and_selects_the_object();
    void a_found_light_comes_into_view();
    void keys_and_buttons_go_from_row_to_row();
    void rows_that_begin_together_are_gone_through();
    void a_field_that_is_never_set_is_named();
    void a_wrong_expression_is_refused_where_it_is_wrong();
    void speed_is_that_of_the_moving_objects();
    void writes_the_list_to_a_file();
    void searches_again_when_the_file_is_read_again();
    void the_expression_is_part_of_the_layout();
    void only_the_section_is_searched_on_request();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

void FindTest::is_hidden_until_it_is_used()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto* const dock = opened.window.findChild<QDockWidget*>("find_dock");
    QVERIFY(!dock->isVisible());
    opened.press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(QTest::qWaitFor([&] { return dock->isVisible(); }, patience_ms));
    const auto bottom = [&](QWidget& widget) { return widget.mapTo(&opened.window, QPoint(0, widget.height())).y(); };
    const auto top = [&](QWidget& widget) { return widget.mapTo(&opened.window, QPoint()).y(); };
    QVERIFY(QTest::qWaitFor([&] { return bottom(*dock) <= top(opened.window.timeline()); }, patience_ms));
    QVERIFY(top(*dock) >= bottom(opened.window.scene()));
}

void FindTest::lists_and_marks_when_an_expression_holds()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.search("timestamp.seconds >= 2 and timestamp.seconds < 4"));
    QCOMPARE(opened.panel.found().rowCount(), 1);
    QCOMPARE(opened.text(0, FoundModel::time), "2.000 s");
    QCOMPARE(opened.text(0, FoundModel::message), "#20");
    QCOMPARE(opened.text(0, FoundModel::duration), "2.000 s, 20 messages");
    QCOMPARE(opened.text(0, FoundModel::values), "timestamp.seconds = 2 at 2.000 s to 3 at 3.000 s");
    QCOMPARE(opened.note(), "20 messages found, in 1 row");
    QCOMPARE(opened.window.timeline().found(), (std::vector<TimeSection>{{2s, 4s}}));
    const auto marked = opened.window.timeline().grab().toImage();
    QVERIFY(opened.search("timestamp.seconds > 10"));
    QCOMPARE(opened.panel.found().rowCount(), 0);
    QVERIFY(opened.window.timeline().found().empty());
    QVERIFY(opened.window.timeline().grab().toImage() != marked);
}

/// The sample trace has no such speed.
void FindTest::what_comes_nearest_is_named_where_nothing_is_found()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.search("norm(moving_object.base.velocity) >= 1000 / 3.6"));
    QCOMPARE(opened.panel.found().rowCount(), 0);
    QVERIFY2(QTest::qWaitFor([&] { return opened.note().contains(QStringLiteral(">greatest</a> ")); }, patience_ms),
             qPrintable(opened.note()));
    const auto nearest = opened.note().section(QStringLiteral("</a> "), -1);
    QVERIFY(opened.search("norm(moving_object.base.velocity) > 0"));
    QVERIFY2(opened.note().endsWith(nearest), qPrintable(opened.note()));
    // Nothing comes near to a condition of several parts.
    QVERIFY(opened.search("moving_object.id == 1 and norm(moving_object.base.velocity) > 1000"));
    QTest::qWait(50);
    QVERIFY(!opened.note().contains(QStringLiteral("greatest")));
}

void FindTest::words_are_those_of_an_example()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.search("red light"));
    QVERIFY2(opened.words().text().startsWith(QStringLiteral("traffic_light[*]")), qPrintable(opened.words().text()));
    QVERIFY(opened.search("hard brake"));
    QVERIFY2(opened.words().text().startsWith(QStringLiteral("along(")), qPrintable(opened.words().text()));
}

void FindTest::a_click_shows_the_message_and_selects_the_object()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.search("moving_object[*].id == 3 and timestamp.seconds == 4"));
    QCOMPARE(opened.panel.found().rowCount(), 1);
    QCOMPARE(opened.text(0, FoundModel::object), "moving object 3");
    opened.click_row(0);
    QVERIFY(opened.shows(40));
    const auto& selected = opened.window.viewer().selection().current();
    QVERIFY(QTest::qWaitFor([&] { return selected && selected->thing && selected->thing->id == 3; }, patience_ms));
    QVERIFY(selected->path.starts_with("global_ground_truth.moving_object["));
}

void FindTest::a_found_light_comes_into_view()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.search("traffic_light[*].id > 0"));
    QVERIFY(opened.panel.found().rowCount() > 0);
    auto& scene = opened.window.scene();
    scene.look_at_place({5000, 5000, 0}, 4);
    opened.click_row(0);
    const auto& selected = opened.window.viewer().selection().current();
    QVERIFY(QTest::qWaitFor([&] { return selected && selected->thing; }, patience_ms));
    QCOMPARE(selected->thing->category, Category::traffic_light);
    const auto& picture = *scene.state().picture;
    const auto* const light = picture.find(*selected->thing);
    QVERIFY(light != nullptr);
    const auto is_in_the_middle = [&] {
        scene.end_flight();
        const auto away = scene.camera().target - picture.origin - to_vector(light->centre);
        return std::hypot(away[0], away[1]) < 1e-3;
    };
    QVERIFY(QTest::qWaitFor(is_in_the_middle, patience_ms));
}

void FindTest::keys_and_buttons_go_from_row_to_row()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.search("timestamp.seconds == 1 or timestamp.seconds == 3 or timestamp.seconds == 5"));
    QCOMPARE(opened.panel.found().rowCount(), 3);
    QVERIFY(opened.shows(0));
    opened.press(Qt::Key_F3);
    QVERIFY(opened.shows(10));
    opened.press(Qt::Key_F3);
    QVERIFY(opened.shows(30));
    opened.click("find_next");
    QVERIFY(opened.shows(50));
    opened.press(Qt::Key_F3);
    QVERIFY(opened.note().endsWith("no later row"));
    QVERIFY(opened.shows(50));
    opened.press(Qt::Key_F3, Qt::ShiftModifier);
    QVERIFY(opened.shows(30));
    opened.click("find_previous");
    QVERIFY(opened.shows(10));
    opened.click("find_previous");
    QVERIFY(opened.note().endsWith("no earlier row"));
    opened.press(Qt::Key_Return);  // in the expression: the next row
    QVERIFY(opened.shows(30));
}

void FindTest::rows_that_begin_together_are_gone_through()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.search("moving_object[*].id == 1 or moving_object[*].id == 3 or moving_object[*].id == 4"));
    QCOMPARE(opened.panel.found().rowCount(), 3);
    // The trace ends with its last message.
    for (int row = 0; row != 3; ++row) QCOMPARE(opened.text(row, FoundModel::duration), "5.900 s, 60 messages");
    const auto& selected = opened.window.viewer().selection().current();
    const auto selects = [&](int row) {
        const auto id = opened.panel.found().list()->spans[static_cast<std::size_t>(row)]->id;
        return QTest::qWaitFor([&] { return selected && selected->thing && selected->thing->id == id; }, patience_ms);
    };
    for (int row = 0; row != 3; ++row) {
        opened.press(Qt::Key_F3);
        QVERIFY(selects(row));
    }
    opened.press(Qt::Key_F3);
    QVERIFY(opened.note().endsWith("no later row"));
    opened.press(Qt::Key_F3, Qt::ShiftModifier);
    QVERIFY(selects(1));
    // From another time the rows count that begin before it.
    QVERIFY(opened.shows(0));
    opened.window.setFocus();
    opened.press(Qt::Key_End);
    QVERIFY(opened.shows(59));
    opened.press(Qt::Key_F3, Qt::ShiftModifier);
    QVERIFY(selects(2));
    QVERIFY(opened.shows(0));
}

void FindTest::a_field_that_is_never_set_is_named()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.search("lane.classification.road_condition.surface_ice > 1"));
    QCOMPARE(opened.note(),
             "0 messages found, in 0 rows; never set: "
             "global_ground_truth.lane[*].classification.road_condition.surface_ice");
    QVERIFY(opened.search(
        "norm(moving_object.base.velocity) > 5000 and norm(moving_object.base.orientation_acceleration) > 1"));
    QVERIFY(opened.note().endsWith("never set: global_ground_truth.moving_object[*].base.orientation_acceleration"));
    QVERIFY(opened.search("timestamp.seconds > 10"));
    QCOMPARE(opened.note(), "0 messages found, in 0 rows");
}

void FindTest::a_wrong_expression_is_refused_where_it_is_wrong()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    QTest::keyClicks(&opened.words(), "moving_object.base.velocity.x < 3 and moving_objct.id == 1");
    opened.press(Qt::Key_Return);
    QVERIFY(QTest::qWaitFor([&] { return opened.note().startsWith("Character 39: "); }, patience_ms));
    QVERIFY(opened.note().endsWith("has no field 'moving_objct' (near: moving_object)"));
    QCOMPARE(opened.words().cursorPosition(), 38);
    QVERIFY(opened.panel.is_settled());
}

void FindTest::speed_is_that_of_the_moving_objects()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    opened.panel.find(QStringLiteral("speed > 5 and not (wind.speed > 5 or map_reference ~ \"speed\")"));
    QCOMPARE(
        opened.words().text(),
        QStringLiteral("norm(moving_object.base.velocity) > 5 and not (wind.speed > 5 or map_reference ~ \"speed\")"));
    opened.panel.find(QStringLiteral("speed > 5"));
    QVERIFY(QTest::qWaitFor([&] { return opened.panel.found().list() && opened.panel.is_settled(); }, patience_ms));
    QVERIFY(opened.panel.found().rowCount() > 0);
}

void FindTest::writes_the_list_to_a_file()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.search("timestamp.seconds == 1 or timestamp.seconds == 3"));
    QSignalSpy exported(&opened.panel, &FindPanel::exported);
    opened.panel.write_csv(QString::fromStdString((scratch_ / "found.csv").string()));
    QVERIFY(QTest::qWaitFor([&] { return exported.size() == 1; }, patience_ms));
    QCOMPARE(exported[0][0].toString(), "");
    QCOMPARE(read_file(scratch_ / "found.csv"),
             std::string("from_s,to_s,first_message,last_message,object,id,path,timestamp.seconds first,"
                         "timestamp.seconds least,timestamp.seconds greatest\n"
                         "1.000,2.000,10,19,,,,1,1,1\n"
                         "3.000,4.000,30,39,,,,3,3,3\n"));
    opened.panel.write_csv("/no/such/folder/found.csv");
    QVERIFY(QTest::qWaitFor([&] { return exported.size() == 2; }, patience_ms));
    QVERIFY(exported[1][0].toString().startsWith("/no/such/folder/found.csv: "));
}

void FindTest::searches_again_when_the_file_is_read_again()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.search("timestamp.seconds == 1"));
    const auto before = opened.panel.found().list()->channel.trace;
    opened.window.viewer().session().reload();
    QVERIFY(QTest::qWaitFor(
        [&] {
            const auto& list = opened.panel.found().list();
            return list && list->channel.trace != before && opened.panel.is_settled();
        },
        patience_ms));
    QCOMPARE(opened.panel.found().rowCount(), 1);
    opened.window.viewer().session().close_all();
    QVERIFY(QTest::qWaitFor([&] { return !opened.panel.found().list(); }, patience_ms));
    QVERIFY(opened.window.timeline().found().empty());
}

void FindTest::the_expression_is_part_of_the_layout()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.search("timestamp.seconds == 1"));
    QString why;
    const auto layout = layout_of(QJsonDocument(to_json(opened.window.layout_now())).toJson(), why);
    QVERIFY(layout);
    opened.words().clear();
    opened.window.apply(*layout);
    QCOMPARE(opened.words().text(), "timestamp.seconds == 1");
}

void FindTest::only_the_section_is_searched_on_request()
{
    Searched opened(file_);
    QVERIFY(opened.ready);
    opened.playback().set_section(TimeSection{2s, 3s});
    auto* const box = opened.panel.findChild<QWidget*>("find_in_section");
    QVERIFY(QTest::qWaitFor([&] { return box->isVisible(); }, patience_ms));
    QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    QVERIFY(opened.search("timestamp.seconds >= 0"));
    QCOMPARE(opened.note(), "10 messages found, in 1 row");
    QCOMPARE(opened.text(0, FoundModel::message), "#20");
}

OSIVIEW_TEST(FindTest, QApplication)
#include "find_test.moc"
