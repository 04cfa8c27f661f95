// SPDX-License-Identifier: MPL-2.0
// osiview --video as a script uses it: exact frames, names, an encoder, and that nothing remains of what did not end.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <set>

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTest>

#include "tests/gui/sample_trace.hpp"
#include "tests/gui/test_class.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

constexpr int width = 320, height = 200;

struct Ended {
    int code = -1;
    QByteArray out, err;
};

}  // namespace

class VideoTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void a_frame_is_the_screenshot_of_its_time_data();
    void a_frame_is_the_screenshot_of_its_time();
    void both_views_of_a_layout_are_drawn();
    void trails_of_a_layout_are_drawn();
    void is_the_same_every_time();
    void shows_a_section_at_a_rate();
    void a_frame_of_the_window_is_its_screenshot();
    void replaces_only_when_asked();
    void passes_raw_frames_to_ffmpeg();
    void reports_an_encoder_that_fails();
    void names_an_encoder_that_is_missing();
    void writes_a_stream();
    void a_stopped_video_leaves_nothing();
    void a_killed_video_has_no_name();
    void a_full_disk_is_one_line();
    void refuses_invalid_usage_data();
    void refuses_invalid_usage();

private:
    Ended run(QStringList arguments, const QString& path = {}) const;
    std::unique_ptr<QProcess> start(const QStringList& arguments) const;
    [[nodiscard]] QString at(const std::string& name) const
    {
        return QString::fromStdString((scratch_ / name).string());
    }
    [[nodiscard]] QImage screenshot(const QStringList& options) const;
    void install_encoder(const QByteArray& script) const;
    [[nodiscard]] QStringList options(const QStringList& more) const
    {
        const auto size = more.contains("--size")
                              ? QStringList{}
                              : QStringList{"--size", QStringLiteral("%1x%2").arg(width).arg(height)};
        return QStringList{at("drive.osi")} + size + more;
    }

    ScratchFolder scratch_;
};

void VideoTest::initTestCase()
{
    for (const auto* const name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) qunsetenv(name);
    qunsetenv("XDG_RUNTIME_DIR");  // as in a container: no warning of Qt
    qputenv("XDG_CACHE_HOME", (scratch_ / "cache").c_str());
    auto sample = test::small_scene(10);
    sample.reflections = 500;
    test::write_sample(scratch_ / "drive.osi", sample);
    for (const auto* const name : {"bin", "cache"}) std::filesystem::create_directory(scratch_ / name);
}

/// Every test begins with the trace alone.
void VideoTest::init()
{
    const std::set<std::string> kept{"drive.osi", "bin", "cache"};
    for (const auto& name : scratch_.names())
        if (!kept.contains(name)) std::filesystem::remove_all(scratch_ / name);
}

std::unique_ptr<QProcess> VideoTest::start(const QStringList& arguments) const
{
    auto process = std::make_unique<QProcess>();
    process->setWorkingDirectory(QString::fromStdString(scratch_.path().string()));
    process->start(program_path("osiview"), arguments);
    return process;
}

Ended VideoTest::run(QStringList arguments, const QString& path) const
{
    QProcess process;
    process.setWorkingDirectory(QString::fromStdString(scratch_.path().string()));
    auto environment = QProcessEnvironment::systemEnvironment();
    if (!path.isEmpty()) environment.insert(QStringLiteral("PATH"), path);
    process.setProcessEnvironment(environment);
    const bool is_shell = arguments.value(0) == QLatin1String("sh");
    if (is_shell)
        process.start(QStringLiteral("/bin/sh"), arguments.mid(1));
    else
        process.start(program_path("osiview"), arguments);
    if (!process.waitForFinished(patience_ms)) return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -process.exitCode(),
            process.readAllStandardOutput(), process.readAllStandardError()};
}

QImage VideoTest::screenshot(const QStringList& more) const
{
    const auto name = at("shot.png");
    const auto ended = run(options(QStringList{"--screenshot", name, "--overwrite"} + more));
    if (ended.code != 0) qWarning("%s", ended.err.constData());
    return QImage(name);
}

void VideoTest::install_encoder(const QByteArray& script) const
{
    QFile file(at("bin/ffmpeg"));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write("#!/bin/sh\n" + script);
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

void VideoTest::a_frame_is_the_screenshot_of_its_time_data()
{
    QTest::addColumn<QStringList>("looks");
    QTest::newRow("from above") << QStringList{"--view", "bird"};
    QTest::newRow("light, by strength") << QStringList{"--view", "bird",        "--theme",
                                                       "light",  "--colour-by", "signal_strength"};
    QTest::newRow("3D") << QStringList{"--view", "3d"};
}

void VideoTest::a_frame_is_the_screenshot_of_its_time()
{
    QFETCH(const QStringList, looks);
    const auto ended = run(options({"--video", "frames", "--fps", "20"}) + looks);
    QCOMPARE(ended.code, 0);
    QCOMPARE(ended.out, QByteArray("20 frames, 0.000 s to 1.000 s: frames\n"));
    QCOMPARE(QDir(at("frames")).entryList(QDir::Files | QDir::Hidden).size(), 20);
    for (const int frame : {0, 1, 7, 19}) {
        const QImage shown(at(QStringLiteral("frames/frame_%1.png").arg(frame, 6, 10, QLatin1Char('0')).toStdString()));
        QCOMPARE(shown.size(), QSize(width, height));
        const auto time = QString::number(frame / 20.0);
        // After the last message the viewer stays at it.
        QCOMPARE(shown, screenshot(looks + QStringList{"--time", frame == 19 ? QStringLiteral("0.9") : time}));
    }
}

/// Each half is what a layout with that view alone shows.
void VideoTest::both_views_of_a_layout_are_drawn()
{
    const std::string start = R"({"format":"osiview layout","version":1,"theme":"light")";
    const std::string left = R"("camera":{"view":"3d","distance":40,"yaw":0.5,"pitch":0.6},"hidden":[4,5])";
    const std::string right = R"("camera":{"view":"bird","distance":90,"yaw":1,"pitch":0.6},"legend":false)";
    write_file(scratch_ / "both.json", start + "," + left + R"(,"first_share":0.4,"second_view":{)" + right + "}}");
    write_file(scratch_ / "left.json", start + "," + left + "}");
    write_file(scratch_ / "right.json", start + "," + right + "}");
    const auto shot = [&](const QString& layout, int pixels) {
        const QStringList more{"--layout", layout,   "--time",
                               "0.4",      "--size", QStringLiteral("%1x%2").arg(pixels).arg(height)};
        return screenshot(more).convertToFormat(QImage::Format_RGB32);
    };
    const auto both = shot("both.json", 322);
    QCOMPARE(both.size(), QSize(322, height));
    QCOMPARE(both.copy(0, 0, 128, height), shot("left.json", 128));
    QCOMPARE(both.copy(130, 0, 192, height), shot("right.json", 192));
    QCOMPARE(both.copy(128, 0, 1, height), both.copy(129, 0, 1, height));
    const auto ended = run({at("drive.osi"), "--layout", "both.json", "--video", "frames", "--time", "0.4..0.6",
                            "--fps", "10", "--size", QStringLiteral("322x%1").arg(height)});
    QVERIFY2(ended.code == 0, ended.err.constData());
    QCOMPARE(QImage(at("frames/frame_000000.png")).convertToFormat(QImage::Format_RGB32), both);
}

void VideoTest::trails_of_a_layout_are_drawn()
{
    const std::string start = R"({"format":"osiview layout","version":1,"theme":"dark","trail":)";
    write_file(scratch_ / "with.json", start + "0.5}");
    write_file(scratch_ / "without.json", start + "0}");
    const auto with = screenshot({"--layout", "with.json", "--time", "0.8", "--view", "bird"});
    const auto without = screenshot({"--layout", "without.json", "--time", "0.8", "--view", "bird"});
    QVERIFY(with != without);
    // At the first message there is nothing before.
    QCOMPARE(screenshot({"--layout", "with.json", "--view", "bird"}),
             screenshot({"--layout", "without.json", "--view", "bird"}));
    const auto ended = run(
        options({"--layout", "with.json", "--video", "frames", "--time", "0.7..0.9", "--fps", "10", "--view", "bird"}));
    QVERIFY2(ended.code == 0, ended.err.constData());
    QCOMPARE(QImage(at("frames/frame_000001.png")), with);
}

void VideoTest::is_the_same_every_time()
{
    QCOMPARE(run(options({"--video", "first", "--fps", "10"})).code, 0);
    QCOMPARE(run(options({"--video", "second", "--fps", "10"})).code, 0);
    QCOMPARE(QDir(at("first")).entryList(QDir::Files).size(), 10);
    for (const auto& name : QDir(at("first")).entryList(QDir::Files)) {
        const auto file = name.toStdString();
        QVERIFY2(read_file(scratch_ / ("first/" + file)) == read_file(scratch_ / ("second/" + file)), file.c_str());
    }
}

void VideoTest::shows_a_section_at_a_rate()
{
    const auto ended =
        run(options({"--video", "f_%03d.png", "--time", "0.2..0.7", "--rate", "0.5", "--fps", "10", "--view", "bird"}));
    QCOMPARE(ended.code, 0);
    QCOMPARE(ended.out, QByteArray("10 frames, 0.200 s to 0.700 s: f_%03d.png\n"));
    QVERIFY(QFile::exists(at("f_000.png")) && QFile::exists(at("f_009.png")) && !QFile::exists(at("f_010.png")));
    QCOMPARE(QImage(at("f_001.png")), screenshot({"--time", "0.25", "--view", "bird"}));
    QCOMPARE(QImage(at("f_009.png")), screenshot({"--time", "0.65", "--view", "bird"}));
    const auto rest = run(options({"--video", "rest", "--time", "-0.4..", "--fps", "10"}));
    QCOMPARE(rest.out, QByteArray("5 frames, 0.500 s to 1.000 s: rest\n"));
    const auto messages = run(options({"--video", "messages", "--time", "#2..#4", "--fps", "10"}));
    QCOMPARE(messages.out, QByteArray("2 frames, 0.200 s to 0.400 s: messages\n"));
    const auto longer = run(options({"--video", "longer", "--time", "0.8..50", "--fps", "10"}));
    QCOMPARE(longer.out, QByteArray("2 frames, 0.800 s to 1.000 s: longer\n"));
    QVERIFY2(longer.err.contains("shortened to the times of the trace, 0.000 s to 1.000 s"), longer.err.constData());
}

void VideoTest::a_frame_of_the_window_is_its_screenshot()
{
    const QStringList window{at("drive.osi"), "--window", "--size", "900x600"};
    const auto ended = run(window + QStringList{"--video", "frames", "--fps", "10"});
    QVERIFY2(ended.code == 0, ended.err.constData());
    QCOMPARE(ended.out, QByteArray("10 frames, 0.000 s to 1.000 s: frames\n"));
    QCOMPARE(QDir(at("frames")).entryList(QDir::Files | QDir::Hidden).size(), 10);
    QCOMPARE(run(window + QStringList{"--screenshot", "shot.png", "--time", "0"}).code, 0);
    QCOMPARE(QImage(at("frames/frame_000000.png")), QImage(at("shot.png")));
    QCOMPARE(run(window + QStringList{"--screenshot", "shot.png", "--time", "0.6", "--overwrite"}).code, 0);
    QCOMPARE(QImage(at("frames/frame_000006.png")), QImage(at("shot.png")));
}

void VideoTest::replaces_only_when_asked()
{
    QCOMPARE(run(options({"--video", "frames", "--fps", "10"})).code, 0);
    write_file(scratch_ / "frames/notes.txt", "mine");
    const auto before = read_file(scratch_ / "frames/frame_000000.png");
    const auto refused = run(options({"--video", "frames", "--fps", "10", "--view", "bird"}));
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.err.contains("frame_000000.png exists. Use --overwrite to replace it."), refused.err.constData());
    QCOMPARE(read_file(scratch_ / "frames/frame_000000.png"), before);
    QCOMPARE(run(options({"--video", "frames/", "--fps", "4", "--view", "bird", "--overwrite"})).code, 0);
    QVERIFY(read_file(scratch_ / "frames/frame_000000.png") != before);
    QCOMPARE(
        QDir(at("frames")).entryList(QDir::Files | QDir::Hidden),
        (QStringList{"frame_000000.png", "frame_000001.png", "frame_000002.png", "frame_000003.png", "notes.txt"}));
    QCOMPARE(read_file(scratch_ / "frames/notes.txt"), std::string("mine"));
    write_file(scratch_ / "drive.mp4", "other");
    const auto video = run(options({"--video", "drive.mp4"}), at("bin"));
    QCOMPARE(video.code, 1);
    QVERIFY2(video.err.contains("drive.mp4 exists. Use --overwrite to replace it."), video.err.constData());
    const auto nowhere = run(options({"--video", "absent/frames"}));
    QCOMPARE(nowhere.code, 1);
    QVERIFY2(nowhere.err.contains("absent does not exist"), nowhere.err.constData());
}

void VideoTest::passes_raw_frames_to_ffmpeg()
{
    install_encoder("for last; do :; done\nprintf '%s\\n' \"$@\" >args\ncat >raw\necho done >\"${last#file:}\"\n");
    const auto ended = run(options({"--video", "drive.mp4", "--fps", "30000/1001", "--view", "bird"}),
                           at("bin") + QStringLiteral(":/usr/bin:/bin"));
    QVERIFY2(ended.code == 0, ended.err.constData());
    QCOMPARE(ended.out, QByteArray("30 frames, 0.000 s to 1.000 s: drive.mp4\n"));
    QCOMPARE(read_file(scratch_ / "drive.mp4"), std::string("done\n"));
    const auto args = QString::fromStdString(read_file(scratch_ / "args")).split('\n');
    const auto value_of = [&](const QString& name) { return args.value(args.indexOf(name) + 1); };
    QCOMPARE(value_of("-framerate"), QStringLiteral("30000/1001"));
    QCOMPARE(value_of("-video_size"), QStringLiteral("320x200"));
    QCOMPARE(value_of("-pixel_format"), QStringLiteral("bgr0"));
    QCOMPARE(value_of("-i"), QStringLiteral("pipe:0"));
    auto raw = read_file(scratch_ / "raw");
    constexpr std::size_t frame_bytes = std::size_t{4} * width * height;
    QCOMPARE(raw.size(), 30 * frame_bytes);
    const QImage frame(reinterpret_cast<const uchar*>(raw.data()) + 15 * frame_bytes, width, height,
                       QImage::Format_RGB32);
    QCOMPARE(frame.convertToFormat(QImage::Format_RGB888),
             screenshot({"--time", "500500000 ns", "--view", "bird"}).convertToFormat(QImage::Format_RGB888));
    QCOMPARE(scratch_.names(),
             (std::set<std::string>{"drive.osi", "bin", "cache", "drive.mp4", "args", "raw", "shot.png"}));
}

void VideoTest::reports_an_encoder_that_fails()
{
    const auto path = at("bin") + QStringLiteral(":/usr/bin:/bin");
    install_encoder("head -c 100000 >/dev/null\necho 'one' >&2\necho 'Unknown encoder' >&2\nexit 3\n");
    const auto early = run(options({"--video", "drive.mp4"}), path);
    QCOMPARE(early.code, 1);
    QCOMPARE(early.err, QByteArray("osiview: drive.mp4: ffmpeg: Unknown encoder\n"));
    install_encoder("cat >/dev/null\nexit 3\n");
    const auto late = run(options({"--video", "drive.mp4"}), path);
    QCOMPARE(late.code, 1);
    QCOMPARE(late.err,
             QByteArray("osiview: drive.mp4: ffmpeg: it ended with status 3 before the video was complete\n"));
    install_encoder("kill -SEGV $$\n");
    const auto crashed = run(options({"--video", "drive.mp4"}), path);
    QCOMPARE(crashed.code, 1);
    QVERIFY2(crashed.err.startsWith("osiview: drive.mp4: ffmpeg: ") && crashed.err.count('\n') == 1,
             crashed.err.constData());
    QCOMPARE(scratch_.names(), (std::set<std::string>{"drive.osi", "bin", "cache"}));
}

void VideoTest::names_an_encoder_that_is_missing()
{
    std::filesystem::remove(scratch_ / "bin/ffmpeg");
    const auto ended = run(options({"--video", "drive.mp4"}), at("bin"));
    QCOMPARE(ended.code, 1);
    QCOMPARE(ended.err, QByteArray("osiview: drive.mp4: ffmpeg, which encodes videos, is not in PATH. Install it, or "
                                   "write PNG files into a folder.\n"));
    QCOMPARE(scratch_.names(), (std::set<std::string>{"drive.osi", "bin", "cache"}));
}

void VideoTest::writes_a_stream()
{
    const auto ended = run(options({"--video", "-", "--fps", "10"}));
    QCOMPARE(ended.code, 0);
    QCOMPARE(ended.out.count("\x89PNG\r\n"), 10);
    QCOMPARE(ended.out.count("IEND"), 10);
    QVERIFY2(ended.err.contains("10 frames, 0.000 s to 1.000 s: standard output"), ended.err.constData());
}

void VideoTest::a_stopped_video_leaves_nothing()
{
    const auto process = start(options({"--video", "frames", "--fps", "1000", "--rate", "0.001"}));
    const auto is_begun = [&] { return scratch_.names().size() == 4; };
    QVERIFY(QTest::qWaitFor(is_begun, patience_ms));
    process->terminate();
    QVERIFY(process->waitForFinished(patience_ms));
    QCOMPARE(process->exitStatus(), QProcess::CrashExit);  // by the signal, as its sender expects
    QCOMPARE(process->readAllStandardError(), QByteArray("osiview: stopped: nothing was written\n"));
    QCOMPARE(scratch_.names(), (std::set<std::string>{"drive.osi", "bin", "cache"}));
}

void VideoTest::a_killed_video_has_no_name()
{
    const auto process = start(options({"--video", "frames", "--fps", "1000", "--rate", "0.001"}));
    const auto has_frames = [&] {
        for (const auto& name : scratch_.names())
            if (name.ends_with(".tmp") && !std::filesystem::is_empty(scratch_ / name)) return true;
        return false;
    };
    QVERIFY(QTest::qWaitFor(has_frames, patience_ms));
    process->kill();
    QVERIFY(process->waitForFinished(patience_ms));
    QVERIFY(!scratch_.names().contains("frames"));
    QCOMPARE(scratch_.names().size(), std::size_t{4});
    QCOMPARE(run(options({"--video", "frames", "--fps", "10"})).code, 0);  // which cleans up
    QCOMPARE(scratch_.names(), (std::set<std::string>{"drive.osi", "bin", "cache", "frames"}));
}

void VideoTest::a_full_disk_is_one_line()
{
    const auto program = QStringLiteral("'") + program_path("osiview") + QStringLiteral("' drive.osi --size 320x200 ");
    const auto stream = run({"sh", "-c", program + QStringLiteral("--video - >/dev/full")});
    QCOMPARE(stream.code, 1);
    QCOMPARE(stream.err, QByteArray("osiview: standard output: No space left on device\n"));
    const auto frames =
        run({"sh", "-c",
             QStringLiteral("trap '' XFSZ; ulimit -f 8; ") + program + QStringLiteral("--video frames --fps 10")});
    QCOMPARE(frames.code, 1);
    QVERIFY2(frames.err.contains("frames/frame_000000.png: ") && frames.err.count('\n') == 1, frames.err.constData());
    QCOMPARE(scratch_.names(), (std::set<std::string>{"drive.osi", "bin", "cache"}));
}

void VideoTest::refuses_invalid_usage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<int>("code");
    const auto row = [](const char* name, const QStringList& arguments, const char* message, int code = 2) {
        QTest::newRow(name) << arguments << QByteArray(message) << code;
    };
    row("name", {"drive.osi", "--video", "drive.avi"}, "--video: 'drive.avi' is not the name of a video");
    row("one time", {"drive.osi", "--video", "frames", "--time", "0.5"}, "is not a section of times");
    row("no trace", {"--video", "frames"}, "--video needs a trace");
    row("two outputs", {"drive.osi", "--video", "frames", "--screenshot", "a.png"}, "exclude each other");
    row("fps alone", {"drive.osi", "--screenshot", "a.png", "--fps", "10"}, "--fps requires --video");
    row("fps", {"drive.osi", "--video", "frames", "--fps", "0"}, "--fps: '0' is not a number of frames");
    row("rate", {"drive.osi", "--video", "frames", "--rate", "x"}, "--rate: 'x' is not a number");
    row("outside", {"drive.osi", "--video", "frames", "--time", "5..6"}, "is outside of the trace", 1);
    row("empty", {"drive.osi", "--video", "frames", "--time", "0.5..0.5"}, "is empty: B must be later than A");
    row("calendar", {"drive.osi", "--video", "frames", "--time", "2021-08-18T15:05:42Z.."}, "has no calendar time", 1);
    row("colour", {"drive.osi", "--video", "frames", "--colour-by", "absent"}, "no cloud has a field 'absent'", 1);
}

void VideoTest::refuses_invalid_usage()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, message);
    QFETCH(const int, code);
    const auto ended = run(arguments);
    QVERIFY2(ended.err.contains(message), ended.err.constData());
    QCOMPARE(ended.code, code);
    QCOMPARE(ended.err.count('\n'), ended.err.contains("try 'osiview --help'") ? 2 : 1);
    QCOMPARE(scratch_.names(), (std::set<std::string>{"drive.osi", "bin", "cache"}));
}

OSIVIEW_TEST(VideoTest, QCoreApplication)
#include "video_test.moc"
