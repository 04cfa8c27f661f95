// SPDX-License-Identifier: MPL-2.0
// Two objects over time: read by fields, against the pictures of the messages.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <QTest>

#include <ositrace/picture_maker.hpp>

#include "gui/objects/inspection.hpp"
#include "gui/objects/inspector.hpp"
#include "gui/plot/plot_view.hpp"
#include "tests/gui/sample_trace.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

constexpr std::uint64_t frames = 30;

/// The channel of a file, as the session has it.
OpenChannel open_channel(const std::filesystem::path& file)
{
    OpenChannel channel;
    channel.trace = open_trace(file);
    channel.channel = std::shared_ptr<const Channel>(channel.trace, &channel.trace->info().channels.front());
    channel.times = std::make_shared<const MessageTimes>();
    return channel;
}

std::shared_ptr<const Picture> picture_of_message(PictureMaker& maker, const OpenChannel& channel, std::uint64_t number)
{
    const auto frame = channel.trace->frame(0, number);
    const PictureSource source{.frame = &frame, .channel = channel.channel.get()};
    return maker.make({&source, 1});
}

/// What is read of a pair of objects.
struct ReadPair {
    std::vector<PlotLine> lines;
    QString problem;
};

ReadPair read_pair(OpenChannel channel, const PairExpressions& pair, Nanoseconds shift)
{
    channel.shift = shift;
    PlotRequest request{.channel = channel, .expressions = {}};
    for (const auto& each : pair) request.expressions.push_back(CurveExpression::compile(*channel.channel->root, each));
    PlotReader reader(std::move(request));
    std::shared_ptr<const PlotUpdate> last;
    QObject::connect(&reader, &PlotReader::updated, &reader,
                     [&](const std::shared_ptr<const PlotUpdate>& update) { last = update; });
    if (!QTest::qWaitFor([&] { return last && last->is_complete; }, patience_ms)) return {};
    return {pair_lines(*last, shift), last->problem};
}

}  // namespace

class PairTest : public QObject {
    Q_OBJECT
private slots:
    void a_point_has_its_place_and_its_values();
    void initTestCase() { ositrace::test::write_sample(scratch_ / "drive.osi", ositrace::test::small_scene(frames)); }
    void curves_agree_with_pictures();
    void a_pair_needs_ids_and_one_channel();
    void the_least_values_are_named();

private:
    ScratchFolder scratch_;
};

void PairTest::curves_agree_with_pictures()
{
    const auto channel = open_channel(scratch_ / "drive.osi");
    PictureMaker maker;
    const auto first = picture_of_message(maker, channel, 0);
    QVERIFY(first->host);
    const Thing* other = nullptr;
    for (const auto& layer : first->layers)
        for (const auto& thing : layer->things)
            if (thing.key.category == Category::moving_object && other == nullptr) other = &thing;
    QVERIFY(other != nullptr);
    const auto pair = pair_expressions(*other, *first->host);
    QVERIFY(pair);
    QVERIFY(
        (*pair)[0].starts_with("gap(global_ground_truth.moving_object[id=" + std::to_string(other->key.id) + "], "));
    const Nanoseconds shift = std::chrono::seconds(5);
    const auto read = read_pair(channel, *pair, shift);
    QVERIFY2(read.problem.isEmpty(), qPrintable(read.problem));
    QCOMPARE(read.lines[0].data->curve.values.size(), std::size_t{frames});
    for (std::uint64_t number = 0; number != frames; ++number) {
        const auto picture = picture_of_message(maker, channel, number);
        const auto* const thing = picture->find(other->key);
        QVERIFY(thing != nullptr);
        const auto motion = pair_motion(ground_box(*thing), ground_box(*picture->host));
        QVERIFY(motion);
        constexpr double float_precision = 1e-3;
        const auto time = shift + std::chrono::milliseconds(100) * static_cast<int>(number);
        const auto value_of = [&](const QString& name) -> std::optional<double> {
            for (const auto& line : read.lines)
                if (line.name.contains(name)) return line.value(time);
            return std::nullopt;
        };
        const auto is_near = [&](const std::optional<double>& read_value, const std::optional<double>& expected) {
            if (!read_value || !expected) return read_value.has_value() == expected.has_value();
            return std::abs(*read_value / *expected - 1) < 0.01 || *expected < 0.01;
        };
        const auto gap = value_of(QStringLiteral("gap"));
        QVERIFY(gap && std::abs(*gap - motion->gap) < float_precision);
        const auto collision = motion->path ? time_to_collision_of(*motion->path) : std::nullopt;
        QVERIFY(is_near(value_of(QStringLiteral("time to collision")), collision));
        QVERIFY(is_near(value_of(QStringLiteral("time to contact")), motion->time_to_contact));
    }
}

void PairTest::a_pair_needs_ids_and_one_channel()
{
    Thing a, b;
    a.path = "moving_object[1]";
    a.key.id = 7;
    b.path = "moving_object[2]";
    b.key.id = 8;
    QVERIFY(pair_expressions(a, b));
    QCOMPARE((*pair_expressions(a, b))[1], std::string("time_to_collision(moving_object[id=7], moving_object[id=8])"));
    b.has_id = false;
    QVERIFY(!pair_expressions(a, b));
    b.has_id = true;
    b.key.source = 1;
    QVERIFY(!pair_expressions(a, b));
    // Objects that the trace does not contain.
    const auto read =
        read_pair(open_channel(scratch_ / "drive.osi"),
                  {"gap(global_ground_truth.moving_object[id=4711], global_ground_truth.moving_object[id=1])",
                   "timestamp.seconds", "timestamp.nanos"},
                  {});
    QVERIFY(read.problem.isEmpty());
    QVERIFY(std::ranges::none_of(read.lines, [](const PlotLine& line) { return line.name == QStringLiteral("gap"); }));
}

void PairTest::the_least_values_are_named()
{
    Curve gap, collision;
    for (int i = 0; i != 11; ++i) {
        gap.times.emplace_back(std::chrono::seconds(10 + i));
        gap.values.push_back(std::abs(i - 4) + 2);
        if (i > 4) continue;
        collision.times.emplace_back(std::chrono::seconds(10 + i));
        collision.values.push_back(i < 4 ? 25.0 - 6 * i : std::numeric_limits<double>::quiet_NaN());
    }
    PlotUpdate update;
    update.curves = {{{"", std::make_shared<const PlotData>(gap)}},
                     {{"", std::make_shared<const PlotData>(collision)}}};
    auto lines = pair_lines(update, std::chrono::seconds(1));
    QCOMPARE(lines[0].note, QStringLiteral("least 2.00 at 15.000 s"));
    QCOMPARE(lines[1].note, QStringLiteral("least 7.00 at 14.000 s"));
    // Longer times than 20 s do not flatten the others, and zero is always on the axis.
    PlotView chart;
    chart.set_legend(true);
    chart.resize(412, 200);
    chart.set_lines(lines);
    chart.set_extent(TimeSection{std::chrono::seconds(11), std::chrono::seconds(21)});
    chart.set_time(std::chrono::seconds(16));
    const auto y_of = [&](std::size_t line, double value) { return chart.place_of(line, {}, value).y(); };
    QVERIFY(y_of(1, 0) < chart.area().bottom() && y_of(1, 20) > chart.area().top());
    QVERIFY(y_of(1, 25) < chart.area().top());
    QVERIFY(y_of(0, 0) < chart.area().bottom());
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        chart.grab().save(path + "/pair_chart.png");
    update.curves[1].front().data = std::make_shared<const PlotData>(Curve());
    QCOMPARE(pair_lines(update, {})[1].note, QStringLiteral("never"));
    update.curves[0].front().data = update.curves[1].front().data;
    QVERIFY(pair_lines(update, {}).empty());
}

void PairTest::a_point_has_its_place_and_its_values()
{
    Cloud cloud;
    cloud.path = "lidar_sensor_view[0].reflection";
    cloud.sensor = {1, 0, 0};
    cloud.points = {{0, 0, 0}, {4, 4, 0}};
    cloud.elements = {3, 7};  // the others have no point
    cloud.fields = {{.name = "signal_strength", .unit = "dB", .values = {-60, -70.5F}}};
    Picture picture;
    picture.origin = {100, 200, 0};
    const auto rows = inspect_point(cloud, 7, picture, QStringLiteral("SensorView"));
    QCOMPARE(rows.at(0).value, QStringLiteral("104.00, 204.00, 0.00 m"));
    QCOMPARE(rows.at(1).value, QStringLiteral("5.00 m"));
    QCOMPARE(rows.at(2).name, QStringLiteral("signal_strength"));
    QCOMPARE(rows.at(2).value, QStringLiteral("-70.5 dB"));
    QCOMPARE(rows.at(2).path, std::string("lidar_sensor_view[0].reflection[7].signal_strength"));
    QVERIFY(inspect_point(cloud, 4, picture, {}).empty());
}

OSIVIEW_TEST(PairTest, QApplication)
#include "pair_test.moc"
