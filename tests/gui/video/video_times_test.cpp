// SPDX-License-Identifier: MPL-2.0
// Which times the frames of a video show, against whole numbers.
#include <QTest>

#include "gui/video/video_output.hpp"
#include "gui/video/video_times.hpp"
#include "tests/gui/test_class.hpp"

using namespace ositrace;
using namespace ositrace::gui;

class VideoTimesTest : public QObject {
    Q_OBJECT
private slots:
    void frames_are_exact_data();
    void frames_are_exact();
    void a_section_without_end_is_too_long();
    void reads_frame_rates();
    void knows_names_of_videos();
};

/// rate / frames per second = step / divisor seconds.
void VideoTimesTest::frames_are_exact_data()
{
    QTest::addColumn<qint64>("from");
    QTest::addColumn<qint64>("to");
    QTest::addColumn<double>("fps");
    QTest::addColumn<double>("rate");
    QTest::addColumn<qint64>("step");
    QTest::addColumn<qint64>("divisor");
    const qint64 s = 1'000'000'000;
    QTest::newRow("10 s at 30") << qint64(0) << 10 * s << 30.0 << 1.0 << qint64(1) << qint64(30);
    QTest::newRow("one frame more") << qint64(0) << 10 * s + 1 << 30.0 << 1.0 << qint64(1) << qint64(30);
    QTest::newRow("from below 0") << -2 * s << 3 * s << 24.0 << 1.0 << qint64(1) << qint64(24);
    QTest::newRow("slow motion") << 12 * s << 13 * s << 60.0 << 0.1 << qint64(1) << qint64(600);
    QTest::newRow("fast") << qint64(0) << 3600 * s << 25.0 << 5.0 << qint64(1) << qint64(5);
    QTest::newRow("30000/1001") << qint64(7) << 100 * s << 30000.0 / 1001 << 1.0 << qint64(1001) << qint64(30000);
    QTest::newRow("two hours at 30") << qint64(0) << 7200 * s << 30.0 << 1.0 << qint64(1) << qint64(30);
    QTest::newRow("1 ns") << qint64(5) << qint64(6) << 30.0 << 1.0 << qint64(1) << qint64(30);
}

void VideoTimesTest::frames_are_exact()
{
    QFETCH(const qint64, from);
    QFETCH(const qint64, to);
    QFETCH(const double, fps);
    QFETCH(const double, rate);
    QFETCH(const qint64, step);
    QFETCH(const qint64, divisor);
    const VideoTimes times{{Nanoseconds(from), Nanoseconds(to)}, fps, rate};
    const auto exact = [&](qint64 frame) {
        const auto distance = frame * step * 1'000'000'000;
        return from + (2 * distance + divisor) / (2 * divisor);
    };
    qint64 count = 0;
    while (exact(count) < to) ++count;
    QCOMPARE(static_cast<qint64>(times.count()), count);
    for (qint64 frame = 0; frame < count; ++frame)
        QCOMPARE(static_cast<qint64>(times.time(static_cast<std::uint64_t>(frame)).count()), exact(frame));
}

void VideoTimesTest::a_section_without_end_is_too_long()
{
    const VideoTimes all{{Nanoseconds::min(), Nanoseconds::max()}, 30, 1};
    QVERIFY(all.count() > VideoTimes::max_frames);
    const VideoTimes end{{Nanoseconds::max() - Nanoseconds(1), Nanoseconds::max()}, 30, 1};
    QCOMPARE(end.count(), std::uint64_t{1});
    const VideoTimes none{{Nanoseconds(5), Nanoseconds(5)}, 30, 1};
    QCOMPARE(none.count(), std::uint64_t{0});
}

void VideoTimesTest::reads_frame_rates()
{
    QCOMPARE(parse_frames_per_second("30"), std::optional(30.0));
    QCOMPARE(parse_frames_per_second("29.97"), std::optional(29.97));
    QCOMPARE(parse_frames_per_second("30000/1001"), std::optional(30000.0 / 1001));
    for (const auto* const text : {"", "0", "-1", "30/0", "30/", "/30", "1e3", "nan", "inf", "2000", "30 ", "0.001"})
        QVERIFY2(!parse_frames_per_second(text), text);
    QCOMPARE(parse_video_rate("0.1"), std::optional(0.1));
    for (const auto* const text : {"", "0", "-2", "1/2", "5000", "fast"}) QVERIFY2(!parse_video_rate(text), text);
}

void VideoTimesTest::knows_names_of_videos()
{
    for (const auto* const name : {"-", "video.mp4", "a/B.MP4", "x.mkv", "x.mov", "x.webm", "frames", "frames/", ".",
                                   "a.b/frames", "f_%d.png", "a/f_%04d.PNG"})
        QVERIFY2(why_no_video_name(QLatin1String(name)).isEmpty(), name);
    for (const auto* const name : {"", "video.avi", "video.gif", "frame.png", "f_%s.png", "f_%d_%d.png", "f_%04d.jpg",
                                   "%d/f.png", "100%", "f_%04x.png", "f_%99d.png"})
        QVERIFY2(!why_no_video_name(QLatin1String(name)).isEmpty(), name);
}

OSIVIEW_TEST(VideoTimesTest, QCoreApplication)
#include "video_times_test.moc"
