// SPDX-License-Identifier: MPL-2.0
// Clicks, on a display: what is picked, and what is hidden.
#include <algorithm>

#include <QDockWidget>
#include <QTableView>

#include "gui/channels/channel_panel.hpp"
#include "gui/objects/object_panel.hpp"
#include "gui/scene/legend.hpp"
#include "gui/tree/message_tree_panel.hpp"
#include "gui/window/layout.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/gui/window/opened_window.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

class ClicksTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { file_ = prepared_trace(scratch_); }
    void picks_what_is_clicked();
    void scene_table_and_tree_share_one_selection();
    void hides_a_channel_by_its_box();
    void a_click_on_the_legend_hides_a_kind();
    void a_click_on_a_type_of_lane_hides_that_alone();

private:
    ScratchFolder scratch_;
    std::filesystem::path file_;
};

void ClicksTest::picks_what_is_clicked()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& scene = opened.window.scene();
    const auto& picture = *opened.window.viewer().snapshot()->picture;
    QVERIFY(picture.host);
    const ViewTransform view(scene.camera(), picture.origin, {scene.width(), scene.height()});
    const auto& centre = picture.host->centre;
    const auto place = view.project({centre[0], centre[1], centre[2]});
    QVERIFY(place);
    const QPoint at(static_cast<int>(place->x), static_cast<int>(place->y));
    QTest::mouseClick(&scene, Qt::LeftButton, {}, at);
    QVERIFY(QTest::qWaitFor([&] { return opened.window.viewer().selection().current().has_value(); }, patience_ms));
    const auto& selected = *opened.window.viewer().selection().current();
    QVERIFY(selected.thing && selected.thing->category == Category::host);
    QVERIFY(selected.path.find("moving_object") != std::string::npos);
    opened.key(Qt::Key_Escape);
    QVERIFY(!opened.window.viewer().selection().current());
}

void ClicksTest::scene_table_and_tree_share_one_selection()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& selection = opened.window.viewer().selection();
    auto& table = opened.window.findChild<ObjectPanel*>()->view();
    auto& panel = *opened.window.findChild<MessageTreePanel*>();
    auto& tree = panel.view();
    const auto click = [](QAbstractItemView& view, const QModelIndex& index) {
        view.scrollTo(index);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
    };
    const auto path_in_tree = [&] { return panel.model().node(tree.currentIndex()).path(); };

    click(table, table.model()->index(2, 0));
    QVERIFY(selection.current() && selection.current()->thing);
    const auto first = *selection.current();
    QVERIFY(first.path.find("moving_object[") != std::string::npos);
    QCOMPARE(path_in_tree(), first.path);
    QVERIFY(opened.window.scene().options().selected == first.thing);
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty()) {
        QTest::qWait(500);
        opened.window.grab().save(path + QStringLiteral("/selected.png"));
    }

    // The speed of another one, in the tree: table and scene go along.
    const auto list = first.path.substr(0, first.path.rfind('['));
    const auto speed =
        panel.model().find(first.source, list + (first.path == list + "[1]" ? "[2]" : "[1]") + ".base.velocity");
    tree.expand(speed.parent().parent());
    tree.expand(speed.parent());
    QTest::qWait(50);
    click(tree, speed);
    QVERIFY(selection.current() && selection.current()->thing && selection.current()->thing != first.thing);
    QVERIFY(selection.current()->path.ends_with(".base.velocity"));
    QCOMPARE(table.model()->index(table.currentIndex().row(), 0).data().toString(),
             QString::number(selection.current()->thing->id));
    QVERIFY(opened.window.scene().options().selected == selection.current()->thing);
    const auto chosen = selection.current();
    opened.key(Qt::Key_End);
    QVERIFY(opened.shows(59));
    QVERIFY(selection.current()->thing == chosen->thing);
    QCOMPARE(path_in_tree(), selection.current()->path);
}

void ClicksTest::hides_a_channel_by_its_box()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    opened.window.findChild<QDockWidget*>(QStringLiteral("channels_dock"))->raise();
    auto& panel = *opened.window.findChild<ChannelPanel*>();
    auto* const row = panel.row_of(0);
    QVERIFY(row != nullptr && QTest::qWaitFor([&] { return panel.isVisible(); }));
    QVERIFY(!opened.window.viewer().snapshot()->picture->layers.empty());
    const auto place = panel.visualItemRect(row);
    QTest::mouseClick(panel.viewport(), Qt::LeftButton, {}, {place.left() + 8, place.center().y()});
    QVERIFY(!opened.window.viewer().session().channels()->front().shown);
    const auto is_empty = [&] {
        const auto& picture = *opened.window.viewer().snapshot()->picture;
        return picture.clouds.empty() && std::all_of(picture.layers.begin(), picture.layers.end(),
                                                     [](const auto& each) { return each->things.empty(); });
    };
    QVERIFY(QTest::qWaitFor(is_empty, patience_ms));
    QVERIFY(opened.window.viewer().snapshot()->channels.front().frame);
}

void ClicksTest::a_click_on_the_legend_hides_a_kind()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& scene = opened.window.scene();
    if (is_legend_folded(scene.state(), scene.size()))
        QTest::mouseClick(&scene, Qt::LeftButton, {}, legend_head(scene.state(), scene.size()).center().toPoint());
    const auto place = [&] {
        for (const auto& row : legend_rows(scene.state(), scene.size()))
            if (row.category == Category::moving_object) return row.area.center().toPoint();
        return QPoint();
    }();
    QVERIFY(!place.isNull());
    const auto with = scene.grab().toImage();
    QTest::mouseClick(&scene, Qt::LeftButton, {}, place);
    QVERIFY(opened.settle());
    QVERIFY(!scene.options().shows(Category::moving_object));
    QVERIFY(!opened.window.viewer().selection().current());  // the click did not select the object behind the legend
    QVERIFY(scene.grab().toImage() != with);
    QTest::mouseClick(&scene, Qt::LeftButton, {}, place);
    QVERIFY(opened.settle());
    QCOMPARE(scene.grab().toImage(), with);
}

void ClicksTest::a_click_on_a_type_of_lane_hides_that_alone()
{
    Opened opened(file_);
    QVERIFY(opened.ready);
    auto& scene = opened.window.scene();
    opened.window.resize(1280, 1000);
    QTest::mouseClick(&scene, Qt::LeftButton, {}, legend_head(scene.state(), scene.size()).center().toPoint());
    if (is_legend_folded(scene.state(), scene.size()))
        QTest::mouseClick(&scene, Qt::LeftButton, {}, legend_head(scene.state(), scene.size()).center().toPoint());
    const auto rows = [&] { return legend_rows(scene.state(), scene.size()); };
    const auto type = [&]() -> std::optional<LegendRow> {
        for (const auto& row : rows())
            if (row.type == Look::lane_biking) return row;
        return std::nullopt;
    };
    QVERIFY(type());
    const auto count = rows().size();
    const auto place = type()->area.center().toPoint();
    QVERIFY(opened.settle());
    const auto with = scene.grab().toImage();
    QTest::mouseClick(&scene, Qt::LeftButton, {}, place);
    QVERIFY(opened.settle());
    QVERIFY(scene.options().shows(Category::lane) && !scene.options().shows_lane_type(Look::lane_biking));
    QVERIFY(!is_shown(*type(), scene.options()));
    QCOMPARE(rows().size(), count);  // nothing moves under the mouse
    QCOMPARE(type()->area.center().toPoint(), place);
    QVERIFY(scene.grab().toImage() != with);
    auto restored = RenderOptions();
    apply_layout(opened.window.layout_now(), restored);
    QVERIFY(!restored.shows_lane_type(Look::lane_biking) && restored.shows_lane_type(Look::lane_driving));
    QTest::mouseClick(&scene, Qt::LeftButton, {}, place);
    QVERIFY(opened.settle());
    QCOMPARE(scene.grab().toImage(), with);
}

OSIVIEW_TEST(ClicksTest, QApplication)
#include "clicks_test.moc"
