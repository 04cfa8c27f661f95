// SPDX-License-Identifier: MPL-2.0
// The state timeline with keys and clicks, on a display.
#include <set>

#include <QDockWidget>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolButton>

#include "gui/playback/timeline_widget.hpp"
#include "gui/states/states_panel.hpp"
#include "gui/tree/message_tree_panel.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

/// A window whose state timeline was opened by its key.
struct WithStates : Opened {
    explicit WithStates(const std::filesystem::path& file) : Opened(file), panel(*window.findChild<StatesPanel*>())
    {
        press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        ready = ready && QTest::qWaitFor([&] { return path().hasFocus(); }, patience_ms);
    }
    bool type(const QString& text)
    {
        path().setFocus();
        QTest::keyClicks(&path(), text);
        press(Qt::Key_Return);
        return read();
    }
    bool read()
    {
        return QTest::qWaitFor([&] { return panel.is_settled() && !panel.view().curves().empty(); }, patience_ms);
    }
    QLineEdit& path() { return *panel.findChild<QLineEdit*>("states_path"); }
    QString note() { return panel.findChild<QLabel*>("states_note")->text(); }
    /// A curve whose value changes, and the message of its first change.
    std::pair<std::uint32_t, std::uint64_t> changing()
    {
        for (const auto curve : panel.view().shown())
            if (const auto& runs = panel.view().curves()[curve].runs; runs.size() > 1) return {curve, runs[1].first};
        return {};
    }

    StatesPanel& panel;
};

}  // namespace

class StatesWindowTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void a_typed_path_becomes_bars();
    void a_preset_becomes_bars();
    void a_click_seeks();
    void keys_go_from_change_to_change();
    void a_field_of_the_tree_becomes_bars();
    void what_cannot_be_shown_says_so();
    void the_fields_are_part_of_the_layout();
    void another_type_of_message_has_the_same_fields();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

void StatesWindowTest::a_typed_path_becomes_bars()
{
    WithStates opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.type("moving_object.type"));
    QCOMPARE(opened.panel.fields(), QStringList{"moving_object[*].type"});
    QCOMPARE(opened.panel.view().shown().size(), std::size_t{13});  // the host, too
    QCOMPARE(opened.panel.view().value_at(0, 0), "TYPE_VEHICLE");
    QCOMPARE(opened.path().text(), "");
    auto* const dock = opened.window.findChild<QDockWidget*>("states_dock");
    QVERIFY(dock->isVisible());
    // The bars are above the same times of the timeline.
    const auto& bars = opened.panel.view().scale();
    const auto& timeline = opened.window.timeline();
    QVERIFY(bars.section() == timeline.scale().section());
    const auto x = [&](QWidget& widget, const TimeScale& scale) {
        return widget.mapTo(&opened.window, QPoint(static_cast<int>(scale.x_of(std::chrono::seconds(3))), 0)).x();
    };
    QVERIFY(std::abs(x(opened.panel.view(), bars) - x(opened.window.timeline(), timeline.scale())) <= 4);
}

void StatesWindowTest::a_preset_becomes_bars()
{
    WithStates opened(file_);
    QVERIFY(opened.ready);
    auto* const menu = opened.panel.findChild<QToolButton*>("states_add")->menu();
    QMetaObject::invokeMethod(menu, "aboutToShow");
    QStringList names;
    for (auto* const action : menu->actions()) names += action->text();
    QVERIFY(names.contains("Brake lights") && names.contains("Traffic light colours"));
    QVERIFY(!names.contains("Detected types"));  // of SensorData
    menu->actions()[names.indexOf("Traffic light colours")]->trigger();
    QVERIFY(opened.read());
    QCOMPARE(opened.panel.fields(), QStringList{"traffic_light[*].classification.color"});
}

void StatesWindowTest::a_click_seeks()
{
    WithStates opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.type("moving_object.vehicle_classification.light_state.brake_light_state"));
    const auto [curve, change] = opened.changing();
    QVERIFY(change != 0);
    auto& view = opened.panel.view();
    view.verticalScrollBar()->setValue(view.row_of(curve).top() - 30);
    const auto row = view.row_of(curve);
    const auto channel = opened.window.viewer().session().channels()->front();
    const int x = static_cast<int>(view.scale().x_of(channel.time_of(change)));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {x + 2, row.center().y()});  // close to the change
    QVERIFY(opened.shows(change));
    QCOMPARE(view.selected(), std::optional(curve));
    const auto& selected = opened.window.viewer().selection().current();
    QVERIFY(selected && selected->thing && selected->thing->id == view.curves()[curve].curve.id);
    const int far = static_cast<int>(view.scale().x_of(channel.time_of(55)));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {far + 6, row.center().y()});
    QVERIFY(QTest::qWaitFor([&] { return opened.window.is_settled() && opened.number() >= 54; }, patience_ms));
}

void StatesWindowTest::keys_go_from_change_to_change()
{
    WithStates opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.type("moving_object.vehicle_classification.light_state.brake_light_state"));
    std::set<std::uint64_t> changes;
    for (const auto& curve : opened.panel.view().curves())
        for (const auto& run : curve.runs) {
            changes.insert(run.first);
            if (run.last + 1 < 60) changes.insert(run.last + 1);
        }
    changes.erase(0);
    QVERIFY(changes.size() >= 2);
    QVERIFY(opened.shows(0));
    for (const auto change : changes) {
        opened.press(Qt::Key_F4);
        QVERIFY(opened.shows(change));
    }
    opened.press(Qt::Key_F4);
    QCOMPARE(opened.note(), "no later change");
    opened.press(Qt::Key_F4, Qt::ShiftModifier);
    QVERIFY(opened.shows(*std::next(changes.rbegin())));
}

void StatesWindowTest::a_field_of_the_tree_becomes_bars()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& tree = *opened.window.findChild<MessageTreePanel*>();
    emit tree.states_requested(0, "global_ground_truth.moving_object[3].type");
    auto& panel = *opened.window.findChild<StatesPanel*>();
    QVERIFY(QTest::qWaitFor([&] { return panel.isVisible() && panel.is_settled(); }, patience_ms));
    QCOMPARE(panel.fields(), QStringList{"moving_object[*].type"});
}

void StatesWindowTest::what_cannot_be_shown_says_so()
{
    WithStates opened(file_);
    QVERIFY(opened.ready);
    const auto refused = [&](const QString& text) {
        opened.path().clear();
        QTest::keyClicks(&opened.path(), text);
        opened.press(Qt::Key_Return);
        return opened.note();
    };
    QVERIFY(refused("moving_object.tpye").contains("has no field 'tpye' (near: type)"));
    QVERIFY(refused("moving_object.base.velocity.x").contains("is a real number: show it as a plot"));
    QVERIFY(refused("moving_object.base").contains("is a message"));
    QVERIFY(refused("a[").contains("is not a path"));
    QVERIFY(opened.panel.fields().isEmpty());
}

void StatesWindowTest::the_fields_are_part_of_the_layout()
{
    WithStates opened(file_);
    QVERIFY(opened.ready);
    QVERIFY(opened.type("moving_object.type"));
    QString why;
    const auto layout = layout_of(QJsonDocument(to_json(opened.window.layout_now())).toJson(), why);
    QVERIFY(layout);
    opened.panel.set_fields({});
    QVERIFY(opened.panel.view().curves().empty());
    opened.window.apply(*layout);
    QVERIFY(opened.read());
    QCOMPARE(opened.panel.fields(), QStringList{"moving_object[*].type"});
    opened.panel.restore({{"states", QJsonArray{7, "", QString(501, 'x'), "moving_object[*].type"}}});
    QCOMPARE(opened.panel.fields(), QStringList{"moving_object[*].type"});
}

void StatesWindowTest::another_type_of_message_has_the_same_fields()
{
    WithStates opened(file_);
    QVERIFY(opened.ready && opened.type("moving_object.type"));
    opened.window.setFocus();
    opened.press(Qt::Key_Tab);
    QVERIFY(opened.window.viewer().selection().current());
    const auto& documentation = *opened.window.findChild<QTextBrowser*>("documentation");
    QVERIFY(documentation.toPlainText().contains("osi3.MovingObject"));
    auto& session = opened.window.viewer().session();
    const auto other = [&](MessageType type, const std::string& name) {
        auto options = ositrace::test::small_scene(20);
        options.type = type;
        const auto file = ositrace::test::write_sample(scratch_ / name, options);
        session.close_all();
        session.open(file);
        return QTest::qWaitFor([&] { return session.is_complete() && opened.panel.is_settled(); }, patience_ms);
    };
    const auto first_curve = [&] { return opened.panel.view().curves().front().curve.text; };
    QVERIFY(other(MessageType::ground_truth, "truth.osi") && opened.read());
    QVERIFY(first_curve().starts_with("moving_object["));
    QCOMPARE(opened.note(), "");
    QVERIFY(!documentation.toPlainText().contains("osi3.MovingObject"));
    QVERIFY(opened.type("traffic_light.classification.mode"));
    QVERIFY(other(MessageType::sensor_view, "view.osi") && opened.read());
    QVERIFY(first_curve().starts_with("global_ground_truth."));
    QCOMPARE(opened.note(), "");
    // What it does not have is named.
    opened.panel.set_fields({"moving_object[*].type", "no_such[*].field"});
    QVERIFY(opened.read());
    QCOMPARE(opened.note(), "this channel has no no_such[*].field");
}

OSIVIEW_TEST(StatesWindowTest, QApplication)
#include "states_window_test.moc"
