// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>

#include <ositrace/field_path.hpp>
#include <ositrace/picture_maker.hpp>

#include "gui/objects/inspector.hpp"
#include "gui/objects/object_panel.hpp"
#include "tests/gui/snapshots.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

Thing thing(Category category, std::uint64_t id, float x, std::string type)
{
    Thing made;
    made.key = {0, category, id};
    made.centre = {x, 0, 0};
    made.velocity = {{3, 4, 0}};
    made.size = {4.5F, 1.8F, 1.5F};
    made.path = "moving_object[" + std::to_string(id) + "]";
    made.type = std::move(type);
    return made;
}

std::shared_ptr<const gui::Snapshot> snapshot(std::vector<Thing> things)
{
    return snapshot_of({}, picture_of_things(std::move(things)));
}

std::vector<Thing> street()
{
    return {thing(Category::host, 1, 0, "car"), thing(Category::moving_object, 12, 100, "bus"),
            thing(Category::moving_object, 7, 20, "car"), thing(Category::lane, 3, 5, "driving")};
}

QStringList column(const QTableView& view, int number)
{
    QStringList texts;
    for (int row = 0; row != view.model()->rowCount(); ++row)
        texts += view.model()->index(row, number).data().toString();
    return texts;
}

/// Ground truth of the sample scene with its picture, as the window gets it.
class DrawnScene {
public:
    std::shared_ptr<gui::Snapshot> at(std::uint64_t number)
    {
        auto shown = channel_.snapshot(number);
        const auto& first = shown->channels.front();
        const PictureSource source{.frame = &*first.frame, .channel = first.channel.get()};
        shown->picture = maker_.make({&source, 1});
        return shown;
    }

private:
    SceneChannel channel_{small_scene()};
    PictureMaker maker_;
};

MessageView message_of(const gui::Snapshot& shown)
{
    const auto& first = shown.channels.front();
    return {first.frame->bytes, *first.channel->root, first.channel->format};
}

/// By its id, as `osiconvert cat` finds it.
double read(const gui::Snapshot& shown, std::uint64_t id, const std::string& field)
{
    const auto view = message_of(shown);
    const auto path = FieldPath::compile(view.table(), "moving_object[id=" + std::to_string(id) + "]." + field);
    return as_real(path.get(view)).value();
}

void answer_menu(const QString& name, const QString& text)
{
    QTimer::singleShot(0, qApp, [name, text] {
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr && menu->objectName() == name);
        for (auto* const action : menu->actions()) {
            if (action->text() != text) continue;
            menu->setActiveAction(action);
            QTest::keyClick(menu, Qt::Key_Return);
            return;
        }
        menu->close();
        QFAIL("the menu has no such entry");
    });
}

void open_menu(QWidget& widget, QPoint at)
{
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget.mapToGlobal(at));
    QApplication::sendEvent(&widget, &event);
}

/// The entries of the menu of a row, which is closed.
QStringList menu_of_row(QTableView& view, std::uint64_t id)
{
    QStringList entries;
    QTimer::singleShot(0, qApp, [&entries] {
        auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (menu == nullptr) return;
        for (auto* const action : menu->actions())
            if (action->text().startsWith("Plot ") || action->text().startsWith("Show ")) entries += action->text();
        menu->close();
    });
    const auto first = view.model()->index(0, ObjectTableModel::id);
    const auto row = view.model()->match(first, Qt::DisplayRole, QString::number(id), 1, Qt::MatchExactly).value(0);
    view.setCurrentIndex(row);
    view.scrollTo(row);
    open_menu(*view.viewport(), view.visualRect(row).center());
    return entries;
}

/// The value of a row of the inspector; empty: there is no such row.
QString inspected(const ObjectPanel& panel, const QString& name)
{
    auto* const rows = panel.findChild<QTreeWidget*>("inspected");
    for (int i = 0; i != rows->topLevelItemCount(); ++i)
        if (rows->topLevelItem(i)->text(0) == name) return rows->topLevelItem(i)->text(1);
    return {};
}

}  // namespace

class ObjectPanelTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void shows_road_users_by_distance();
    void several_channels_have_a_column();
    void a_host_has_a_column();
    void what_the_message_does_not_say_is_blank();
    void things_with_the_same_id_have_a_row_each();
    void sorts_numbers_as_numbers();
    void filters_by_words_and_category();
    void shares_the_selection();
    void a_thing_that_goes_selects_no_other();
    void a_double_click_asks_for_focus();
    void keeps_rows_while_time_goes_on();
    void thousands_of_objects_go_on_without_a_block();
    void a_field_of_the_message_is_a_column();
    void columns_are_chosen_in_the_header();
    void columns_are_kept();
    void ids_stay_while_columns_are_scrolled();
    void shows_the_selected_object_at_a_glance();
    void compares_with_the_chosen_object();
    void a_field_of_the_inspector_is_selected();
    void the_menu_of_a_row_offers_what_the_object_has();

private:
    /// What a layout stores.
    static QJsonObject columns(const QStringList& hidden, const QStringList& fields)
    {
        return {{"object_columns_hidden", QJsonArray::fromStringList(hidden)},
                {"object_fields", QJsonArray::fromStringList(fields)}};
    }
    [[nodiscard]] QJsonObject saved_columns() const
    {
        QJsonObject layout;
        panel_->save(layout);
        return layout;
    }
    void show_channels(const OpenChannels& channels)
    {
        panel_->show_times(std::make_shared<const OpenChannels>(channels));
    }

    std::unique_ptr<Selection> selection_;
    std::unique_ptr<ObjectPanel> panel_;
};

void ObjectPanelTest::init()
{
    selection_ = std::make_unique<Selection>();
    panel_ = std::make_unique<ObjectPanel>(*selection_);
    panel_->resize(900, 300);
    panel_->show();
    panel_->show_snapshot(snapshot(street()));
}

void ObjectPanelTest::cleanup()
{
    panel_.reset();
    selection_.reset();
}

void ObjectPanelTest::shows_road_users_by_distance()
{
    QCOMPARE(column(panel_->view(), ObjectTableModel::id), (QStringList{"1", "7", "12"}));
    QCOMPARE(column(panel_->view(), ObjectTableModel::distance), (QStringList{"0.0", "20.0", "100.0"}));
    QCOMPARE(column(panel_->view(), ObjectTableModel::speed), (QStringList{"5.00", "5.00", "5.00"}));
    QCOMPARE(column(panel_->view(), ObjectTableModel::speed_km_h), (QStringList{"18.0", "18.0", "18.0"}));
    QCOMPARE(column(panel_->view(), ObjectTableModel::box_length), (QStringList{"4.50", "4.50", "4.50"}));
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        panel_->grab().save(path + "/objects.png");
}

void ObjectPanelTest::several_channels_have_a_column()
{
    QVERIFY(panel_->view().isColumnHidden(ObjectTableModel::channel));
    auto things = street();
    things[1].key.source = 1;
    panel_->show_snapshot(snapshot(things));
    OpenChannels channels(2);
    channels[0].name = "truth";
    channels[1].name = "seen";
    show_channels(channels);
    QVERIFY(!panel_->view().isColumnHidden(ObjectTableModel::channel));
    QCOMPARE(column(panel_->view(), ObjectTableModel::channel), (QStringList{"truth", "truth", "seen"}));
    QCOMPARE(panel_->view().model()->index(0, ObjectTableModel::channel).data(Qt::ToolTipRole).toString(),
             "truth\nmoving_object[1]");
    panel_->view().sortByColumn(ObjectTableModel::channel, Qt::AscendingOrder);
    QCOMPARE(column(panel_->view(), ObjectTableModel::channel), (QStringList{"seen", "truth", "truth"}));
    panel_->findChild<QLineEdit*>("object_words")->setText("seen");
    QCOMPARE(column(panel_->view(), ObjectTableModel::id), QStringList{"12"});
    channels.pop_back();
    show_channels(channels);
    QVERIFY(panel_->view().isColumnHidden(ObjectTableModel::channel));
}

void ObjectPanelTest::a_host_has_a_column()
{
    QVERIFY(!panel_->view().isColumnHidden(ObjectTableModel::distance));
    ObjectPanel panel(*selection_);
    panel.show_snapshot(snapshot({thing(Category::moving_object, 1, 1, "car")}));
    QVERIFY(panel.view().isColumnHidden(ObjectTableModel::distance));
    panel.show_snapshot(snapshot(street()));
    QVERIFY(!panel.view().isColumnHidden(ObjectTableModel::distance));
    panel.show_times(std::make_shared<const OpenChannels>());
    QVERIFY(panel.view().isColumnHidden(ObjectTableModel::distance));
}

void ObjectPanelTest::what_the_message_does_not_say_is_blank()
{
    auto unset = thing(Category::host, 0, 0, "car"), broken = thing(Category::moving_object, 1, 1, "car"),
         far = thing(Category::moving_object, 2, 2, "car");
    unset.velocity.reset();
    unset.has_id = unset.has_size = false;
    broken.velocity = {{std::nan(""), 0, 0}};
    far.velocity = {{std::numeric_limits<double>::infinity(), 0, 0}};
    panel_->show_snapshot(snapshot({unset, broken, far}));
    QCOMPARE(column(panel_->view(), ObjectTableModel::id), (QStringList{"", "1", "2"}));
    QCOMPARE(column(panel_->view(), ObjectTableModel::speed), (QStringList{"", "nan", "inf"}));
    QCOMPARE(column(panel_->view(), ObjectTableModel::speed_km_h), (QStringList{"", "nan", "inf"}));
    QCOMPARE(column(panel_->view(), ObjectTableModel::box_length), (QStringList{"", "4.50", "4.50"}));
}

void ObjectPanelTest::things_with_the_same_id_have_a_row_each()
{
    std::vector<Thing> things(5, thing(Category::moving_object, 7, 0, "car"));
    for (std::uint32_t i = 0; i != things.size(); ++i) {
        things[i].key.ordinal = i;
        things[i].path = "moving_object[" + std::to_string(i) + "]";
    }
    panel_->show_snapshot(snapshot(things));
    QCOMPARE(panel_->view().model()->rowCount(), 5);
    panel_->view().setCurrentIndex(panel_->view().model()->index(3, 0));
    QVERIFY(selection_->current()->thing == things[3].key);
    QCOMPARE(selection_->current()->path, things[3].path);
}

void ObjectPanelTest::sorts_numbers_as_numbers()
{
    panel_->view().sortByColumn(ObjectTableModel::id, Qt::DescendingOrder);
    QCOMPARE(column(panel_->view(), ObjectTableModel::id), (QStringList{"12", "7", "1"}));
    panel_->view().sortByColumn(ObjectTableModel::x, Qt::AscendingOrder);
    QCOMPARE(column(panel_->view(), ObjectTableModel::x), (QStringList{"0.00", "20.00", "100.00"}));
}

void ObjectPanelTest::filters_by_words_and_category()
{
    auto* const category = panel_->findChild<QComboBox*>("object_category");
    category->setCurrentIndex(0);
    emit category->activated(0);
    QCOMPARE(panel_->view().model()->rowCount(), 4);
    auto* const words = panel_->findChild<QLineEdit*>("object_words");
    QTest::keyClicks(words, "CAR 7");
    QCOMPARE(column(panel_->view(), ObjectTableModel::id), QStringList{"7"});
    words->clear();
    const int lanes = category->findData(static_cast<int>(Category::lane));
    QVERIFY(lanes > 0);
    category->setCurrentIndex(lanes);
    emit category->activated(lanes);
    QCOMPARE(column(panel_->view(), ObjectTableModel::type), QStringList{"driving"});
}

void ObjectPanelTest::shares_the_selection()
{
    QTest::mouseClick(panel_->view().viewport(), Qt::LeftButton, {},
                      panel_->view().visualRect(panel_->view().model()->index(1, 0)).center());
    QVERIFY(selection_->current() && selection_->current()->thing == (ThingKey{0, Category::moving_object, 7}));
    QCOMPARE(selection_->current()->path, std::string("moving_object[7]"));
    selection_->select({ThingKey{0, Category::moving_object, 12}, 0, "moving_object[12].base"});
    QCOMPARE(panel_->view().currentIndex().row(), 2);
    QCOMPARE(selection_->current()->path, std::string("moving_object[12].base"));
    selection_->clear();
    QVERIFY(!panel_->view().currentIndex().isValid());
}

void ObjectPanelTest::a_thing_that_goes_selects_no_other()
{
    const ThingKey bus{0, Category::moving_object, 12};
    selection_->select({bus, 0, "moving_object[12]"});
    auto things = street();
    things.erase(things.begin() + 1);
    panel_->show_snapshot(snapshot(things));
    QVERIFY(selection_->current()->thing == bus);
    QVERIFY(!panel_->view().currentIndex().isValid());
    panel_->show_snapshot(snapshot(street()));
    QCOMPARE(panel_->view().currentIndex().row(), 2);
    QTest::keyClicks(panel_->findChild<QLineEdit*>("object_words"), "car");
    QVERIFY(selection_->current()->thing == bus);
}

void ObjectPanelTest::a_double_click_asks_for_focus()
{
    std::vector<ThingKey> asked;
    connect(panel_.get(), &ObjectPanel::focus_requested, this, [&](const ThingKey& key) { asked.push_back(key); });
    const auto place = panel_->view().visualRect(panel_->view().model()->index(0, 0)).center();
    QTest::mouseClick(panel_->view().viewport(), Qt::LeftButton, {}, place);
    QTest::mouseDClick(panel_->view().viewport(), Qt::LeftButton, {}, place);
    QCOMPARE(asked.size(), std::size_t{1});
    QVERIFY(asked[0] == (ThingKey{0, Category::host, 1}));
}

void ObjectPanelTest::keeps_rows_while_time_goes_on()
{
    ObjectTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    const auto before = snapshot(street());
    model.show(before);
    const QPersistentModelIndex car = model.index(model.row_of({0, Category::moving_object, 7}), ObjectTableModel::x);
    auto things = street();
    things.erase(things.begin() + 1);
    things[1].centre[0] = 21;
    things.push_back(thing(Category::moving_object, 99, 30, "truck"));
    model.show(snapshot(things));
    QVERIFY(car.isValid());
    QCOMPARE(car.data().toString(), "21.00");
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.row_of({0, Category::moving_object, 12}), -1);
    QCOMPARE(reset.count(), 0);
    for (std::uint64_t id = 1000; id != 2000; ++id) things.push_back(thing(Category::lane, id, 0, "driving"));
    model.show(snapshot(things));
    QCOMPARE(model.rowCount(), 1004);
    model.show(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

/// What a pause of a busy machine takes does not count: the best of five.
void ObjectPanelTest::thousands_of_objects_go_on_without_a_block()
{
    const auto at = [](float time) {
        std::vector<Thing> things{thing(Category::host, 0, 0, "car")};
        for (std::uint64_t id = 1; id != 5000; ++id) {
            const auto way = static_cast<float>(id % 100) * time;
            things.push_back(thing(Category::moving_object, id, static_cast<float>(id % 977) + way, "car"));
        }
        return snapshot(std::move(things));
    };
    panel_->show_snapshot(at(0));
    QCOMPARE(panel_->view().model()->rowCount(), 5000);
    selection_->select({ThingKey{0, Category::moving_object, 4711}, 0, "moving_object[4711]"});
    auto best = std::chrono::nanoseconds::max();
    for (int i = 1; i <= 5; ++i) {
        const auto next = at(0.1F * static_cast<float>(i));
        QElapsedTimer timer;
        timer.start();
        panel_->show_snapshot(next);
        panel_->view().viewport()->repaint();
        best = std::min(best, std::chrono::nanoseconds(timer.nsecsElapsed()));
    }
    qInfo("5000 objects that move: %.1f ms", std::chrono::duration<double, std::milli>(best).count());
#ifndef OSITRACE_TEST_SANITIZED
    QVERIFY(best < std::chrono::milliseconds(50));
#endif
    const auto distances = column(panel_->view(), ObjectTableModel::distance);
    QVERIFY(std::ranges::is_sorted(distances, {}, [](const QString& text) { return text.toDouble(); }));
    QCOMPARE(panel_->view().currentIndex().siblingAtColumn(0).data().toString(), "4711");
}

void ObjectPanelTest::a_field_of_the_message_is_a_column()
{
    DrawnScene scene;
    const auto shown = scene.at(3);
    panel_->show_snapshot(shown);
    panel_->restore(columns({}, {"base.acceleration.x", "type", "assigned_lane_id[*].value", "absent.field"}));
    auto& view = panel_->view();
    QCOMPARE(view.model()->columnCount(), ObjectTableModel::column_count + 4);
    const auto header = [&](int place) {
        return view.model()->headerData(ObjectTableModel::column_count + place, Qt::Horizontal).toString();
    };
    QCOMPARE(header(0), QStringLiteral("base.acceleration.x [m/s^2]"));
    QCOMPARE(header(1), QStringLiteral("type"));
    view.sortByColumn(ObjectTableModel::column_count, Qt::AscendingOrder);
    double before = -std::numeric_limits<double>::infinity();
    for (int row = 0; row != view.model()->rowCount(); ++row) {
        const auto cell = [&](int place) {
            return view.model()->index(row, ObjectTableModel::column_count + place).data().toString();
        };
        const auto id = view.model()->index(row, ObjectTableModel::id).data().toString().toULongLong();
        const double acceleration = read(*shown, id, "base.acceleration.x");
        QCOMPARE(cell(0), QString::number(acceleration, 'g', 6));
        QVERIFY(acceleration >= before);
        before = acceleration;
        QVERIFY2(cell(1).startsWith("TYPE_"), qPrintable(cell(1)));
        QCOMPARE(cell(3), QString());
    }
    QVERIFY(view.model()->rowCount() >= 3);
}

void ObjectPanelTest::columns_are_chosen_in_the_header()
{
    DrawnScene scene;
    panel_->show_snapshot(scene.at(0));
    auto& header = *panel_->view().horizontalHeader();
    QTimer::singleShot(50, qApp, [] {
        auto* const dialog = QApplication::activeModalWidget();
        QVERIFY(dialog != nullptr && dialog->objectName() == "field_chooser");
        QTest::keyClicks(dialog->findChild<QLineEdit*>("field_words"), "brake_light");
        auto* const found = dialog->findChild<QListWidget*>("field_list");
        QCOMPARE(found->count(), 1);
        QTest::keyClick(dialog, Qt::Key_Return);
    });
    answer_menu("column_menu", "Add a field...");
    open_menu(*header.viewport(), {5, 5});
    const QString path("vehicle_classification.light_state.brake_light_state");
    QTRY_COMPARE(saved_columns(), columns({}, {path}));
    const int last = panel_->view().model()->columnCount() - 1;
    QVERIFY(column(panel_->view(), last).join(' ').contains("BRAKE_LIGHT_STATE_"));

    answer_menu("column_menu", "z [m]");
    open_menu(*header.viewport(), {5, 5});
    QVERIFY(panel_->view().isColumnHidden(ObjectTableModel::z));
    QCOMPARE(saved_columns(), columns({"z"}, {path}));

    answer_menu("column_menu", "Remove " + path);
    panel_->view().scrollTo(panel_->view().model()->index(0, last));
    open_menu(*header.viewport(), {header.sectionViewportPosition(last) + 5, 5});
    QCOMPARE(saved_columns(), columns({"z"}, {}));
    QCOMPARE(panel_->view().model()->columnCount(), int(ObjectTableModel::column_count));
}

void ObjectPanelTest::columns_are_kept()
{
    const auto kept = columns({"x", "height"}, {"base.velocity.x", "id.value"});
    panel_->restore(kept);
    QCOMPARE(saved_columns(), kept);
    QVERIFY(panel_->view().isColumnHidden(ObjectTableModel::box_height));
    panel_->restore(columns({"no column"}, {}));
    QCOMPARE(saved_columns(), columns({}, {}));
    panel_->restore({{"object_columns_hidden", "x"}, {"object_fields", QJsonArray{7, "", QJsonObject(), "absent"}}});
    QCOMPARE(saved_columns(), columns({}, {"absent"}));
}

void ObjectPanelTest::ids_stay_while_columns_are_scrolled()
{
    panel_->show_snapshot(snapshot(street()));
    panel_->resize(220, 400);
    panel_->show();
    auto& view = panel_->view();
    QVERIFY(QTest::qWaitFor([&] { return view.horizontalScrollBar()->maximum() > 0; }));
    QVERIFY(!view.verticalHeader()->isVisible());
    view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->maximum());
    QVERIFY(view.verticalHeader()->isVisible());
    for (int row = 0; row != view.model()->rowCount(); ++row)
        QCOMPARE(view.model()->headerData(row, Qt::Vertical).toString(),
                 view.model()->index(row, ObjectTableModel::id).data().toString());
    view.sortByColumn(ObjectTableModel::x, Qt::DescendingOrder);
    QCOMPARE(view.model()->headerData(0, Qt::Vertical).toString(), QStringLiteral("12"));
    view.horizontalScrollBar()->setValue(0);
    QVERIFY(!view.verticalHeader()->isVisible());
}

void ObjectPanelTest::shows_the_selected_object_at_a_glance()
{
    DrawnScene scene;
    const auto shown = scene.at(4);
    panel_->show_snapshot(shown);
    OpenChannels channels(1);
    channels[0].name = "truth";
    show_channels(channels);
    const auto& other = panel_->model().thing(panel_->model().row_of(shown->picture->host->key) == 0 ? 1 : 0);
    selection_->select({other.key, 0, other.path});
    const auto id = other.key.id;
    const double vx = read(*shown, id, "base.velocity.x"), vy = read(*shown, id, "base.velocity.y");
    QVERIFY2(inspected(*panel_, "speed").startsWith(QString::number(std::hypot(vx, vy), 'f', 2) + " m/s"),
             qPrintable(inspected(*panel_, "speed")));
    const double yaw = read(*shown, id, "base.orientation.yaw");
    const double ahead = std::cos(yaw) * read(*shown, id, "base.acceleration.x") +
                         std::sin(yaw) * read(*shown, id, "base.acceleration.y");
    QVERIFY2(inspected(*panel_, "acceleration").startsWith(QString::number(ahead, 'f', 2) + " m/s"),
             qPrintable(inspected(*panel_, "acceleration")));
    QVERIFY(inspected(*panel_, "heading").startsWith(QString::number(yaw * 180 / M_PI, 'f', 1)));
    QCOMPARE(inspected(*panel_, "type"), QString::fromStdString(other.type));
    QCOMPARE(inspected(*panel_, "channel"), QStringLiteral("truth"));
    const auto& host = *shown->picture->host;
    const auto distance =
        static_cast<double>(std::hypot(other.centre[0] - host.centre[0], other.centre[1] - host.centre[1]));
    QCOMPARE(inspected(*panel_, "distance"), QString::number(distance, 'f', 2) + " m");
    QVERIFY(!inspected(*panel_, "gap").isEmpty() && !inspected(*panel_, "time to contact").isEmpty());
    QVERIFY(inspected(*panel_, "gap").section(' ', 0, 0).toDouble() < distance);
    QVERIFY(!inspected(*panel_, "lamps").isEmpty());
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        panel_->grab().save(path + "/inspector.png");
    // In a narrow panel a long value has a second line.
    auto* const rows = panel_->findChild<QTreeWidget*>("inspected");
    const auto height_of_speed = [&] {
        for (int i = 0; i != rows->topLevelItemCount(); ++i)
            if (rows->topLevelItem(i)->text(0) == "speed") return rows->visualItemRect(rows->topLevelItem(i)).height();
        return 0;
    };
    panel_->resize(700, 600);
    QTRY_COMPARE(height_of_speed(), rows->visualItemRect(rows->topLevelItem(0)).height());
    const auto one_line = height_of_speed();
    panel_->resize(200, 600);
    QTRY_VERIFY(height_of_speed() > one_line + one_line / 2);
    selection_->select({host.key, 0, host.path});
    QVERIFY(inspected(*panel_, "gap").isEmpty());  // to itself
    selection_->clear();
    QVERIFY(inspected(*panel_, "type").isEmpty());
}

void ObjectPanelTest::compares_with_the_chosen_object()
{
    panel_->show_snapshot(snapshot(street()));
    const ThingKey bus{0, Category::moving_object, 12}, car{0, Category::moving_object, 7};
    selection_->select({car, 0, "moving_object[7]"});
    QCOMPARE(inspected(*panel_, "distance"), QStringLiteral("20.00 m"));
    QCOMPARE(inspected(*panel_, "gap"), QStringLiteral("15.50 m"));
    QVERIFY(inspected(*panel_, "closing speed").isEmpty());  // they are not on one path
    QCOMPARE(inspected(*panel_, "time to contact"), QStringLiteral("never"));
    auto& view = panel_->view();
    const auto row = view.model()->match(view.model()->index(0, ObjectTableModel::id), Qt::DisplayRole, "12").value(0);
    answer_menu("row_menu", "Compare others with it");
    open_menu(*view.viewport(), view.visualRect(row).center());
    QVERIFY(panel_->inspector().other() == bus);
    QCOMPARE(inspected(*panel_, "distance"), QStringLiteral("80.00 m"));
    QCOMPARE(inspected(*panel_, "gap"), QStringLiteral("75.50 m"));
    auto* const others = panel_->findChild<QComboBox*>("inspected_other");
    QVERIFY(others->currentText().startsWith("to "));
    QTest::keyClick(others, Qt::Key_Home);  // the host
    emit others->activated(0);
    QVERIFY(!panel_->inspector().other());
    QCOMPARE(inspected(*panel_, "distance"), QStringLiteral("20.00 m"));
}

void ObjectPanelTest::the_menu_of_a_row_offers_what_the_object_has()
{
    DrawnScene scene;
    panel_->show_snapshot(scene.at(0));
    QSignalSpy states(panel_.get(), &ObjectPanel::states_requested);
    auto& view = panel_->view();
    const auto of_car = menu_of_row(view, 2);
    for (const auto* const entry :
         {"Plot speed of moving object 2", "Plot speed of every moving object",
          "Plot distance of moving object 2 to moving object 1",
          "Plot distance of every moving object to moving object 1", "Plot amount of acceleration of moving object 2"})
        QVERIFY2(of_car.contains(entry), qPrintable(of_car.join('\n')));
    QVERIFY(!of_car.contains("Show colours and modes over time"));

    auto& kinds = *panel_->findChild<QComboBox*>("object_category");
    kinds.setCurrentIndex(kinds.findText("traffic lights"));
    emit kinds.activated(kinds.currentIndex());
    const auto of_light = menu_of_row(view, 12001);
    QVERIFY(of_light.contains("Plot position.x of traffic light 12001"));
    QVERIFY2(of_light.filter(QRegularExpression("speed|acceleration|every moving")).isEmpty(),
             qPrintable(of_light.join('\n')));
    answer_menu("row_menu", "Show colours and modes over time");
    open_menu(*view.viewport(), view.visualRect(view.currentIndex()).center());
    QStringList fields;
    for (const auto& each : states) fields += QString::fromStdString(each[1].value<std::string>()).section('.', 1);
    QCOMPARE(fields, (QStringList{"classification.color", "classification.mode"}));
}

void ObjectPanelTest::a_field_of_the_inspector_is_selected()
{
    DrawnScene scene;
    panel_->show_snapshot(scene.at(0));
    const auto& first = panel_->model().thing(0);
    selection_->select({first.key, 0, first.path});
    auto* const rows = panel_->findChild<QTreeWidget*>("inspected");
    QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
    QTRY_VERIFY(rows->isVisible() && rows->viewport()->height() > rows->fontMetrics().height());
    for (int i = 0; i != rows->topLevelItemCount(); ++i) {
        auto* const item = rows->topLevelItem(i);
        if (item->text(0) != "speed") continue;
        rows->scrollToItem(item);
        QTest::mouseClick(rows->viewport(), Qt::LeftButton, {}, rows->visualItemRect(item).center());
    }
    QCOMPARE(selection_->current()->path, first.path + ".base.velocity");
}

OSIVIEW_TEST(ObjectPanelTest, QApplication)
#include "object_panel_test.moc"
