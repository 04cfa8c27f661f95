// SPDX-License-Identifier: MPL-2.0
#include <QSignalSpy>
#include <QTest>

#include "gui/selection/selection.hpp"
#include "tests/gui/snapshots.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

Thing lane(std::uint64_t id, std::string path)
{
    Thing thing;
    thing.key = {0, Category::lane, id};
    thing.path = std::move(path);
    return thing;
}

std::shared_ptr<const Picture> with_cloud(const std::string& path)
{
    auto picture = std::make_shared<Picture>(*picture_of_things({lane(5, "lane[1]"), lane(6, "lane[12]")}));
    auto cloud = std::make_shared<Cloud>();
    cloud->key = {0, Category::lidar_reflection, 2};
    cloud->path = path;
    picture->clouds.push_back(cloud);
    return picture;
}

}  // namespace

class SelectionTest : public QObject {
    Q_OBJECT

private slots:
    void says_only_what_changed();
    void a_path_names_its_thing();
    void follows_its_thing();
};

void SelectionTest::says_only_what_changed()
{
    Selection selection;
    const QSignalSpy changed(&selection, &Selection::changed);
    selection.clear();
    selection.select({{}, 0, "timestamp"});
    selection.select({{}, 0, "timestamp"});
    QCOMPARE(changed.count(), 1);
    selection.clear();
    QCOMPARE(changed.count(), 2);
}

void SelectionTest::a_path_names_its_thing()
{
    const auto picture = with_cloud("lidar_sensor_view[0].reflection");
    QCOMPARE(thing_at(*picture, 0, "lane[1]")->id, 5u);
    QCOMPARE(thing_at(*picture, 0, "lane[12].id.value")->id, 6u);
    QCOMPARE(thing_at(*picture, 0, "lidar_sensor_view[0].reflection[7].signal_strength")->id, 2u);
    QVERIFY(!thing_at(*picture, 0, "lane[123]"));
    QVERIFY(!thing_at(*picture, 0, "lane"));
    QVERIFY(!thing_at(*picture, 1, "lane[1]"));
    QVERIFY(!thing_at(*picture, 0, ""));
}

void SelectionTest::follows_its_thing()
{
    Selection selection;
    selection.select({ThingKey{0, Category::lane, 6}, 0, "lane[3].classification.type"});
    selection.follow(*with_cloud(""));
    QCOMPARE(selection.current()->path, std::string("lane[12].classification.type"));
    selection.follow(*picture_of_things({}));
    QCOMPARE(selection.current()->path, std::string("lane[12].classification.type"));
    selection.select({ThingKey{0, Category::lidar_reflection, 2}, 0, "lidar_sensor_view[0].reflection[7]"});
    selection.follow(*with_cloud("lidar_sensor_view[1].reflection"));
    QCOMPARE(selection.current()->path, std::string("lidar_sensor_view[1].reflection[7]"));
}

OSIVIEW_TEST(SelectionTest, QApplication)
#include "selection_test.moc"
