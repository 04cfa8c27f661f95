// SPDX-License-Identifier: MPL-2.0
// Two objects over time: read by fields, against the pictures of the messages.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <QSignalSpy>
#include <QTest>

#include <ositrace/pair_motion.hpp>
#include <ositrace/picture_maker.hpp>

#include "gui/objects/pair_chart.hpp"
#include "gui/objects/pair_reader.hpp"
#include "tests/gui/sample_trace.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace ositrace::gui;

namespace {

constexpr int patience_ms = 60'000;
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

}  // namespace

class PairTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { ositrace::test::write_sample(scratch_ / "drive.osi", ositrace::test::small_scene(frames)); }
    void curves_agree_with_pictures();
    void a_pair_needs_ids_and_one_channel();
    void the_chart_shows_the_least_values_and_seeks();

private:
    std::shared_ptr<const PairCurves> read(const PairPaths& paths, Nanoseconds shift) const;

    ScratchFolder scratch_;
};

std::shared_ptr<const PairCurves> PairTest::read(const PairPaths& paths, Nanoseconds shift) const
{
    auto channel = open_channel(scratch_ / "drive.osi");
    channel.shift = shift;
    std::shared_ptr<const PairCurves> curves;
    PairReader reader(channel, paths);
    connect(&reader, &PairReader::updated, &reader,
            [&](const std::shared_ptr<const PairCurves>& update) { curves = update; });
    static_cast<void>(QTest::qWaitFor([&] { return curves && curves->is_complete; }, patience_ms));
    return curves;
}

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
    const auto paths = pair_paths(*other, *first->host);
    QVERIFY(paths);
    QCOMPARE(paths->thing, "global_ground_truth.moving_object[id=" + std::to_string(other->key.id) + "]");
    const auto curves = read(*paths, std::chrono::seconds(5));
    QVERIFY(curves);
    QVERIFY2(curves->problem.isEmpty(), qPrintable(curves->problem));
    QCOMPARE(curves->times.size(), frames);
    for (std::uint64_t number = 0; number != frames; ++number) {
        const auto picture = picture_of_message(maker, channel, number);
        const auto* const thing = picture->find(other->key);
        QVERIFY(thing != nullptr);
        const auto motion = pair_motion(ground_box(*thing), ground_box(*picture->host));
        QVERIFY(motion);
        constexpr double float_precision = 1e-3;
        QVERIFY(curves->times[number] ==
                Nanoseconds(std::chrono::seconds(5)) + std::chrono::milliseconds(100) * static_cast<int>(number));
        QVERIFY(std::abs(curves->gap[number] - motion->gap) < float_precision);
        QVERIFY(std::abs(curves->distance[number] - motion->distance) < float_precision);
        QCOMPARE(std::isfinite(curves->time_to_collision[number]), motion->time_to_collision.has_value());
        if (motion->time_to_collision)
            QVERIFY(std::abs(curves->time_to_collision[number] / *motion->time_to_collision - 1) < 0.01 ||
                    *motion->time_to_collision < 0.01);
    }
}

void PairTest::a_pair_needs_ids_and_one_channel()
{
    Thing a, b;
    a.path = "moving_object[1]";
    a.key.id = 7;
    b.path = "moving_object[2]";
    b.key.id = 8;
    QVERIFY(pair_paths(a, b));
    b.has_id = false;
    QVERIFY(!pair_paths(a, b));
    b.has_id = true;
    b.key.source = 1;
    QVERIFY(!pair_paths(a, b));
    // Objects that the trace does not contain.
    const auto curves =
        read({"global_ground_truth.moving_object[id=4711]", "global_ground_truth.moving_object[id=1]"}, {});
    QVERIFY(curves && curves->times.empty());
    const auto absent = read({"absent[id=1]", "absent[id=2]"}, {});
    QVERIFY(absent && !absent->problem.isEmpty());
}

void PairTest::the_chart_shows_the_least_values_and_seeks()
{
    auto curves = std::make_shared<PairCurves>();
    constexpr double never = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i != 11; ++i) {
        curves->times.push_back(std::chrono::seconds(10 + i));
        curves->gap.push_back(std::abs(i - 4) + 2);
        curves->distance.push_back(std::abs(i - 4) + 6);
        curves->time_to_collision.push_back(i < 4 ? 5.0 - i : never);
    }
    curves->is_complete = true;
    PairChart chart;
    chart.resize(412, 160);
    chart.show();
    QVERIFY(QTest::qWaitForWindowExposed(&chart));
    const auto empty = chart.grab().toImage();
    chart.show_curves(curves);
    chart.show_time(std::chrono::seconds(15));
    QCOMPARE(chart.least_text(false), QStringLiteral("gap: least 2.00 m at 14.000 s"));
    QCOMPARE(chart.least_text(true), QStringLiteral("time to collision: least 2.00 s at 13.000 s"));
    QVERIFY(chart.grab().toImage() != empty);
    if (const auto path = qEnvironmentVariable("OSIVIEW_TEST_GRAB"); !path.isEmpty())
        chart.grab().save(path + "/pair_chart.png");
    QSignalSpy seeks(&chart, &PairChart::seek_requested);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, {206, 80});
    QCOMPARE(seeks.count(), 1);
    QCOMPARE(seeks.front().front().value<Nanoseconds>(), Nanoseconds(std::chrono::seconds(15)));
}

QTEST_MAIN(PairTest)
#include "pair_test.moc"
