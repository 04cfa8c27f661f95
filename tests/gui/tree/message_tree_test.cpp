// SPDX-License-Identifier: MPL-2.0
#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "gui/tree/message_tree_model.hpp"
#include "tests/formats/wire_message.hpp"
#include "tests/gui/snapshots.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

QString text(const MessageTreeModel& model, const QModelIndex& index, int column = MessageTreeModel::value_column)
{
    return model.data(index.siblingAtColumn(column)).toString();
}

QString value_at(MessageTreeModel& model, std::string_view path)
{
    const auto index = model.find(0, path);
    if (model.node(index).path() != path) return QStringLiteral("not there");
    return text(model, index);
}

/// Of item models; the tester must not open rows itself, within signals of the model.
struct Rules {
    explicit Rules(MessageTreeModel& model) : tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest)
    {
        tester.setUseFetchMore(false);
    }
    QAbstractItemModelTester tester;
};

/// All rows, opened to the last, as text.
QString everything(MessageTreeModel& model, const QModelIndex& parent = {}, const QString& indent = {})
{
    QString all;
    model.fetchMore(parent);
    for (int row = 0; row != model.rowCount(parent); ++row) {
        const auto index = model.index(row, 0, parent);
        const bool is_channel = !parent.isValid();
        all += indent + text(model, index, 0) + " = " + (is_channel ? QString() : text(model, index)) + ' ' +
               text(model, index, 2) + ' ' + text(model, index, 3) + '\n';
        if (model.content(index).state == NodeContent::State::set) all += everything(model, index, indent + "  ");
    }
    return all;
}

std::string bytes_field(std::uint32_t number, const std::string& bytes)
{
    return by_hand::Message().text(number, bytes).str();
}

/// A SensorView with one lidar and so many reflections.
std::string lidar_view(int reflections)
{
    std::string elements;
    for (int i = 0; i != reflections; ++i)
        elements += bytes_field(2, std::string("\x09\x00\x00\x00\x00\x00\x00\x24\x40", 9));  // signal_strength: 10
    const auto number = Schema::built_in()->root(MessageType::sensor_view).find("lidar_sensor_view")->number;
    return bytes_field(number, elements);
}

}  // namespace

class MessageTreeTest : public QObject {
    Q_OBJECT

private slots:
    void keeps_the_rules_of_item_models();
    void makes_no_row_before_its_parent_is_opened();
    void shows_the_same_in_both_encodings();
    void shows_every_field_of_the_schema();
    void names_enums_and_shows_unknown_numbers();
    void counts_fields_that_the_schema_does_not_know();
    void shows_what_is_not_finite();
    void shows_bytes_and_strings_on_one_line();
    void says_in_the_row_what_is_broken();
    void shows_a_broken_message_up_to_its_damage();
    void shows_a_broken_table_but_for_what_breaks();
    void says_why_a_channel_has_no_message();
    void puts_many_elements_into_buckets();
    void opens_a_frame_with_830000_reflections_at_once();
    void another_time_keeps_rows_and_changes_values();
    void elements_come_and_go_at_the_end();
    void hides_what_is_not_set();
    void finds_rows_by_path();
    void copies_values_and_messages();
    void shows_the_beginning_of_a_long_topic();
    void shows_the_beginning_of_long_names_of_a_schema();
};

void MessageTreeTest::keeps_the_rules_of_item_models()
{
    MessageTreeModel model;
    const Rules rules(model);
    auto options = small_scene(MessageType::ground_truth);
    options.static_data = StaticData::never;
    const SceneChannel scene(options);
    model.show(scene.snapshot(0));
    everything(model, model.find(0, "timestamp"));
    everything(model, model.find(0, "moving_object[0].base"));
    model.show(scene.snapshot(5));
    model.show_unset(false);
    model.show_unset(true);
    model.show(nullptr);
    QCOMPARE(model.rowCount(), 0);
}

void MessageTreeTest::makes_no_row_before_its_parent_is_opened()
{
    MessageTreeModel model;
    model.show(SceneChannel(small_scene()).snapshot(0));
    QCOMPARE(model.made_rows(), std::size_t{1});
    const auto channel = model.index(0, 0);
    QVERIFY(model.canFetchMore(channel));
    QVERIFY(model.hasChildren(channel));
    QCOMPARE(model.rowCount(channel), 0);
    model.fetchMore(channel);
    const auto fields = Schema::built_in()->root(MessageType::ground_truth).fields.size();
    QCOMPARE(model.made_rows(), 1 + fields);
    QVERIFY(!model.canFetchMore(channel));
}

void MessageTreeTest::shows_the_same_in_both_encodings()
{
    MessageTreeModel protobuf, flat;
    protobuf.show(SceneChannel(small_scene(MessageType::sensor_data)).snapshot(3));
    flat.show(SceneChannel(small_scene(MessageType::sensor_data), Encoding::flatbuffers).snapshot(3));
    const auto rows = everything(protobuf);
    QVERIFY(rows.size() > 100'000);
    QCOMPARE(everything(flat), rows);
}

void MessageTreeTest::shows_every_field_of_the_schema()
{
    MessageTreeModel model;
    model.show(SceneChannel(small_scene()).snapshot(0));
    const auto timestamp = model.find(0, "timestamp");
    QCOMPARE(text(model, timestamp), "(0, 0)");
    QCOMPARE(text(model, timestamp, MessageTreeModel::type_column), "Timestamp");
    QCOMPARE(value_at(model, "moving_object[0].base.base_polygon"), "");
    const auto unset = model.find(0, "moving_object[0].base.base_polygon");
    QCOMPARE(model.content(unset).state, NodeContent::State::unset);
    QVERIFY(model.data(unset, Qt::ForegroundRole).isValid());
    QVERIFY(!model.data(timestamp, Qt::ForegroundRole).isValid());
    if (documented_names() == 0) QSKIP("the comments of OSI could not be fetched");
    QCOMPARE(text(model, model.find(0, "moving_object[0].base.position.x"), MessageTreeModel::unit_column), "m");
    QCOMPARE(text(model, model.find(0, "moving_object[0].base.velocity.x"), MessageTreeModel::unit_column), "m/s");
    QVERIFY(model.data(model.find(0, "moving_object[0].base.velocity"), Qt::ToolTipRole)
                .toString()
                .contains("relative velocity"));
}

void MessageTreeTest::names_enums_and_shows_unknown_numbers()
{
    const auto number = [](std::string_view name) {
        return static_cast<char>(Schema::built_in()->find("osi3.MovingObject")->find(name)->number << 3);
    };
    const HandMadeChannel channel(MessageType::ground_truth);
    const auto objects = channel.channel()->root->find("moving_object")->number;
    MessageTreeModel model;
    model.show(snapshot_of({channel.shown(bytes_field(objects, std::string{number("type"), 2}) +
                                          bytes_field(objects, std::string{number("type"), 99}))}));
    QCOMPARE(value_at(model, "moving_object[0].type"), "TYPE_VEHICLE");
    QCOMPARE(value_at(model, "moving_object[1].type"), "99 (not in the schema)");
}

void MessageTreeTest::counts_fields_that_the_schema_does_not_know()
{
    const HandMadeChannel channel(MessageType::ground_truth);
    MessageTreeModel model;
    model.show(snapshot_of({channel.shown(bytes_field(2000, "ab") + bytes_field(2001, "c"))}));
    const auto root = model.index(0, 0);
    model.fetchMore(root);
    const auto last = model.index(model.rowCount(root) - 1, 0, root);
    QCOMPARE(text(model, last, 0), "unknown fields");
    QCOMPARE(text(model, last), "2, not in the schema");
    model.show(snapshot_of({channel.shown("")}));
    QCOMPARE(model.rowCount(root), static_cast<int>(channel.channel()->root->fields.size()));
}

void MessageTreeTest::shows_what_is_not_finite()
{
    const HandMadeChannel channel(MessageType::sensor_view);
    std::string reflection("\x09\x00\x00\x00\x00\x00\x00\xf8\x7f\x11\x00\x00\x00\x00\x00\x00\xf0\xff",
                           18);  // NaN, -infinity
    const auto lidar = channel.channel()->root->find("lidar_sensor_view")->number;
    MessageTreeModel model;
    model.show(snapshot_of({channel.shown(bytes_field(lidar, bytes_field(2, reflection)))}));
    QCOMPARE(value_at(model, "lidar_sensor_view[0].reflection[0].signal_strength"), "nan");
    QCOMPARE(value_at(model, "lidar_sensor_view[0].reflection[0].time_of_flight"), "-inf");
}

void MessageTreeTest::shows_bytes_and_strings_on_one_line()
{
    const HandMadeChannel channel(MessageType::sensor_view);
    const auto camera = channel.channel()->root->find("camera_sensor_view")->number;
    const auto image = Schema::built_in()->find("osi3.CameraSensorView")->find("image_data")->number;
    MessageTreeModel model;
    model.show(snapshot_of({channel.shown(bytes_field(camera, bytes_field(image, std::string("\x00\xff\x10", 3))))}));
    QCOMPARE(value_at(model, "camera_sensor_view[0].image_data"), "3 bytes: 00 ff 10");
    model.show(snapshot_of({channel.shown(bytes_field(camera, bytes_field(image, std::string(1'000'000, 'x'))))}));
    const auto shown = value_at(model, "camera_sensor_view[0].image_data");
    QVERIFY2(shown.startsWith(QStringLiteral("1\u202f000\u202f000 bytes: 78 78")), qPrintable(shown));
    QVERIFY(shown.size() < 250);

    const HandMadeChannel truth(MessageType::ground_truth);
    const auto map = truth.channel()->root->find("map_reference")->number;
    model.show(snapshot_of({truth.shown(bytes_field(map, std::string("a\nb\x01\xff", 5)))}));
    QCOMPARE(value_at(model, "map_reference"), QStringLiteral("a\u240ab\u2401\ufffd"));
}

void MessageTreeTest::says_in_the_row_what_is_broken()
{
    const HandMadeChannel channel(MessageType::ground_truth);
    const auto objects = channel.channel()->root->find("moving_object")->number;
    MessageTreeModel model;
    const Rules rules(model);
    const auto whole = bytes_field(objects, bytes_field(1, "\x08\x07"));
    model.show(snapshot_of({channel.shown(whole + bytes_field(objects, "\x0a\x7f"))}));
    QCOMPARE(value_at(model, "moving_object[0].id.value"), "7");
    const auto broken = model.find(0, "moving_object[1]");
    QCOMPARE(model.content(broken).state, NodeContent::State::broken);
    QVERIFY2(text(model, broken).contains("byte"), qPrintable(text(model, broken)));

    const auto root = model.index(0, 0);
    model.show(snapshot_of({channel.shown("\x0a\x7f")}));
    QCOMPARE(model.content(root).state, NodeContent::State::broken);
    QCOMPARE(model.rowCount(root), 1);
    model.show(snapshot_of({channel.shown(whole)}));
    QCOMPARE(model.rowCount(root), static_cast<int>(channel.channel()->root->fields.size()));
    QCOMPARE(value_at(model, "moving_object[0].id.value"), "7");

    const HandMadeChannel flat(MessageType::ground_truth, {Encoding::flatbuffers, Layout::numbered});
    model.show(snapshot_of({flat.shown(std::string(40, '\xff'))}));
    QCOMPARE(model.content(model.index(0, 0)).state, NodeContent::State::broken);
}

void MessageTreeTest::shows_a_broken_message_up_to_its_damage()
{
    const HandMadeChannel channel(MessageType::ground_truth);
    const auto& root = *channel.channel()->root;
    const auto objects = root.find("moving_object")->number, map = root.find("map_reference")->number;
    const auto car = bytes_field(objects, bytes_field(1, "\x08\x07"));
    const auto whole = car + car + bytes_field(map, "a.xodr");
    MessageTreeModel model;
    const Rules rules(model);
    // The third object says that it is longer than what is left.
    model.show(
        snapshot_of({channel.shown(whole + by_hand::Message().tag(objects, 2).raw_varint(99).raw("\x0a\x02").str())}));
    QCOMPARE(value_at(model, "moving_object[1].id.value"), "7");
    QCOMPARE(value_at(model, "map_reference"), "a.xodr");
    const auto top = model.index(0, 0);
    QCOMPARE(model.rowCount(top), 3);
    const auto last = model.index(2, 0, top);
    QCOMPARE(text(model, last, MessageTreeModel::field_column), "damaged from here on");
    const auto place = QStringLiteral("byte %1: moving_object: ").arg(whole.size());
    QVERIFY2(text(model, last).startsWith(place), qPrintable(text(model, last)));
    QVERIFY2(text(model, top).startsWith(place), qPrintable(text(model, top)));
    QVERIFY(!model.hasChildren(last));
    QVERIFY(model.data(last, Qt::ForegroundRole).isValid());

    // Inside: the object shows its id, and what is around it is whole.
    model.show(snapshot_of({channel.shown(car + bytes_field(objects, bytes_field(1, "\x08\x09") + "\x12\x7f") +
                                          bytes_field(map, "b.xodr"))}));
    QCOMPARE(model.rowCount(top), static_cast<int>(root.fields.size()));
    QCOMPARE(value_at(model, "map_reference"), "b.xodr");
    QCOMPARE(value_at(model, "moving_object[1].id.value"), "9");
    const auto object = model.find(0, "moving_object[1]");
    QCOMPARE(model.content(object).state, NodeContent::State::broken);
    QCOMPARE(model.rowCount(object), 2);
    model.show(snapshot_of({channel.shown(car + car)}));
    QVERIFY(model.rowCount(object) > 2);
    QCOMPARE(value_at(model, "moving_object[1].id.value"), "7");
}

void MessageTreeTest::shows_a_broken_table_but_for_what_breaks()
{
    const SceneChannel scene(small_scene(), Encoding::flatbuffers);
    const auto shown = scene.shown(0);
    std::string bytes(text_of(shown.frame->bytes));
    const MessageView view(bytes_of(bytes), *shown.channel->root, shown.channel->format);
    const auto* const lanes = shown.channel->root->find("lane");
    QVERIFY(view.has(*lanes));
    // The offset to the lanes leads out of the buffer.
    const auto read = [&](std::size_t at) { return load_le32(bytes_of(bytes).data() + at); };
    const auto table = read(0), vtable = table - read(table);
    const auto slot = vtable + 4 + 2 * lanes->slot(Layout::numbered);
    const auto place = table + load<std::uint16_t>(bytes_of(bytes).data() + slot);
    bytes.replace(place, 4, "\xff\xff\xff\x7f");
    const HandMadeChannel channel(MessageType::ground_truth, {Encoding::flatbuffers, Layout::numbered});
    MessageTreeModel model;
    const Rules rules(model);
    model.show(snapshot_of({channel.shown(bytes)}));
    QCOMPARE(value_at(model, "moving_object[0].id.value"), "1");
    QCOMPARE(model.content(model.find(0, "lane")).state, NodeContent::State::broken);
    QCOMPARE(model.content(model.index(0, 0)).state, NodeContent::State::broken);
}

void MessageTreeTest::says_why_a_channel_has_no_message()
{
    const HandMadeChannel channel(MessageType::ground_truth);
    MessageTreeModel model;
    model.show(snapshot_of(
        {{.channel = channel.channel()}, {.channel = channel.channel(), .problem = "the file is cut off"}}));
    QCOMPARE(text(model, model.index(0, 0)), "no message yet");
    QCOMPARE(text(model, model.index(1, 0)), "the file is cut off");
    QCOMPARE(model.content(model.index(1, 0)).state, NodeContent::State::broken);
}

void MessageTreeTest::puts_many_elements_into_buckets()
{
    const HandMadeChannel channel(MessageType::sensor_view);
    MessageTreeModel model;
    const Rules rules(model);
    model.show(snapshot_of({channel.shown(lidar_view(2500))}));
    const auto list = model.find(0, "lidar_sensor_view[0].reflection");
    QCOMPARE(text(model, list), QStringLiteral("2\u202f500 elements"));
    model.fetchMore(list);
    QCOMPARE(model.rowCount(list), 3);
    QCOMPARE(text(model, model.index(2, 0, list), 0), QStringLiteral("[2000 \u2026 2499]"));
    const auto element = model.find(0, "lidar_sensor_view[0].reflection[2499].signal_strength");
    QCOMPARE(text(model, element), "10");
    QCOMPARE(element.parent().parent(), model.index(2, 0, list));
    QCOMPARE(model.find(0, "lidar_sensor_view[0].reflection[2500]"), list.siblingAtColumn(0));
    model.show(snapshot_of({channel.shown(lidar_view(2400))}));
    QCOMPARE(text(model, model.index(2, 0, list), 0), QStringLiteral("[2000 \u2026 2399]"));
    model.show(snapshot_of({channel.shown(lidar_view(900))}));
    QCOMPARE(model.rowCount(list), 900);
    model.show(snapshot_of({channel.shown(lidar_view(1001))}));
    QCOMPARE(model.rowCount(list), 2);
}

void MessageTreeTest::opens_a_frame_with_830000_reflections_at_once()
{
    const HandMadeChannel channel(MessageType::sensor_view);
    MessageTreeModel model;
    const auto snapshot = snapshot_of({channel.shown(lidar_view(830'000))});
    model.show(snapshot);
    QElapsedTimer timer;
    timer.start();
    const auto list = model.find(0, "lidar_sensor_view[0].reflection");
    model.fetchMore(list);
    QCOMPARE(model.rowCount(list), 830);
    const auto opened = timer.nsecsElapsed();
    QVERIFY(model.find(0, "lidar_sensor_view[0].reflection[829999]").isValid());
    const auto found = timer.nsecsElapsed();
    qInfo("830000 reflections opened in %.1f ms, the last one shown in %.1f ms", static_cast<double>(opened) / 1e6,
          static_cast<double>(found - opened) / 1e6);
    QVERIFY2(model.made_rows() < 3000, "rows that nobody has opened");
}

void MessageTreeTest::another_time_keeps_rows_and_changes_values()
{
    MessageTreeModel model;
    const SceneChannel scene(small_scene());
    model.show(scene.snapshot(0));
    const QPersistentModelIndex x = model.find(0, "moving_object[1].base.position.x");
    const auto before = text(model, x);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved), changed(&model, &QAbstractItemModel::dataChanged);
    model.show(scene.snapshot(5));
    QVERIFY(x.isValid());
    QCOMPARE(model.find(0, "moving_object[1].base.position.x"), QModelIndex(x));
    QVERIFY(text(model, x) != before);
    QCOMPARE(removed.count(), 0);
    QVERIFY(changed.count() > 0);
    const SceneChannel other(small_scene());
    model.show(other.snapshot(0));
    QVERIFY2(!x.isValid(), "a row of another channel");
}

void MessageTreeTest::elements_come_and_go_at_the_end()
{
    const HandMadeChannel channel(MessageType::ground_truth);
    const auto object = bytes_field(channel.channel()->root->find("moving_object")->number, bytes_field(1, "\x08\x07"));
    MessageTreeModel model;
    const Rules rules(model);
    model.show(snapshot_of({channel.shown(object + object)}));
    const QPersistentModelIndex first = model.find(0, "moving_object[0].id"),
                                second = model.find(0, "moving_object[1].id");
    model.show(snapshot_of({channel.shown(object)}));
    QVERIFY(first.isValid());
    QVERIFY(!second.isValid());
    model.show(snapshot_of({channel.shown(object + object + object)}));
    QCOMPARE(model.rowCount(first.parent().parent()), 3);
    model.show(snapshot_of({channel.shown("")}));
    QVERIFY(!first.isValid());
}

void MessageTreeTest::hides_what_is_not_set()
{
    MessageTreeModel model;
    const Rules rules(model);
    const HandMadeChannel channel(MessageType::ground_truth);
    const auto map = channel.channel()->root->find("map_reference")->number;
    const auto model_file = channel.channel()->root->find("model_reference")->number;
    model.show(snapshot_of({channel.shown(bytes_field(map, "a"))}));
    model.show_unset(false);
    const auto root = model.index(0, 0);
    model.fetchMore(root);
    QCOMPARE(model.rowCount(root), 1);
    QCOMPARE(text(model, model.index(0, 0, root), 0), "map_reference");
    model.show(snapshot_of({channel.shown(bytes_field(map, "a") + bytes_field(model_file, "b"))}));
    QCOMPARE(model.rowCount(root), 2);
    model.show(snapshot_of({channel.shown(bytes_field(model_file, "b"))}));
    QCOMPARE(model.rowCount(root), 1);
    QCOMPARE(text(model, model.index(0, 0, root), 0), "model_reference");
    model.show_unset(true);
    QCOMPARE(model.rowCount(root), static_cast<int>(channel.channel()->root->fields.size()));
}

void MessageTreeTest::finds_rows_by_path()
{
    MessageTreeModel model;
    model.show(SceneChannel(small_scene(MessageType::sensor_view)).snapshot(0));
    for (const auto* const path :
         {"global_ground_truth.moving_object[2].base.velocity.y", "timestamp", "lidar_sensor_view[0].reflection[7]"})
        QCOMPARE(model.node(model.find(0, path)).path(), std::string(path));
    QCOMPARE(model.find(0, "global_ground_truth.nothing.of.that"), model.find(0, "global_ground_truth"));
    QCOMPARE(model.find(0, "global_ground_truth.moving_object[99999].id"),
             model.find(0, "global_ground_truth.moving_object"));
    QVERIFY(!model.find(1, "timestamp").isValid());
}

void MessageTreeTest::copies_values_and_messages()
{
    MessageTreeModel model;
    model.show(SceneChannel(small_scene()).snapshot(0));
    QCOMPARE(model.copied_text(model.find(0, "moving_object[0].id.value")), "1");
    QCOMPARE(model.copied_text(model.find(0, "moving_object[0].id")), "{\"value\":\"1\"}");
    QVERIFY(model.copied_text(model.find(0, "moving_object")).startsWith("[{\"id\":{\"value\":\"1\"}"));
    const HandMadeChannel lidar(MessageType::sensor_view);
    model.show(snapshot_of({lidar.shown(lidar_view(30'000))}));
    QCOMPARE(model.copied_text(model.find(0, "lidar_sensor_view[0].reflection")),
             "too large to copy. Use osiconvert cat to print it.");
}

void MessageTreeTest::shows_the_beginning_of_a_long_topic()
{
    const HandMadeChannel channel(MessageType::ground_truth);
    const auto named = std::make_shared<Channel>(*channel.channel());
    named->topic = named->type_name = std::string(std::size_t{1} << 20, 'x') + '\n';
    named->root = nullptr;
    auto shown = channel.shown("");
    shown.channel = named;
    MessageTreeModel model;
    model.show(snapshot_of({shown}));
    for (const int column :
         {MessageTreeModel::value_column, MessageTreeModel::type_column}) {  // the session shortens its name
        QVERIFY(text(model, model.index(0, 0), column).contains("xxx"));
        QVERIFY(text(model, model.index(0, 0), column).size() < 1200);
    }
}

void MessageTreeTest::shows_the_beginning_of_long_names_of_a_schema()
{
    const std::string name = std::string(std::size_t{1} << 20, 'n') + '\n';
    EnumTable enumeration{.full_name = name, .file = {}, .parent = nullptr, .values = {}};
    for (std::int32_t i = 0; i != 2000; ++i) enumeration.values.push_back({name, i});
    MessageTable table;
    table.full_name = name;
    table.fields.push_back({.name = name, .number = 1, .kind = FieldKind::enumeration, .enumeration = &enumeration});
    table.by_small_number = {0, 1};
    const HandMadeChannel channel(MessageType::ground_truth);
    const auto own = std::make_shared<Channel>(*channel.channel());
    own->root = &table;
    auto shown = channel.shown(std::string("\x08\x07"));
    shown.channel = own;
    MessageTreeModel model;
    model.show(snapshot_of({shown}));
    model.fetchMore(model.index(0, 0));
    const auto row = model.index(0, 0, model.index(0, 0));
    for (const int column :
         {MessageTreeModel::field_column, MessageTreeModel::value_column, MessageTreeModel::type_column}) {
        QVERIFY(text(model, row, column).startsWith("nnn"));
        QVERIFY(text(model, row, column).size() < 250);
    }
    const auto tip = model.data(row, Qt::ToolTipRole).toString();
    QVERIFY(tip.contains(QStringLiteral("and 1\u202f500 more")));
    QVERIFY(tip.size() < 200'000);
}

OSIVIEW_TEST(MessageTreeTest, QApplication)
#include "message_tree_test.moc"
