// SPDX-License-Identifier: MPL-2.0
#include "gui/window/view_options.hpp"

#include <QFile>
#include <QRegularExpression>

#include <ositrace/error.hpp>
#include <ositrace/network_address.hpp>
#include <ositrace/transcoder.hpp>

#include "gui/playback/time_text.hpp"
#include "gui/screenshot/png_file.hpp"
#include "gui/video/video_output.hpp"
#include "gui/video/video_times.hpp"

namespace ositrace::gui {

namespace {

constexpr int max_pixels = 16384;
constexpr int most_seconds = 24 * 3600;

bool parse_size(const QString& text, QSize& size)
{
    const auto parts = text.split(QLatin1Char('x'));
    if (parts.size() != 2) return false;
    bool width_fits = false;
    bool height_fits = false;
    size = {parts[0].toInt(&width_fits), parts[1].toInt(&height_fits)};
    return width_fits && height_fits && size.width() >= 16 && size.height() >= 16 && size.width() <= max_pixels &&
           size.height() <= max_pixels;
}

/// `512M`: K, M and G are powers of 1024. Empty: invalid.
std::optional<std::size_t> byte_size(QString text, std::uint64_t most)
{
    const auto unit = text.isEmpty() ? -1 : QStringLiteral("KMG").indexOf(text.back());
    if (unit >= 0) text.chop(1);
    bool is_number = false;
    const auto number = text.toULongLong(&is_number);
    const auto factor = 1ULL << (10 * (unit + 1));
    if (!is_number || number == 0 || number > most / factor) return std::nullopt;
    return static_cast<std::size_t>(number * factor);
}

QString type_codes()
{
    QStringList codes;
    for (const auto& row : message_types())
        codes += QString::fromUtf8(row.code.data(), static_cast<qsizetype>(row.code.size()));
    return codes.join(QStringLiteral(", "));
}

/// Applies an option with a value. Returns an empty text, or why the value is invalid.
QString apply_value(ViewOptions& options, const QString& name, const QString& value)
{
    if (name == QLatin1String("--layout")) {
        options.layout = value;
    } else if (name == QLatin1String("--screenshot")) {
        options.screenshot = value;
        if (!is_png_name(QFile::encodeName(value).toStdString()))
            return QStringLiteral("--screenshot: '%1' is not the name of a PNG file. Use a name such as scene.png.")
                .arg(value);
    } else if (name == QLatin1String("--video")) {
        options.video = value;
        if (const auto why = why_no_video_name(value); !why.isEmpty()) return QStringLiteral("--video: ") + why;
    } else if (name == QLatin1String("--fps")) {
        options.fps = value.toStdString();
        if (!parse_frames_per_second(options.fps))
            return QStringLiteral("--fps: '%1' is not a number of frames from 0.01 to 1000. Use 30 or 30000/1001.")
                .arg(value);
    } else if (name == QLatin1String("--rate")) {
        const auto rate = parse_video_rate(value.toStdString());
        if (!rate) return QStringLiteral("--rate: '%1' is not a number from 0.001 to 1000").arg(value);
        options.rate = *rate;
    } else if (name == QLatin1String("--colour-by")) {
        options.colour_by = value.toStdString();
    } else if (name == QLatin1String("--type")) {
        options.type = message_type_by_code(value.toStdString());
        if (!options.type)
            return QStringLiteral("--type: unknown message type '%1' (known: %2)").arg(value, type_codes());
    } else if (name == QLatin1String("--max-message")) {
        options.max_message_bytes = byte_size(value, max_encodable_bytes);
        if (!options.max_message_bytes)
            return QStringLiteral(
                       "--max-message: '%1' is not a size from 1 to 2147483647 bytes. Use a size such as 512M or 1G.")
                .arg(value);
    } else if (name == QLatin1String("--keep")) {
        constexpr std::uint64_t least = 1 << 20, most = std::uint64_t{1} << 40;
        options.keep_bytes = byte_size(value, most);
        if (!options.keep_bytes || *options.keep_bytes < least)
            return QStringLiteral("--keep: '%1' is not a size from 1M to 1024G. Use a size such as 512M or 2G.")
                .arg(value);
    } else if (name == QLatin1String("--time")) {
        options.time = value.toStdString();  // checked when it is known whether it is a section
    } else if (name == QLatin1String("--view")) {
        if (value != QLatin1String("bird") && value != QLatin1String("3d"))
            return QStringLiteral("--view: '%1' is neither bird nor 3d").arg(value);
        options.view = value == QLatin1String("bird") ? View::bird : View::orbit;
    } else if (name == QLatin1String("--theme")) {
        if (value != QLatin1String("dark") && value != QLatin1String("light"))
            return QStringLiteral("--theme: '%1' is neither dark nor light").arg(value);
        options.theme = value == QLatin1String("light") ? Theme::light : Theme::dark;
    } else if (name == QLatin1String("--play-for")) {
        bool is_number = false;
        const int seconds = value.toInt(&is_number);
        if (!is_number || seconds < 1 || seconds > most_seconds)
            return QStringLiteral("--play-for: '%1' is not a number of seconds from 1 to %2")
                .arg(value)
                .arg(most_seconds);
        options.played_for = std::chrono::seconds(seconds);
    } else {
        options.sized = parse_size(value, options.size);
        if (!options.sized)
            return QStringLiteral("--size: '%1' is not a size. Use a size such as 1920x1080.").arg(value);
    }
    return {};
}

bool has_value(const QString& name)
{
    static const QStringList names{
        QStringLiteral("--layout"),      QStringLiteral("--screenshot"), QStringLiteral("--time"),
        QStringLiteral("--type"),        QStringLiteral("--view"),       QStringLiteral("--theme"),
        QStringLiteral("--size"),        QStringLiteral("--colour-by"),  QStringLiteral("--play-for"),
        QStringLiteral("--max-message"), QStringLiteral("--keep"),       QStringLiteral("--video"),
        QStringLiteral("--fps"),         QStringLiteral("--rate")};
    return names.contains(name);
}

bool apply_flag(ViewOptions& options, const QString& name)
{
    if (name == QLatin1String("--help") || name == QLatin1String("-h"))
        options.help = true;
    else if (name == QLatin1String("--version"))
        options.version = true;
    else if (name == QLatin1String("--window"))
        options.whole_window = true;
    else if (name == QLatin1String("--follow"))
        options.follow = true;
    else if (name == QLatin1String("--overwrite"))
        options.overwrite = true;
    else if (name == QLatin1String("--benchmark"))
        options.benchmark = true;
    else
        return false;
    return true;
}

/// Empty: the files are valid.
QString check_files(const ViewOptions& options)
{
    for (const auto& each : options.files) {
        const auto name = each.toStdString();
        if (!is_network_address(name)) continue;
        if (options.writes() || options.benchmark)
            return QStringLiteral(
                       "%1: a picture, a video or a benchmark needs a file. Record the source: "
                       "osiplay '%1' --sink record:live.mcap")
                .arg(each);
        try {
            static_cast<void>(parse_network_address(name));
        } catch (const Error& error) {
            return QString::fromUtf8(error.what());
        }
    }
    return {};
}

/// What options that are valid by themselves contradict together; empty: nothing.
QString why_invalid(const ViewOptions& options, const QStringList& arguments)
{
    const auto is_given = [&](const QString& name) {
        return arguments.contains(name) || !arguments.filter(QRegularExpression('^' + name + '=')).isEmpty();
    };
    const bool is_video = !options.video.isEmpty();
    if (!options.screenshot.isEmpty() && is_video) return QStringLiteral("--screenshot and --video exclude each other");
    if (options.writes() && options.files.isEmpty())
        return QStringLiteral("%1 needs a trace").arg(is_video ? "--video" : "--screenshot");
    if (options.whole_window && !options.writes())
        return QStringLiteral("--window requires --screenshot FILE or --video OUT");
    for (const auto* const name : {"--fps", "--rate"})
        if (!is_video && is_given(QLatin1String(name))) return QStringLiteral("%1 requires --video OUT").arg(name);
    if (options.benchmark && options.files.isEmpty()) return QStringLiteral("--benchmark needs a trace");
    const auto time = QString::fromStdString(options.time);
    if (is_video && !options.time.empty() && !split_section(options.time))
        return QStringLiteral("--time: '%1' is not a section of times. Use 2..5, 1:00..1:30, +3.., ..#42 or -3..")
            .arg(time);
    if (!is_video && !options.time.empty() && !parse_time(options.time, {{}, Nanoseconds(0)}))
        return QStringLiteral(
                   "--time: '%1' is not a time. Use 12.5, 90s, 1:02:03.5, +3 from the start, -3 from the end, "
                   "#42 for a message, or 2021-08-18T15:05:42Z.")
            .arg(time);
    return {};
}

}  // namespace

std::optional<ViewOptions> parse_options(const QStringList& arguments, QString& why)
{
    ViewOptions options;
    options.help = arguments.value(0) == QLatin1String("help");  // a file with this name is opened as ./help
    bool only_files = false;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const auto& argument = arguments[i];
        if (only_files || !argument.startsWith(QLatin1Char('-')) || argument == QLatin1String("-")) {
            options.files += argument;
            continue;
        }
        only_files = argument == QLatin1String("--");
        if (only_files || apply_flag(options, argument)) continue;
        const auto name = argument.section(QLatin1Char('='), 0, 0);
        const bool joined = argument.contains(QLatin1Char('='));
        if (!has_value(name))
            why = QStringLiteral("unknown option %1. See osiview --help.").arg(name);
        else if (!joined && i + 1 == arguments.size())
            why = QStringLiteral("%1 needs a value").arg(name);
        else
            why = apply_value(options, name, joined ? argument.section(QLatin1Char('='), 1) : arguments[++i]);
        if (!why.isEmpty()) return std::nullopt;
    }
    if (options.help || options.version) return options;
    why = why_invalid(options, arguments);
    if (why.isEmpty()) why = check_files(options);
    if (!why.isEmpty()) return std::nullopt;
    return options;
}

const char* help_text() noexcept
{
    return "osiview: views ASAM OSI traces\n"
           "\n"
           "USAGE\n"
           "  osiview [OPTIONS] [FILE|ADDRESS...]\n"
           "\n"
           "Several files share one time axis. An address is a live source, as osiplay takes it: "
           "foxglove://HOST:PORT,\n"
           "zmq+sub://HOST:PORT, zmq+pull://, tcp://HOST:PORT, tcp://*:PORT, udp://*:PORT. F1 in the window shows all "
           "keys.\n"
           "\n"
           "OPTIONS\n"
           "  --time T                        start time: 12.5 (seconds), 90s, 1m, 1:02:03.5, +3 from the start,\n"
           "                                  -3 from the end, '#42' (message), 2021-08-18T15:05:42Z\n"
           "  --type TYPE                     message type of the files, instead of the detected one:\n"
           "                                  sv|svc|gt|hvd|sd|tc|tcu|tu|mr|su\n"
           "  --max-message BYTES             largest message accepted (default 512M; K, M, G: powers of 1024)\n"
           "  --follow                        reload files that grow, and show their last message\n"
           "  --keep BYTES                    memory for the messages of each live source (default 256M); the oldest\n"
           "                                  are dropped\n"
           "  --view NAME                     view of the scene: 3d | bird\n"
           "  --theme NAME                    colours: dark | light\n"
           "  --layout FILE                   panels, theme, camera and hidden categories from a *.osiview.json\n"
           "                                  that the window saved\n"
           "  --colour-by FIELD               field that colours the points of clouds: signal_strength,\n"
           "                                  intensity, rcs ...\n"
           "  --screenshot FILE               write a PNG of the scene and exit; needs no display; - is standard\n"
           "                                  output\n"
           "  --video OUT                     write a video of the scene and exit; needs no display; OUT is a\n"
           "                                  folder or a pattern (scene_%04d.png) of PNG files, or a file .mp4,\n"
           "                                  .mkv, .mov, .webm, which ffmpeg encodes; - is standard output (PNG)\n"
           "  --time A..B                     with --video: its section, [A, B); default the whole trace\n"
           "  --fps F                         frames per second of the video (default 30)\n"
           "  --rate R                        trace seconds per second of the video (default 1)\n"
           "  --overwrite                     replace FILE or OUT if it exists\n"
           "  --window                        with --screenshot, --video: show the whole window\n"
           "  --size WxH                      size of the picture, video or window (default 1280x800)\n"
           "  --benchmark                     measure first frame, seeks, playback, a plot, states, a search,\n"
           "                                  longest block of the window, memory and idle load\n"
           "  --play-for SECONDS              duration of the benchmark's playback (default 5)\n"
           "  -h, --help                      show this text\n"
           "  --version                       show the version of the program\n"
           "\n"
           "EXIT CODES\n"
           "  0   success\n"
           "  1   failed: invalid data or I/O error\n"
           "  2   invalid usage\n"
           "\n"
           "EXAMPLES\n"
           "  osiview drive.osi\n"
           "  osiview ground_truth.osi sensor_data.osi --time 12.5 --view bird\n"
           "  osiview foxglove://127.0.0.1:8765\n"
           "  osiview drive.mcap --screenshot scene.png --size 1920x1080\n"
           "  osiview drive.osi --screenshot window.png --window\n"
           "  osiview drive.osi --video drive.mp4 --time 2..5 --rate 0.5 --size 1280x720\n";
}

}  // namespace ositrace::gui
