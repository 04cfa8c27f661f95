// SPDX-License-Identifier: MPL-2.0
#include "gui/window/view_options.hpp"

#include <ositrace/error.hpp>
#include <ositrace/network_address.hpp>

#include "app/terminal/common_options.hpp"
#include "app/terminal/near_word.hpp"
#include "app/terminal/quantity.hpp"
#include "gui/playback/time_text.hpp"
#include "gui/remote/remote_file.hpp"
#include "gui/screenshot/png_file.hpp"
#include "gui/video/video_output.hpp"
#include "gui/video/video_times.hpp"

namespace ositrace::gui {

namespace {

using app::invalid_usage;

constexpr int max_pixels = 16384;
constexpr std::uint64_t most_seconds = 24 * 3600;
constexpr std::uint64_t least_kept = std::uint64_t{1} << 20, most_kept = std::uint64_t{1} << 40;

QString text_of(const std::string& argument) { return QString::fromStdString(argument); }

QSize parse_size(const std::string& text)
{
    const auto parts = text_of(text).split(QLatin1Char('x'));
    const QSize size(parts[0].toInt(), parts.value(1).toInt());
    if (parts.size() != 2 || std::min(size.width(), size.height()) < 16 ||
        std::max(size.width(), size.height()) > max_pixels)
        throw invalid_usage("'" + text + "' is not a size. Use a size such as 1920x1080.");
    return size;
}

/// The value next to its name.
template <class T>
T choice(const std::string& name, std::string_view what, const std::array<std::pair<const char*, T>, 2>& known)
{
    for (const auto& [each, value] : known)
        if (name == each) return value;
    throw app::unknown_word(what, name, {known[0].first, known[1].first});
}

void declare_video(app::Options& to, ViewOptions& options)
{
    to.option(
        "--video", "OUT",
        "write a video of the scene and exit; needs no display; OUT is a folder or a pattern (scene_%04d.png) of PNG "
        "files, or a file .mp4, .mkv, .mov, .webm, which ffmpeg encodes; - is standard output (PNG)",
        [&options](const std::string& text) {
            options.video = text_of(text);
            if (const auto why = why_no_video_name(options.video); !why.isEmpty())
                throw invalid_usage(why.toStdString());
        });
    to.option("--fps", "F", "frames per second of the video (default 30)",
              [&options](const std::string& text) {
                  if (!parse_frames_per_second(text))
                      throw invalid_usage("'" + text +
                                          "' is not a number of frames from 0.01 to 1000. Use 30 or 30000/1001.");
                  options.fps = text;
                  options.needs_video = "--fps";
              },
              {"10", "25", "30", "60"});
    to.option("--rate", "R", "trace seconds per second of the video (default 1)",
              [&options](const std::string& text) {
                  const auto rate = parse_video_rate(text);
                  if (!rate) throw invalid_usage("'" + text + "' is not a number from 0.001 to 1000");
                  options.rate = *rate;
                  options.needs_video = "--rate";
              },
              {"0.1", "0.5", "1", "2", "5"});
}

void declare_web(app::Options& to, ViewOptions& options)
{
    constexpr std::uint64_t most_points = 100'000;
    to.option(
        "--web", "OUT.html",
        "write the trace as one web page that plays in any browser, without a network, and exit; needs no display",
        [&options](const std::string& text) {
            options.web = text_of(text);
            if (text != "-" && !options.web.endsWith(QLatin1String(".html"), Qt::CaseInsensitive) &&
                !options.web.endsWith(QLatin1String(".htm"), Qt::CaseInsensitive))
                throw invalid_usage("'" + text + "' is not the name of a web page. Use a name such as drive.html.");
        });
    to.option("--points", "N", "points of each sensor per frame on the web page, at most (default 0: none)",
              [&options](const std::string& text) { options.points = app::parse_count(text, 0, most_points); },
              {"500", "5000"});
}

void check_addresses(const ViewOptions& options)
{
    for (const auto& file : options.files) {
        const auto name = file.toStdString();
        if (is_remote(name) || !is_network_address(name)) continue;
        if (options.writes() || options.benchmark)
            throw invalid_usage(
                QStringLiteral("%1: a picture, a video, a web page or a benchmark needs a file. Record the source: "
                               "osiplay '%1' --sink record:live.mcap")
                    .arg(file)
                    .toStdString());
        static_cast<void>(parse_network_address(name));
    }
}

}  // namespace

void declare(app::Options& to, ViewOptions& options)
{
    to.option("--time", "T",
              "start time: 12.5 (seconds), 90s, 1m, 1:02:03.5, +3 from the start, -3 from the end, '#42' (message), "
              "2021-08-18T15:05:42Z; with --video and --web the section A..B (default: the whole trace)",
              [&options](const std::string& text) { options.time = text; });
    app::declare_input_type(to, options.type, "message type of the files, instead of the detected one");
    to.option("--map", "FILE",
              "OpenDRIVE map (.xodr) that is shown instead of the one in the files; without it, a map in or beside a "
              "file is shown where the file has no road",
              [&options](const std::string& file) { options.map = text_of(file); });
    app::declare_max_message(to, options.max_message_bytes);
    to.flag("--follow", options.follow, "reload files that grow, and show their last message");
    to.option("--keep", "BYTES", "memory for the messages of each live source (default 256M); the oldest are dropped",
              [&options](const std::string& text) {
                  options.keep_bytes = app::parse_bytes(text, most_kept);
                  if (*options.keep_bytes < least_kept)
                      throw invalid_usage("found '" + text + "', expected at least 1M");
              },
              {"256M", "1G"});
    to.option("--view", "NAME", "view of the scene: 3d | bird",
              [&options](const std::string& name) {
                  options.view = choice<View>(name, "view", {{{"3d", View::orbit}, {"bird", View::bird}}});
              },
              {"3d", "bird"});
    to.option("--theme", "NAME", "colours: dark | light",
              [&options](const std::string& name) {
                  options.theme = choice<Theme>(name, "theme", {{{"dark", Theme::dark}, {"light", Theme::light}}});
              },
              {"dark", "light"});
    to.option("--layout", "FILE",
              "panels, theme, camera and hidden categories from a *.osiview.json that the window saved",
              [&options](const std::string& file) { options.layout = text_of(file); });
    to.option("--colour-by", "FIELD", "field that colours the points of clouds: signal_strength, intensity, rcs ...",
              [&options](const std::string& field) { options.colour_by = field; },
              {"intensity", "signal_strength", "rcs"});
    to.option(
        "--screenshot", "FILE", "write a PNG of the scene and exit; needs no display; - is standard output",
        [&options](const std::string& file) {
            options.screenshot = text_of(file);
            if (!is_png_name(file))
                throw invalid_usage("'" + file + "' is not the name of a PNG file. Use a name such as scene.png.");
        });
    declare_video(to, options);
    declare_web(to, options);
    to.flag("--overwrite", options.overwrite, "replace FILE or OUT if it exists");
    to.flag("--window", options.whole_window, "with --screenshot, --video: show the whole window");
    to.option("--size", "WxH", "size of the picture, video or window (default 1280x800)",
              [&options](const std::string& text) {
                  options.size = parse_size(text);
                  options.sized = true;
              },
              {"1280x800", "1920x1080"});
    to.flag("--benchmark", options.benchmark,
            "measure first frame, seeks, playback, a plot, states, a search, longest block of the window, memory and "
            "idle load");
    to.option("--play-for", "SECONDS", "duration of the benchmark's playback (default 5)",
              [&options](const std::string& text) {
                  options.played_for = std::chrono::seconds(app::parse_count(text, 1, most_seconds));
              },
              {"5", "180"});
}

void check(const ViewOptions& options)
{
    const bool is_video = !options.video.isEmpty();
    if (!options.screenshot.isEmpty() + is_video + !options.web.isEmpty() > 1)
        throw invalid_usage("--screenshot, --video and --web exclude each other");
    if (options.files.isEmpty() && (options.writes() || options.benchmark))
        throw invalid_usage(std::string(is_video                        ? "--video"
                                        : !options.web.isEmpty()        ? "--web"
                                        : !options.screenshot.isEmpty() ? "--screenshot"
                                                                        : "--benchmark") +
                            " needs a trace");
    if (options.points > 0 && options.web.isEmpty()) throw invalid_usage("--points requires --web OUT.html");
    if (!options.map.isEmpty() && options.files.isEmpty())
        throw invalid_usage("--map needs a trace; a map alone is opened as a trace is: osiview " +
                            options.map.toStdString());
    if (!options.reports.isEmpty() && options.writes() && options.web.isEmpty() && !options.whole_window)
        throw invalid_usage(options.reports.front().toStdString() +
                            " is shown on the timeline: --screenshot and --video need --window for it");
    if (options.whole_window && (!options.writes() || !options.web.isEmpty()))
        throw invalid_usage("--window requires --screenshot FILE or --video OUT");
    if (!is_video && !options.needs_video.empty())
        throw invalid_usage(std::string(options.needs_video) + " requires --video OUT");
    if (options.writes_section() && !options.time.empty() && !split_section(options.time))
        throw invalid_usage("--time: '" + options.time +
                            "' is not a section of times. Use 2..5, 1:00..1:30, +3.., ..#42 or -3..");
    if (!options.writes_section() && !options.time.empty() && !parse_time(options.time, {{}, Nanoseconds(0)}))
        throw invalid_usage("--time: '" + options.time +
                            "' is not a time. Use 12.5, 90s, 1:02:03.5, +3 from the start, -3 from the end, "
                            "#42 for a message, or 2021-08-18T15:05:42Z.");
    check_addresses(options);
}

}  // namespace ositrace::gui
