// SPDX-License-Identifier: MPL-2.0
// What a search finds as rows: spans of messages, their values, and the table that is written.
#include <map>
#include <numbers>

#include <QAction>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <ositrace/bytes.hpp>
#include <ositrace/field_path.hpp>

#include "gui/find/find_panel.hpp"
#include "gui/find/finder.hpp"
#include "gui/find/found_model.hpp"
#include "tests/gui/session/opened_session.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/lib/payloads.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

QueryHit hit(std::uint64_t number, std::vector<std::pair<std::uint64_t, double>> objects)
{
    QueryHit made{number, {}, {}};
    for (const auto& [id, value] : objects)
        made.matches.push_back({"moving_object[" + std::to_string(id) + "]", "moving_object", id, {{0, value}}});
    return made;
}

/// All spans, after any number of partial results.
std::vector<FoundSpan> spans_of(const std::vector<QueryHit>& hits, bool in_parts)
{
    SpanBuilder builder;
    std::vector<FoundSpan> all;
    const auto take = [&] {
        for (auto& [place, span] : builder.take_changed()) {
            if (place >= all.size()) all.resize(place + 1);
            all[place] = std::move(span);
        }
    };
    for (const auto& each : hits) {
        builder.add(each);
        if (in_parts) take();
    }
    take();
    return all;
}

}  // namespace

class FoundTest : public QObject {
    Q_OBJECT
private slots:
    void consecutive_messages_are_one_span();
    void many_runs_are_joined();
    void spans_of_a_trace_are_those_of_its_messages();
    void a_search_that_is_cancelled_reports_nothing();
    void examples_find_what_they_say();
    void the_limit_of_an_example_can_be_changed();
};

void FoundTest::consecutive_messages_are_one_span()
{
    const std::vector hits{hit(3, {{7, 2}}), hit(4, {{7, 1}, {8, 5}}), hit(5, {{7, 3}}), hit(7, {{7, 4}, {8, 6}})};
    for (const bool in_parts : {false, true}) {
        const auto spans = spans_of(hits, in_parts);
        QCOMPARE(spans.size(), std::size_t{4});
        const auto is = [&](std::size_t place, std::uint64_t id, std::uint64_t first, std::uint64_t last, double least,
                            double most) {
            const auto& span = spans[place];
            return span.id == id && span.first == first && span.last == last && span.values[0].least == least &&
                   span.values[0].most == most && span.path == "moving_object[" + std::to_string(id) + "]";
        };
        QVERIFY(is(0, 7, 3, 5, 1, 3));
        QVERIFY(is(1, 8, 4, 4, 5, 5));
        QVERIFY(is(2, 7, 7, 7, 4, 4));
        QVERIFY(is(3, 8, 7, 7, 6, 6));
        QCOMPARE(std::get<double>(spans[0].values[0].first), 2.0);
    }
}

void FoundTest::many_runs_are_joined()
{
    FoundRuns runs;
    runs.add({0, 4});
    runs.add({5, 5});
    runs.add({7, 9});
    QCOMPARE(runs.all(), (std::vector<MessageRun>{{0, 5}, {7, 9}}));
    runs.clear();
    for (std::uint64_t i = 0; i != 3 * FoundRuns::most_runs; ++i) runs.add({10 * i, 10 * i});
    QVERIFY(runs.all().size() <= FoundRuns::most_runs);
    QCOMPARE(runs.all().front().first, std::uint64_t{0});
    QCOMPARE(runs.all().back().last, std::uint64_t{10 * (3 * FoundRuns::most_runs - 1)});
}

/// Against a walk over the messages with field paths.
void FoundTest::spans_of_a_trace_are_those_of_its_messages()
{
    const ScratchFolder scratch;
    auto options = small_scene(300);
    options.moving_objects = 30;
    Session session;
    QVERIFY(open_all(session, {write_sample(scratch / "drive.osi", options)}));
    const auto channel = session.channels()->front();
    const auto& root = *channel.channel->root;

    struct Expected {
        std::uint64_t id, first, last;
        double least, most;
        std::uint64_t least_at, most_at;
    };
    std::vector<Expected> expected;
    std::map<std::uint64_t, std::size_t> open;
    const auto ids = FieldPath::compile(root, "global_ground_truth.moving_object[*].id.value");
    const auto speeds = FieldPath::compile(root, "global_ground_truth.moving_object[*].base.velocity.x");
    for (std::uint64_t number = 0; number != channel.times->count; ++number) {
        const auto frame = channel.trace->frame(0, number);
        const MessageView message(frame.bytes, root, channel.channel->format);
        std::vector<Value> id, speed;
        ids.collect(message, id, FieldPath::Unset::kept);
        speeds.collect(message, speed, FieldPath::Unset::kept);
        QCOMPARE(id.size(), speed.size());
        for (std::size_t i = 0; i != id.size(); ++i) {
            const auto value = as_real(speed[i]);
            if (!value || *value <= 3) continue;
            const auto key = std::get<std::uint64_t>(id[i]);
            const auto known = open.find(key);
            if (known == open.end() || expected[known->second].last + 1 != number) {
                open[key] = expected.size();
                expected.push_back({key, number, number, *value, *value, number, number});
                continue;
            }
            auto& span = expected[known->second];
            span.last = number;
            if (*value < span.least) span.least = *value, span.least_at = number;
            if (*value > span.most) span.most = *value, span.most_at = number;
        }
    }
    QVERIFY(expected.size() > 20);

    FoundModel model;
    Finder finder;
    std::optional<FindEnd> end;
    const auto query = Query::compile("moving_object[*].base.velocity.x > 3", root);
    model.begin(channel, query);
    connect(&finder, &Finder::updated, this, [&](const auto& update) { model.add(update->spans); });
    connect(&finder, &Finder::finished, this, [&](const FindEnd& ended) { end = ended; });
    finder.start(channel, query, {});
    QVERIFY(QTest::qWaitFor([&] { return end.has_value(); }, patience_ms));
    QVERIFY(!end->stopped && end->problem.isEmpty());
    const auto& found = model.list()->spans;
    QCOMPARE(found.size(), expected.size());
    for (std::size_t i = 0; i != found.size(); ++i) {
        QCOMPARE(found[i]->id, std::optional(expected[i].id));
        QCOMPARE(found[i]->first, expected[i].first);
        QCOMPARE(found[i]->last, expected[i].last);
        QCOMPARE(found[i]->values[0].least, std::optional(expected[i].least));
        QCOMPARE(found[i]->values[0].most, std::optional(expected[i].most));
        QCOMPARE(found[i]->values[0].least_at, expected[i].least_at);
        QCOMPARE(found[i]->values[0].most_at, expected[i].most_at);
    }
    const auto least = std::ranges::min_element(expected, {}, &Expected::least);
    const auto most = std::ranges::max_element(expected, {}, &Expected::most);
    const auto extremes = model.extremes();
    QVERIFY(extremes);
    QCOMPARE(extremes->least.value, least->least);
    QCOMPARE(extremes->least.message, least->least_at);
    QCOMPARE(extremes->most.value, most->most);
    QCOMPARE(extremes->most.message, most->most_at);
    QVERIFY2(model.text_of(extremes->most).endsWith(QStringLiteral("moving object %1").arg(most->id)),
             qPrintable(model.text_of(extremes->most)));
    const auto lines = csv_of(*model.list()).split('\n');
    QCOMPARE(lines.size(), static_cast<qsizetype>(expected.size()) + 2);
    QCOMPARE(lines.front(), QByteArray("from_s,to_s,first_message,last_message,object,id,path,base.velocity.x first,"
                                       "base.velocity.x least,base.velocity.x greatest"));
    QVERIFY(lines[1].startsWith("0.000," + QByteArray::number(0.1 * static_cast<double>(expected[0].last + 1), 'f', 3) +
                                ",0," + QByteArray::number(static_cast<qulonglong>(expected[0].last)) +
                                ",moving_object," + QByteArray::number(static_cast<qulonglong>(expected[0].id)) + ","));
}

void FoundTest::a_search_that_is_cancelled_reports_nothing()
{
    const ScratchFolder scratch;
    Session session;
    QVERIFY(open_all(session, {write_sample(scratch / "drive.osi", small_scene(200))}));
    const auto channel = session.channels()->front();
    Finder finder;
    QSignalSpy updated(&finder, &Finder::updated), finished(&finder, &Finder::finished);
    finder.start(channel, Query::compile("1 == 1", *channel.channel->root), {});
    finder.cancel();
    QTest::qWait(50);
    QCOMPARE(updated.size(), 0);
    QCOMPARE(finished.size(), 0);
    finder.start(channel, Query::compile("1 == 1", *channel.channel->root), {});
    QVERIFY(QTest::qWaitFor([&] { return finished.size() == 1; }, patience_ms));
    QVERIFY(updated.size() > 0);
}

void FoundTest::examples_find_what_they_say()
{
    const Session session;
    Selection selection;
    const FindPanel panel(session, selection);
    std::map<QString, std::string> examples;
    for (const auto* const each : panel.findChild<QToolButton*>("find_examples")->menu()->actions())
        examples[each->text()] = each->toolTip().toStdString();
    QVERIFY(examples.size() > 5);
    for (const auto type : {MessageType::ground_truth, MessageType::sensor_view})
        for (const auto& [name, text] : examples)
            QVERIFY(!Query::compile(text, Schema::built_in()->root(type)).paths().empty() ||
                    name == "A missing value" || name == "Many objects");

    const auto& root = Schema::built_in()->root(MessageType::ground_truth);
    const auto holds = [&](const QString& name, const std::string& payload) {
        QueryEvaluator evaluator(Query::compile(examples.at(name), root));
        return evaluator.holds({bytes_of(payload), root, {}});
    };
    const auto& light = *root.find("traffic_light");
    const auto& classification = *light.child->find("classification");
    const auto value = [&](std::string_view name, std::uint8_t number) {
        return varint_field(classification.child->find(name)->number, number);
    };
    constexpr std::uint8_t red = 2, green = 4, off = 2, constant = 3, flashing = 4;
    const auto lamp = [&](std::uint8_t colour, std::optional<std::uint8_t> mode) {
        return field(light.number, field(classification.number,
                                         value("color", colour) + (mode ? value("mode", *mode) : std::string())));
    };
    QVERIFY(holds("A red light", lamp(red, constant)));
    QVERIFY(holds("A red light", lamp(red, flashing)));
    QVERIFY(holds("A red light", lamp(red, {})));  // the scene shows it as lit
    QVERIFY(!holds("A red light", lamp(red, off)));
    QVERIFY(!holds("A red light", lamp(green, constant) + lamp(red, off)));
}

void FoundTest::the_limit_of_an_example_can_be_changed()
{
    const Session session;
    Selection selection;
    FindPanel panel(session, selection);
    auto* const limit = panel.findChild<QDoubleSpinBox*>("find_limit");
    auto* const line = panel.findChild<QLineEdit*>("find_expression");
    QVERIFY(limit->isHidden());
    QAction* braking = nullptr;
    QAction* lights = nullptr;
    for (auto* const each : panel.findChild<QToolButton*>("find_examples")->menu()->actions()) {
        if (each->text() == "Hard braking") braking = each;
        if (each->text() == "A red light") lights = each;
    }
    QVERIFY(braking != nullptr && lights != nullptr);
    braking->trigger();
    QVERIFY(!limit->isHidden());
    QCOMPARE(limit->value(), 5.0);
    QVERIFY(line->text().endsWith(" < -5"));
    limit->setValue(2.5);
    QVERIFY2(line->text().endsWith(" < -2.5"), qPrintable(line->text()));
    static_cast<void>(Query::compile(line->text().toStdString(), Schema::built_in()->root(MessageType::ground_truth)));
    // One that a user writes has no limit of an example, nor has an example without a number.
    QTest::keyClicks(line, " ");
    QVERIFY(limit->isHidden());
    braking->trigger();
    lights->trigger();
    QVERIFY(limit->isHidden());
}

OSIVIEW_TEST(FoundTest, QApplication)
#include "found_test.moc"
