// SPDX-License-Identifier: MPL-2.0
#include <chrono>
#include <deque>
#include <numeric>
#include <thread>

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "gui/find/search_bar.hpp"
#include "gui/find/value_search.hpp"
#include "tests/gui/snapshots.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

std::vector<std::string> paths_with(const Snapshot& snapshot, const std::string& query, std::size_t most = 1000)
{
    std::vector<std::string> paths;
    static_cast<void>(search_values(snapshot, *ValueQuery::parse(query), most,
                                    [&](ValueHit hit) { paths.push_back(hit.path + " = " + hit.text); }, {}));
    return paths;
}

}  // namespace

class SearchTest : public QObject {
    Q_OBJECT

private slots:
    void fields_are_found_by_words();
    void a_copied_path_is_found();
    void elements_are_those_of_the_selection();
    void values_are_found_by_number_text_and_comparison();
    void values_of_a_field_are_compared();
    void what_is_not_understood_says_so();
    void a_single_result_is_seen();
    void enter_leads_to_a_field_that_is_set();
    void both_encodings_have_the_same_values();
    void a_broken_message_does_not_end_the_search();
    void hits_are_bounded();
    void a_search_runs_beside_and_can_be_cancelled();
    void a_cancelled_search_ends_among_messages_without_values();
    void hits_of_channels_that_are_gone_are_not_shown();
    void a_comparison_searches_values_whatever_the_box_says();
    void fields_are_found_again_where_the_channels_are_others();
    void paths_of_a_deep_schema_are_bounded();
};

void SearchTest::fields_are_found_by_words()
{
    const SchemaPaths paths(Schema::built_in()->root(MessageType::sensor_view));
    QVERIFY(paths.all().size() > 1000);
    QVERIFY(paths.all().size() < 100'000);
    const auto found = paths.search("Moving_object VELOCITY.x", 10);
    QVERIFY(!found.empty());
    QCOMPARE(found.front(), std::string("global_ground_truth.moving_object[].base.velocity.x"));
    QVERIFY(paths.search("no such field", 10).empty());
    QVERIFY(paths.search("  ", 10).empty());
    QCOMPARE(paths.search("a", 7).size(), std::size_t{7});
}

void SearchTest::a_copied_path_is_found()
{
    const SchemaPaths paths(Schema::built_in()->root(MessageType::ground_truth));
    QCOMPARE(paths.search("moving_object[12].base.position", 1),
             std::vector<std::string>{"moving_object[].base.position"});
}

void SearchTest::elements_are_those_of_the_selection()
{
    QCOMPARE(with_elements("a[].b[].c", "a[3].b[41].d"), std::string("a[3].b[41].c"));
    QCOMPARE(with_elements("a[].b[].c", "a[3].x[41].d"), std::string("a[3].b[0].c"));
    QCOMPARE(with_elements("a[].b", ""), std::string("a[0].b"));
    QCOMPARE(with_elements("a[].b", "a"), std::string("a[0].b"));
    QCOMPARE(with_elements("ab[].c", "a[3]"), std::string("ab[0].c"));
    QCOMPARE(with_elements("a[]", "a[7].b"), std::string("a[7]"));
}

void SearchTest::values_are_found_by_number_text_and_comparison()
{
    const auto snapshot = SceneChannel(small_scene()).snapshot(3);
    const auto ids = paths_with(*snapshot, "1");
    QVERIFY(std::find(ids.begin(), ids.end(), "host_vehicle_id.value = 1") != ids.end());
    QVERIFY(std::find(ids.begin(), ids.end(), "moving_object[0].id.value = 1") != ids.end());
    const auto types = paths_with(*snapshot, "type_vehicle");
    QVERIFY(std::find(types.begin(), types.end(), "moving_object[0].type = TYPE_VEHICLE") != types.end());
    QCOMPARE(paths_with(*snapshot, "nan").size(), std::size_t{0});
    QVERIFY(!paths_with(*snapshot, "> 79.5").empty());
    QVERIFY(!ValueQuery::parse(" "));
}

void SearchTest::values_of_a_field_are_compared()
{
    auto options = small_scene(MessageType::sensor_view);
    const auto snapshot = SceneChannel(options).snapshot(3);
    const auto count = [&](const std::string& query) { return paths_with(*snapshot, query, 1'000'000).size(); };
    const auto strengths = count("signal_strength > -1000");
    QCOMPARE(strengths, std::size_t{50});
    QCOMPARE(count("signal_strength>-66") + count("signal_strength <= -66"), strengths);
    QVERIFY(count("signal_strength > -66") != strengths);
    QCOMPARE(count("reflection[].signal_strength > -1000"), strengths);
    QCOMPARE(count("lidar_sensor_view[*].reflection[7].signal_strength > -1000"), std::size_t{1});
    QCOMPARE(count("strength > -1000"), std::size_t{0});
    QCOMPARE(paths_with(*snapshot, "host_vehicle_id == 1"), paths_with(*snapshot, "host_vehicle_id.value = 1"));
    QVERIFY(count("host_vehicle_id == 1") > 0);
    QVERIFY(paths_with(*snapshot, "host_vehicle_id != 1").empty());
    QCOMPARE(count("moving_object.type == type_vehicle") + count("moving_object.type != TYPE_VEHICLE"),
             std::size_t{4});  // the host, too
    QVERIFY(count("moving_object.type == TYPE_VEHICLE") > 0);
    QCOMPARE(count("moving_object.type == TYPE_VEH"), std::size_t{0});
    QCOMPARE(count("velocity.x == nan"), std::size_t{0});
    QVERIFY(count("velocity.x != nan") > 0);
}

void SearchTest::what_is_not_understood_says_so()
{
    for (const auto* const text : {"signal_strength >", "velocity.x > fast", "a b > 3", "!3", "> nan"})
        QVERIFY2(!ValueQuery::parse(text), text);
    QVERIFY(ValueQuery::parse("\"a > b\""));
    SearchBar bar;
    bar.show_snapshot(SceneChannel(small_scene()).snapshot(0));
    bar.findChild<QComboBox*>("search_what")->setCurrentIndex(1);
    auto* const words = bar.findChild<QLineEdit*>("search_words");
    const auto* const note = bar.findChild<QLabel*>("search_note");
    words->setText("velocity.x >");
    QVERIFY2(note->text().contains("Invalid search") && note->text().contains("signal_strength > -66"),
             qPrintable(note->text()));
    words->setText("velocitty > 3");
    QVERIFY2(note->text().contains("No field is named velocitty"), qPrintable(note->text()));
    words->setText("velocity.x >= 0");
    QVERIFY(QTest::qWaitFor([&] { return note->text().contains("found in"); }, 60'000));
    QCOMPARE(note->text(), "3 found in 4 values");
}

void SearchTest::a_single_result_is_seen()
{
    SearchBar bar;
    bar.resize(160, 400);  // narrower than the path
    bar.show_snapshot(SceneChannel(small_scene(MessageType::sensor_view)).snapshot(0));
    bar.show();
    bar.findChild<QLineEdit*>("search_words")->setText("global_ground_truth.moving_object[].base.velocity.x");
    const auto* const results = bar.findChild<QListWidget*>("search_results");
    QCOMPARE(results->count(), 1);
    QVERIFY(QTest::qWaitFor([&] { return results->isVisible(); }));
    const auto row = results->visualItemRect(results->item(0));
    QVERIFY(!results->horizontalScrollBar()->isVisible());
    QVERIFY2(results->viewport()->rect().contains(row), "the row is covered, or reaches out of the list");
    QVERIFY(results->item(0)->toolTip().startsWith("global_ground_truth.moving_object[].base.velocity.x\n"));
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        bar.grab().save(path + "/search.png");
}

/// A message that has nothing but the id of a moving object.
void SearchTest::enter_leads_to_a_field_that_is_set()
{
    const HandMadeChannel channel(MessageType::ground_truth);
    const auto tag = static_cast<char>((channel.channel()->root->find("moving_object")->number << 3) | 2);
    SearchBar bar;
    bar.show_snapshot(snapshot_of({channel.shown(std::string{tag, 4, 0x0a, 2, 0x08, 7})}));
    auto* const words = bar.findChild<QLineEdit*>("search_words");
    const auto* const results = bar.findChild<QListWidget*>("search_results");
    std::string chosen;
    connect(&bar, &SearchBar::chosen, this, [&](std::uint32_t, const std::string& path) { chosen = path; });
    words->setText("id.value");
    QVERIFY(results->count() > 2 && !results->item(0)->text().startsWith("moving_object"));
    QTest::keyClick(words, Qt::Key_Return);
    QCOMPARE(chosen, std::string("moving_object[0].id.value"));
    words->setText("country_code");
    QTest::keyClick(words, Qt::Key_Return);
    QCOMPARE(chosen, std::string("country_code"));
}

void SearchTest::both_encodings_have_the_same_values()
{
    const auto options = small_scene(MessageType::sensor_view);
    const auto protobuf = paths_with(*SceneChannel(options).snapshot(2), "< 0", 1'000'000);
    QVERIFY(protobuf.size() > 100);
    QCOMPARE(paths_with(*SceneChannel(options, Encoding::flatbuffers).snapshot(2), "< 0", 1'000'000), protobuf);
}

void SearchTest::a_broken_message_does_not_end_the_search()
{
    const HandMadeChannel channel(MessageType::ground_truth);
    const auto number = channel.channel()->root->find("moving_object")->number;
    const auto tag = static_cast<char>((number << 3) | 2);
    const auto broken = std::string{tag, 2, 0x0a, 0x7f}, whole = std::string{tag, 4, 0x0a, 2, 0x08, 7};
    const auto snapshot = snapshot_of({channel.shown(broken + whole)});
    std::vector<ValueHit> hits;
    const auto end = search_values(*snapshot, *ValueQuery::parse("7"), 10,
                                   [&](ValueHit hit) { hits.push_back(std::move(hit)); }, {});
    QCOMPARE(hits.size(), std::size_t{1});
    QCOMPARE(hits[0].path, std::string("moving_object[1].id.value"));
    QCOMPARE(end.broken, std::uint64_t{1});
    QVERIFY(end.all);
    const auto cut = snapshot_of({channel.shown(whole + std::string{tag, 0x7f})});
    QCOMPARE(paths_with(*cut, "7"), std::vector<std::string>{"moving_object[0].id.value = 7"});
}

void SearchTest::hits_are_bounded()
{
    const auto snapshot = SceneChannel(small_scene()).snapshot(0);
    std::size_t hits = 0;
    const auto end = search_values(*snapshot, *ValueQuery::parse(">= 0"), 5, [&](const ValueHit&) { ++hits; }, {});
    QCOMPARE(hits, std::size_t{5});
    QVERIFY(!end.all);
}

void SearchTest::a_search_runs_beside_and_can_be_cancelled()
{
    auto options = small_scene(MessageType::sensor_view);
    options.reflections = 20'000;
    const std::shared_ptr<const Snapshot> snapshot = SceneChannel(options).snapshot(0);
    ValueSearch search;
    std::vector<ValueHit> hits;
    std::optional<ValueSearchEnd> end;
    connect(&search, &ValueSearch::found, this,
            [&](const std::vector<ValueHit>& more) { hits.insert(hits.end(), more.begin(), more.end()); });
    connect(&search, &ValueSearch::finished, this, [&](const ValueSearchEnd& found) { end = found; });
    search.start(snapshot, *ValueQuery::parse("TYPE_VEHICLE"));
    QVERIFY(QTest::qWaitFor([&] { return end.has_value(); }, 60'000));
    QVERIFY(end->all);
    QVERIFY(end->values > 40'000);
    QVERIFY(!hits.empty());

    hits.clear();
    end.reset();
    search.start(snapshot, *ValueQuery::parse(">= 0"));
    search.start(snapshot, *ValueQuery::parse("TYPE_NOTHING"));
    QVERIFY(QTest::qWaitFor([&] { return end.has_value(); }, 60'000));
    QVERIFY2(hits.empty(), "hits of a search that was cancelled");
    end.reset();
    search.start(snapshot, *ValueQuery::parse(">= 0"));
    search.cancel();
    QTest::qWait(50);
    QVERIFY(!end && hits.empty());
}

void SearchTest::a_cancelled_search_ends_among_messages_without_values()
{
    const HandMadeChannel channel(MessageType::ground_truth);
    const auto tag = static_cast<char>((channel.channel()->root->find("moving_object")->number << 3) | 2);
    const auto snapshot = snapshot_of({channel.shown(std::string{tag, 0, tag, 0})});
    std::stop_source source;
    const auto search = [&] {
        return search_values(*snapshot, *ValueQuery::parse("7"), 10, [](const ValueHit&) {}, source.get_token());
    };
    QVERIFY(search().all);
    source.request_stop();
    QVERIFY(!search().all);
}

void SearchTest::hits_of_channels_that_are_gone_are_not_shown()
{
    SearchBar bar;
    bar.show_snapshot(SceneChannel(small_scene()).snapshot(0));
    bar.findChild<QComboBox*>("search_what")->setCurrentIndex(1);
    auto* const words = bar.findChild<QLineEdit*>("search_words");
    const auto* const results = bar.findChild<QListWidget*>("search_results");
    const auto search_without_listening = [&](const QString& text) {
        words->setText(text);
        std::this_thread::sleep_for(std::chrono::milliseconds(200));  // the hits wait in the event loop
    };
    search_without_listening(">= 0");
    bar.show_snapshot(nullptr);
    QTest::qWait(50);
    QCOMPARE(results->count(), 0);

    bar.show_snapshot(SceneChannel(small_scene()).snapshot(0));
    QVERIFY(QTest::qWaitFor([&] { return results->count() > 0; }, 60'000));
    search_without_listening("> 0");
    bar.show_snapshot(snapshot_of({}));
    QTest::qWait(50);
    QCOMPARE(results->count(), 0);
}

void SearchTest::a_comparison_searches_values_whatever_the_box_says()
{
    SearchBar bar;
    bar.show_snapshot(SceneChannel(small_scene()).snapshot(0));
    auto* const words = bar.findChild<QLineEdit*>("search_words");
    auto* const what = bar.findChild<QComboBox*>("search_what");
    const auto* const results = bar.findChild<QListWidget*>("search_results");
    words->setText("base.position.x > -1e6");
    QCOMPARE(what->currentText(), "Values");
    QVERIFY(QTest::qWaitFor([&] { return results->count() > 0; }, 60'000));
    QVERIFY2(results->item(0)->text().contains("base.position.x = "), qUtf8Printable(results->item(0)->text()));
    words->setText("velocity x");
    QCOMPARE(what->currentText(), "Fields");
    QVERIFY(results->count() > 0);
    what->setCurrentIndex(1);
    words->setText("> 30");
    words->setText("30");
    QCOMPARE(what->currentText(), "Values");  // as it was chosen
}

void SearchTest::fields_are_found_again_where_the_channels_are_others()
{
    const SceneChannel channel(small_scene());
    SearchBar bar;
    bar.show_snapshot(channel.snapshot(0));
    bar.findChild<QLineEdit*>("search_words")->setText("moving_object velocity.x");
    const auto* const results = bar.findChild<QListWidget*>("search_results");
    QVERIFY(results->count() > 0);
    QCOMPARE(results->item(0)->text(), "moving_object[].base.velocity.x");
    const auto* const first = results->item(0);
    bar.show_snapshot(channel.snapshot(1));
    QCOMPARE(results->item(0), first);
    bar.show_snapshot(SceneChannel(small_scene(MessageType::sensor_view)).snapshot(0));
    QVERIFY(results->count() > 0);
    QCOMPARE(results->item(0)->text(), "global_ground_truth.moving_object[].base.velocity.x");
}

/// Each message holds the next one, and its field has a long name.
void SearchTest::paths_of_a_deep_schema_are_bounded()
{
    const auto paths_of = [](std::size_t messages, const std::string& name) {
        std::deque<MessageTable> tables(messages);
        for (std::size_t i = 0; i != messages; ++i)
            tables[i].fields.push_back({.name = name,
                                        .number = 1,
                                        .kind = FieldKind::message,
                                        .child = &tables[std::min(i + 1, messages - 1)]});
        return SchemaPaths(tables[0]).all();
    };
    QCOMPARE(paths_of(20'000, "a").size(), std::size_t{100});
    const auto wide = paths_of(50, std::string(std::size_t{1} << 20, 'a'));
    const auto bytes = std::accumulate(wide.begin(), wide.end(), std::size_t{0},
                                       [](std::size_t sum, const auto& path) { return sum + path.size(); });
    QVERIFY(!wide.empty());
    QVERIFY(bytes < std::size_t{33} << 20);
}

OSIVIEW_TEST(SearchTest, QApplication)
#include "search_test.moc"
