// SPDX-License-Identifier: MPL-2.0
// Values over time as bars: the runs, their colours, and how they are drawn.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include <QElapsedTimer>
#include <QTest>

#include <ositrace/field_path.hpp>

#include "gui/states/state_reader.hpp"
#include "gui/states/state_view.hpp"
#include "gui/window/theme.hpp"
#include "tests/gui/session/opened_session.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;
using namespace std::chrono_literals;

namespace {

const MessageTable& root() { return Schema::built_in()->root(MessageType::ground_truth); }

/// A channel of this many messages, 0.1 s apart, which is never read.
OpenChannel channel_of(std::uint64_t messages)
{
    auto times = std::make_shared<MessageTimes>();
    for (std::uint64_t i = 0; i != messages; ++i) times->times.push_back(100ms * static_cast<std::int64_t>(i));
    times->count = messages;
    times->last = times->times.back();
    times->complete = true;
    OpenChannel channel;
    channel.times = times;
    return channel;
}

SeriesCurve curve(std::uint32_t path, std::uint64_t id, const std::string& list, const std::string& rest)
{
    SeriesCurve made;
    made.path = path;
    made.id = id;
    made.text = list + "[id=" + std::to_string(id) + "]." + rest;
    return made;
}

const std::string brake = "moving_object[*].vehicle_classification.light_state.brake_light_state";
const std::string colour = "traffic_light[*].classification.color";

std::vector<FieldPath> fields(const std::vector<std::string>& paths)
{
    std::vector<FieldPath> compiled;
    for (const auto& path : paths) compiled.push_back(FieldPath::compile(root(), path));
    return compiled;
}

/// Two vehicles that brake and a traffic light, over 200 messages.
void fill(StateView& view)
{
    view.begin(channel_of(200), fields({brake, colour}));
    StateUpdate update;
    update.curves = {curve(0, 7, "moving_object", "vehicle_classification.light_state.brake_light_state"),
                     curve(0, 12, "moving_object", "vehicle_classification.light_state.brake_light_state"),
                     curve(1, 3, "traffic_light", "classification.color")};
    // BRAKE_LIGHT_STATE_OFF 2, NORMAL 3, STRONG 4; COLOR_RED 2, YELLOW 3, GREEN 4
    update.runs = {{0, {0, 59, 2}},    {0, {60, 99, 3}},   {0, {100, 109, 4}}, {0, {110, 199, 2}}, {1, {20, 99, 2}},
                   {1, {100, 100, 3}}, {1, {101, 150, 2}}, {2, {0, 79, 2}},    {2, {80, 94, 3}},   {2, {95, 199, 4}}};
    update.messages = 200;
    view.add(update);
    view.set_scale({0s, 20s});
}

int pixels_of(const QImage& image, const QRect& area, const QColor& wanted)
{
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x) count += image.pixelColor(x, y) == wanted ? 1 : 0;
    return count;
}

/// The share of pixels that differ; empty without a golden picture. With OSITRACE_MAKE_GOLDEN set it is written.
std::optional<double> difference(const QImage& image, const QString& name)
{
    const auto file = QString::fromStdString((source_folder() / "tests/gui/golden").string()) + '/' + name + ".png";
    if (std::getenv("OSITRACE_MAKE_GOLDEN") != nullptr) image.save(file);
    const auto golden = QImage(file).convertToFormat(QImage::Format_RGB32);
    if (golden.size() != image.size()) return std::nullopt;
    int differing = 0;
    for (int y = 0; y != image.height(); ++y)
        for (int x = 0; x != image.width(); ++x) {
            const auto a = image.pixelColor(x, y), b = golden.pixelColor(x, y);
            const auto far =
                std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()), std::abs(a.blue() - b.blue())});
            differing += far > 8 ? 1 : 0;
        }
    return static_cast<double>(differing) / (image.width() * image.height());
}

}  // namespace

class StatesTest : public QObject {
    Q_OBJECT
private slots:
    void equal_values_are_one_run();
    void runs_of_a_trace_are_those_of_its_messages();
    void colours_follow_what_they_mean();
    void many_values_differ_in_colour();
    void a_lamp_that_is_off_is_faint();
    void a_short_pulse_is_seen();
    void looks_as_it_should();
    void changes_are_found_in_both_directions();
    void only_what_changes_is_shown_on_request();
    void many_objects_are_drawn_at_once();
};

void StatesTest::equal_values_are_one_run()
{
    StateRuns runs;
    SeriesBatch first;
    first.times.resize(4);
    first.new_curves.resize(2);
    first.samples = {{0, 0, 5}, {1, 0, 1}, {0, 1, 5}, {0, 2, 6}, {1, 2, 1}, {0, 3, 6}};
    const auto update = runs.add(first);
    QCOMPARE(update.curves.size(), std::size_t{2});
    QCOMPARE(update.messages, std::uint64_t{4});
    std::map<std::uint32_t, std::vector<StateRun>> known;
    const auto take = [&](const StateUpdate& more) {
        for (const auto& [curve, run] : more.runs) {
            auto& all = known[curve];
            if (!all.empty() && all.back().first == run.first) all.pop_back();
            all.push_back(run);
        }
    };
    take(update);
    SeriesBatch second;
    second.first = 4;
    second.times.resize(2);
    second.samples = {{0, 0, 6}, {0, 1, 5}};
    take(runs.add(second));
    QCOMPARE(known[0], (std::vector<StateRun>{{0, 1, 5}, {2, 4, 6}, {5, 5, 5}}));
    QCOMPARE(known[1], (std::vector<StateRun>{{0, 0, 1}, {2, 2, 1}}));
}

/// Against a walk over the messages with field paths.
void StatesTest::runs_of_a_trace_are_those_of_its_messages()
{
    const ScratchFolder scratch;
    auto options = small_scene(300);
    options.type = MessageType::ground_truth;
    options.moving_objects = 40;
    Session session;
    QVERIFY(open_all(session, {write_sample(scratch / "drive.osi", options)}));
    const auto channel = session.channels()->front();
    const std::vector<std::string> paths{brake, colour, "moving_object[*].assigned_lane_id[0].value"};
    const std::vector<std::string> ids{"moving_object[*].id.value", "traffic_light[*].id.value",
                                       "moving_object[*].id.value"};

    using Key = std::pair<std::uint32_t, std::uint64_t>;
    std::map<Key, std::vector<StateRun>> expected;
    int lamps_off = 0;
    for (std::uint64_t number = 0; number != channel.times->count; ++number) {
        const auto frame = channel.trace->frame(0, number);
        const MessageView message(frame.bytes, *channel.channel->root, channel.channel->format);
        for (std::uint32_t path = 0; path != paths.size(); ++path) {
            std::vector<Value> id, value;
            FieldPath::compile(root(), ids[path]).collect(message, id, FieldPath::Unset::kept);
            FieldPath::compile(root(), paths[path]).collect(message, value, FieldPath::Unset::kept);
            QCOMPARE(id.size(), value.size());
            std::vector<Value> mode(value.size());
            if (paths[path] == colour) {
                mode.clear();
                FieldPath::compile(root(), "traffic_light[*].classification.mode")
                    .collect(message, mode, FieldPath::Unset::kept);
            }
            for (std::size_t i = 0; i != id.size(); ++i) {
                const auto bits = as_integer(value[i]);
                if (!bits) continue;
                auto& runs = expected[{path, std::get<std::uint64_t>(id[i])}];
                constexpr std::int64_t off = 2;
                const bool is_off = as_integer(mode[i]) == off;
                lamps_off += is_off ? 1 : 0;
                const auto wanted =
                    is_off ? with_lamp_off(static_cast<std::uint64_t>(*bits)) : static_cast<std::uint64_t>(*bits);
                if (!runs.empty() && runs.back().last + 1 == number && runs.back().bits == wanted)
                    runs.back().last = number;
                else
                    runs.push_back({number, number, wanted});
            }
        }
    }
    QVERIFY2(expected.size() > 30, qPrintable(QString::number(expected.size())));
    QVERIFY(lamps_off > 100);

    StateView view;
    SeriesPlan plan(*channel.channel->root, paths);
    view.begin(channel, {plan.paths().begin(), plan.paths().end()});
    StateReader reader;
    std::optional<QString> problem;
    connect(&reader, &StateReader::updated, this, [&](const auto& update) { view.add(*update); });
    connect(&reader, &StateReader::finished, this, [&](const QString& ended) { problem = ended; });
    reader.start(channel, std::move(plan));
    QVERIFY(QTest::qWaitFor([&] { return problem.has_value(); }, patience_ms));
    QCOMPARE(*problem, "");
    std::map<Key, std::vector<StateRun>> found;
    for (const auto& each : view.curves()) {
        QVERIFY(each.curve.id.has_value());
        found[{each.curve.path, *each.curve.id}] = each.runs;
    }
    QCOMPARE(found.size(), expected.size());
    QVERIFY(found == expected);
}

void StatesTest::colours_follow_what_they_mean()
{
    const auto& light = FieldPath::compile(root(), colour).leaf();
    const auto& brakes = FieldPath::compile(root(), brake).leaf();
    const auto& indicator =
        FieldPath::compile(root(), "moving_object[*].vehicle_classification.light_state.indicator_state").leaf();
    const auto is_reddish = [](const QColor& c) { return c.red() > 180 && c.green() < 110 && c.blue() < 110; };
    const auto is_amber = [](const QColor& c) { return c.red() > 200 && c.green() > 90 && c.blue() < 80; };
    QVERIFY(is_reddish(look_of(light, "COLOR_RED", 5).colour));
    QCOMPARE(look_of(light, "COLOR_RED", 5).text, "RED");
    QVERIFY(look_of(light, "COLOR_GREEN", 0).colour.green() > look_of(light, "COLOR_GREEN", 0).colour.red());
    QVERIFY(is_reddish(look_of(brakes, "BRAKE_LIGHT_STATE_NORMAL", 0).colour));
    QVERIFY(is_reddish(look_of(brakes, "BRAKE_LIGHT_STATE_STRONG", 0).colour));
    QVERIFY(look_of(brakes, "BRAKE_LIGHT_STATE_STRONG", 0).colour !=
            look_of(brakes, "BRAKE_LIGHT_STATE_NORMAL", 0).colour);
    QVERIFY(look_of(brakes, "BRAKE_LIGHT_STATE_OFF", 0).is_faint);
    QVERIFY(is_amber(look_of(indicator, "INDICATOR_STATE_LEFT", 0).colour));
    QVERIFY(is_amber(look_of(indicator, "INDICATOR_STATE_RIGHT", 0).colour));
    QVERIFY(look_of(indicator, "INDICATOR_STATE_OFF", 0).is_faint);
    QVERIFY(!look_of(indicator, "INDICATOR_STATE_WARNING", 0).is_faint);
    const auto& type = FieldPath::compile(root(), "moving_object[*].type").leaf();
    QVERIFY(look_of(type, "TYPE_VEHICLE", 0).colour != look_of(type, "TYPE_PEDESTRIAN", 1).colour);
}

/// One message of 20 000, which is a thirtieth of a pixel.
void StatesTest::many_values_differ_in_colour()
{
    const auto lane = FieldPath::compile(root(), "moving_object[*].assigned_lane_id[0].value");
    std::set<QRgb> colours;
    for (std::size_t order = 0; order != 40; ++order)
        colours.insert(look_of(lane.leaf(), std::to_string(order), order).colour.rgb());
    QCOMPARE(colours.size(), std::size_t{40});
}

void StatesTest::a_lamp_that_is_off_is_faint()
{
    StateView view;
    view.resize(800, 200);
    view.begin(channel_of(200), fields({colour}));
    StateUpdate update;
    update.curves = {curve(0, 3, "traffic_light", "classification.color")};
    constexpr std::uint64_t red = 2;
    update.runs = {{0, {0, 99, red}}, {0, {100, 199, with_lamp_off(red)}}};
    update.messages = 200;
    view.add(update);
    view.set_scale({0s, 20s});
    QCOMPARE(view.value_at(0, 50), "COLOR_RED");
    QCOMPARE(view.value_at(0, 150), "COLOR_RED, off");
    QCOMPARE(view.change(50, 1), std::optional<std::uint64_t>(100));
    const auto image = view.grab().toImage();
    const auto row = view.row_of(0);
    const auto lit = look_of(fields({colour}).front().leaf(), "COLOR_RED", 0).colour;
    const QColor dark(lit.darker(200).rgb());  // as a pixel has it
    const auto height = [&](int message, const QColor& wanted) {
        const auto x = static_cast<int>(view.scale().x_of(100ms * message));
        return pixels_of(image, QRect(x, row.top(), 1, row.height()), wanted);
    };
    QVERIFY(height(95, lit) > 10);
    QCOMPARE(height(150, lit), 0);
    QVERIFY(height(150, dark) > 1 && height(150, dark) < 8);
}

void StatesTest::a_short_pulse_is_seen()
{
    StateView view;
    view.resize(800, 120);
    view.begin(channel_of(20'000), fields({brake}));
    StateUpdate update;
    update.curves = {curve(0, 7, "moving_object", "vehicle_classification.light_state.brake_light_state")};
    update.runs = {{0, {0, 9'999, 2}}, {0, {10'000, 10'000, 4}}, {0, {10'001, 19'999, 2}}};
    update.messages = 20'000;
    view.add(update);
    view.set_scale({0s, 2000s});
    const auto pulse = look_of(fields({brake}).front().leaf(), "BRAKE_LIGHT_STATE_STRONG", 0).colour;
    const auto row = view.row_of(0);
    const auto image = view.grab().toImage();
    const int x = static_cast<int>(view.scale().x_of(1000s));
    QVERIFY(pixels_of(image, QRect(x - 1, row.top(), 3, row.height()), pulse) >= 8);
    QCOMPARE(pixels_of(image, QRect(x + 5, row.top(), 300, row.height()), pulse), 0);
    // Also when thousands of changes share a pixel, the rare value among them is found.
    view.set_scale({0s, 200'000s});
    const int near = static_cast<int>(view.scale().x_of(1000s));
    QVERIFY(pixels_of(view.grab().toImage(), QRect(near - 1, row.top(), 3, row.height()), pulse) >= 8);
}

void StatesTest::looks_as_it_should()
{
    for (const auto theme : {Theme::dark, Theme::light}) {
        apply_theme(*qApp, theme);
        StateView view;
        auto font = view.font();
        font.setPixelSize(1);  // texts depend on the fonts of the machine
        view.setFont(font);
        view.resize(640, 130);
        fill(view);
        view.set_time(12s);
        const auto image = view.grab().toImage().convertToFormat(QImage::Format_RGB32);
        const auto name = theme == Theme::dark ? "states_dark" : "states_light";
        const auto differs = difference(image, name);
        QVERIFY2(differs, name);
        QVERIFY2(*differs <= 0.005, qPrintable(QString::number(*differs)));
    }
}

void StatesTest::changes_are_found_in_both_directions()
{
    StateView view;
    view.resize(640, 130);
    fill(view);
    std::vector<std::uint64_t> changes;
    for (auto next = view.change(0, 1); next; next = view.change(*next, 1)) changes.push_back(*next);
    QCOMPARE(changes, (std::vector<std::uint64_t>{20, 60, 80, 95, 100, 101, 110, 151}));
    std::vector<std::uint64_t> back;
    for (auto next = view.change(199, -1); next; next = view.change(*next, -1)) back.push_back(*next);
    std::ranges::reverse(back);
    QVERIFY(back.front() == 0);
    QCOMPARE(std::vector<std::uint64_t>(back.begin() + 1, back.end()), changes);
    view.select(2);  // the traffic light
    QCOMPARE(view.change(0, 1), std::optional<std::uint64_t>(80));
    QCOMPARE(view.change(80, 1), std::optional<std::uint64_t>(95));
    QCOMPARE(view.change(95, 1), std::optional<std::uint64_t>());
    QCOMPARE(view.change(95, -1), std::optional<std::uint64_t>(80));
}

void StatesTest::only_what_changes_is_shown_on_request()
{
    StateView view;
    view.resize(640, 130);
    view.begin(channel_of(100), fields({brake}));
    StateUpdate update;
    for (const std::uint64_t id : {9, 4, 6})
        update.curves.push_back(curve(0, id, "moving_object", "vehicle_classification.light_state.brake_light_state"));
    update.runs = {{0, {0, 99, 2}}, {1, {0, 49, 2}}, {1, {50, 99, 3}}, {2, {10, 99, 2}}};
    update.messages = 100;
    view.add(update);
    QCOMPARE(view.shown(), (std::vector<std::uint32_t>{1, 2, 0}));  // by id
    view.set_only_changes(true);
    QCOMPARE(view.shown(), (std::vector<std::uint32_t>{1, 2}));
}

/// 200 objects that all change all the time.
void StatesTest::many_objects_are_drawn_at_once()
{
    StateView view;
    view.resize(1200, 600);
    view.begin(channel_of(20'000), fields({brake}));
    StateUpdate update;
    for (std::uint32_t i = 0; i != 200; ++i) {
        update.curves.push_back(curve(0, i, "moving_object", "vehicle_classification.light_state.brake_light_state"));
        for (std::uint64_t message = 0; message != 20'000; ++message)
            update.runs.push_back({i, {message, message, 2 + message % 3}});
    }
    update.messages = 20'000;
    view.add(update);
    view.set_scale({0s, 2000s});
    QElapsedTimer timer;
    timer.start();
    const auto image = view.grab().toImage();
    qInfo("painted in %lld ms", timer.elapsed());
    QVERIFY(!image.isNull());
    QCOMPARE(view.shown().size(), std::size_t{200});
}

OSIVIEW_TEST(StatesTest, QApplication)
#include "states_test.moc"
