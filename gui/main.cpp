// SPDX-License-Identifier: MPL-2.0
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include <malloc.h>

#include <QApplication>
#include <QFileInfo>
#include <QSysInfo>

#include <ositrace/error.hpp>
#include <ositrace/open_drive.hpp>
#include <ositrace/trace_map.hpp>

#include "app/terminal/command.hpp"
#include "gui/command/requested_scene.hpp"
#include "gui/command/screenshot.hpp"
#include "gui/command/video_command.hpp"
#include "gui/command/view_benchmark.hpp"
#include "gui/command/web_command.hpp"
#include "gui/marks/marks_panel.hpp"
#include "gui/scene/scene_view.hpp"
#include "gui/scene/scene_views.hpp"
#include "gui/session/live_loader.hpp"
#include "gui/session/trace_loader.hpp"
#include "gui/window/action_table.hpp"
#include "gui/window/layout.hpp"
#include "gui/window/theme.hpp"
#include "gui/window/view_options.hpp"
#include "gui/window/viewer_window.hpp"
#include "gui/window/window_picture.hpp"
#include "lib/system/process.hpp"

namespace ositrace::gui {

namespace {

using enum app::ExitCode;

app::ExitCode fail(app::ExitCode code, const QString& why)
{
    std::fprintf(stderr, "osiview: %s\n", qUtf8Printable(why));
    return code;
}

/// Each frame needs about as much memory as the previous one: freed memory is kept for it, because new pages cost more
/// than filling them. Only an optimization of glibc.
void keep_freed_memory()
{
#ifdef __GLIBC__
    constexpr int most_in_one = 32 << 20, most_kept = 128 << 20;
    mallopt(M_MMAP_THRESHOLD, most_in_one);
    mallopt(M_TRIM_THRESHOLD, most_kept);
#endif
}

QtMessageHandler default_handler = nullptr;

/// Qt warns of a missing XDG_RUNTIME_DIR, which is not used, and on its offscreen platform of every window.
void drop_useless(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    const bool is_useless =
        text.startsWith(QLatin1String("QStandardPaths:")) || text.contains(QLatin1String("propagateSizeHints"));
    if (!is_useless) default_handler(type, context, text);
}

QString display_error;

/// What to install where Qt lacks a part of its own that is a package by itself.
QString missing_package(const QString& error)
{
    return error.contains(QLatin1String("plugin \"wayland\""))
               ? QStringLiteral(
                     " Install qt6-wayland (Debian, Ubuntu) or qt6-qtwayland (RHEL, Fedora), or set "
                     "QT_QPA_PLATFORM=xcb and DISPLAY.")
               : QString();
}

/// If no display can be used, Qt prints many lines and aborts: prints one line and exits instead.
void exit_without_display(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    if (type == QtFatalMsg) {
        const auto& why = display_error.isEmpty() ? text : display_error;
        std::_Exit(static_cast<int>(
            fail(failed, why + QStringLiteral(".") + missing_package(why) +
                             QStringLiteral(" Use --screenshot FILE.png to write a picture without a display."))));
    }
    if (!QLatin1String(context.category).startsWith(QLatin1String("qt.qpa"))) return drop_useless(type, context, text);
    if (display_error.isEmpty()) display_error = text;
}

std::unique_ptr<QApplication> connect_display(int& argc, char** argv)
{
    const auto before = qInstallMessageHandler(exit_without_display);
    auto application = std::make_unique<QApplication>(argc, argv);
    qInstallMessageHandler(before);
    if (!display_error.isEmpty()) qWarning("%s", qUtf8Printable(display_error));
    return application;
}

/// Pictures need no display: Qt draws them into memory, identical everywhere. The benchmark runs without a display if
/// there is none. Returns false if a window needs one.
bool choose_platform(const ViewOptions& options)
{
    if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) return true;
    const bool has_display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
                             QSysInfo::kernelType() == QLatin1String("winnt");
    if (!options.writes() && (has_display || !options.benchmark)) return has_display;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    return true;
}

/// So that a picture has exactly the requested size.
void use_plain_scale()
{
    qputenv("QT_SCALE_FACTOR", "1");
    for (const auto* const name : {"QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI"}) qunsetenv(name);
}

/// Arranges the window as in the last session, then as the command line specifies.
QString arrange(ViewerWindow& window, const ViewOptions& options)
{
    const bool plain = options.writes() || options.benchmark;  // identical on every machine
    if (!plain) window.restore_arrangement();
    window.set_theme(options.theme ? *options.theme : plain ? Theme::dark : window.last_theme());
    if (!options.layout.isEmpty()) {
        QString why;
        const auto layout = read_layout(options.layout, why);
        if (!layout) return why;
        window.apply(*layout);
    }
    if (plain || options.sized) {
        window.setWindowState(Qt::WindowNoState);
        window.resize(options.size);
    }
    if (!options.colour_by.empty()) {
        auto drawn = window.scene().options();
        drawn.cloud_field = options.colour_by;
        window.scene().set_options(drawn);
    }
    if (options.view && *options.view != window.scene().view()) {
        window.scene().set_view(*options.view);
        if (options.layout.isEmpty()) window.scene().reset_camera();  // as if the first picture had come later
    }
    return {};
}

std::unique_ptr<Viewer> open_files(const ViewOptions& options)
{
    auto viewer = std::make_unique<Viewer>();
    viewer->open(paths_of(options.files), options.type);
    if (!options.time.empty() && options.video.isEmpty()) viewer->go_to(options.time);
    return viewer;
}

app::ExitCode show(QApplication& application, std::unique_ptr<Viewer> viewer, const ViewOptions& options,
                   std::chrono::steady_clock::time_point begun, const std::optional<HeldSignals>& held)
{
    QCoreApplication::processEvents();  // handles what was read meanwhile, so that the first snapshot and the window
                                        // are built at the same time
    ViewerWindow window(std::move(viewer));
    if (const auto why = arrange(window, options); !why.isEmpty()) return fail(failed, why);
    for (const auto& report : options.reports) window.open_report(report);
    window.show();
    if (const auto size = window.size(); options.writes() && size != options.size)
        return fail(usage, QStringLiteral("--size: the window needs at least %1x%2")
                               .arg(window.minimumSizeHint().width())
                               .arg(window.minimumSizeHint().height()));
    if (!options.writes() && !options.benchmark) window.remember(options.files);
    if (!options.writes() && !options.benchmark) window.views().set_flying(true);
    if (options.follow) window.commands().action(Command::follow_files).trigger();
    if (options.follow && options.time.empty()) window.viewer().go_live();
    if (options.benchmark) {
        const auto why = run_benchmark(window, begun, options.played_for);
        return why.isEmpty() ? success : fail(failed, why);
    }
    if (!options.screenshot.isEmpty()) {
        const auto why = write_window_picture(window, options.screenshot, options.overwrite, options.layout.isEmpty());
        return why.isEmpty() ? success : fail(failed, why);
    }
    if (!options.video.isEmpty())
        return app::ExitCode(exit_status_of([&] { take_window_video(window, options, *held); }));
    return app::ExitCode(application.exec());
}

/// A row for each command of the menus that has keys.
app::ManSection keys_section()
{
    app::ManSection section{.title = "KEYS", .rows = {}};
    for (const auto& row : action_table()) {
        std::string keys = row.keys;
        for (auto at = keys.find(' '); at != std::string::npos; at = keys.find(' ', at + 2)) keys.insert(at, ",");
        if (!keys.empty()) section.rows.emplace_back(keys, row.text);
    }
    return section;
}

class ViewCommand final : public app::Command {
public:
    explicit ViewCommand(char** argv) : argv_(argv) {}

    app::CommandText text() const override
    {
        return {.name = {},
                .summary = "views ASAM OSI traces",
                .usage = {"[OPTIONS] [FILE|ADDRESS...]"},
                .notes = {"Several files share one time axis. An address is a live source, as osiplay takes it: "
                          "foxglove://HOST:PORT,",
                          "zmq+sub://HOST:PORT, zmq+pull://, tcp://HOST:PORT, tcp://*:PORT, udp://*:PORT; "
                          "https://HOST/drive.mcap is a file",
                          "on a server. A report of a checker (.xqar) is shown on the timeline. F1 in the window shows "
                          "all keys."},
                .examples = {"drive.osi", "ground_truth.osi sensor_data.osi --time 12.5 --view bird",
                             "foxglove://127.0.0.1:8765", "drive.osi --map town.xodr",
                             "drive.mcap --screenshot scene.png --size 1920x1080",
                             "drive.osi --screenshot window.png --window",
                             "drive.osi --video drive.mp4 --time 2..5 --rate 0.5 --size 1280x720"}};
    }
    void declare(app::Options& options) override
    {
        options.words("FILE", words_, 0, SIZE_MAX);
        gui::declare(options, options_);
    }
    app::ExitCode run(app::Messages& messages) override;

private:
    char** argv_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    std::vector<std::string> words_;
    ViewOptions options_;
};

/// A window shows what is wrong with it, and the trace.
void refuse_unreadable_map(const std::filesystem::path& file, std::size_t max_bytes)
{
    const auto document = map_document(file, max_bytes);
    try {
        MapOptions options;
        options.max_message_bytes = max_bytes;
        static_cast<void>(read_open_drive(document.xml, options));
    } catch (const Error& error) {
        throw error.within({.file = document.place()});
    }
}

app::ExitCode ViewCommand::run(app::Messages& /*messages*/)
{
    for (const auto& word : words_) {
        const auto file = QString::fromStdString(word);
        (is_report(file) ? options_.reports : options_.files) += file;
    }
    check(options_);
    if (options_.keep_bytes) set_live_limits({.bytes = *options_.keep_bytes});
    set_max_message_bytes(options_.max_message_bytes);
    if (!options_.map.isEmpty()) {
        if (!QFileInfo::exists(options_.map))
            return fail(failed, options_.map + QStringLiteral(": No such file or directory"));
        const std::filesystem::path map = options_.map.toStdString();
        if (options_.writes()) refuse_unreadable_map(map, options_.max_message_bytes);
        set_map_file(map);
    }
    default_handler = qInstallMessageHandler(drop_useless);
    std::optional<HeldSignals> held;
    if (options_.writes_section()) held.emplace();
    if (options_.writes() && !options_.whole_window) {
        return app::ExitCode(exit_status_of([&] {
            if (!options_.web.isEmpty())
                write_web_page(options_, *held);
            else if (!options_.video.isEmpty())
                take_video(options_, *held);
            else
                take_screenshot(options_);
        }));
    }

    if (options_.writes()) use_plain_scale();
    if (!choose_platform(options_))
        return fail(failed, QStringLiteral("there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set). "
                                           "Use --screenshot FILE.png to write a picture without one."));
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);  // a detached panel keeps the OpenGL context
    QCoreApplication::setOrganizationName(QStringLiteral("ositrace"));
    QCoreApplication::setApplicationName(QStringLiteral("osiview"));
    QGuiApplication::setDesktopFileName(QStringLiteral("osiview"));
    auto viewer = open_files(options_);  // its threads read while Qt connects to the display
    int qt_argc = 1;
    const auto application = connect_display(qt_argc, argv_);
    return show(*application, std::move(viewer), options_, begun_, held);
}

}  // namespace

}  // namespace ositrace::gui

int main(int argc, char** argv)
{
    using namespace ositrace;
    const auto words = program_arguments(argc, argv);
    gui::keep_freed_memory();
    app::Program program;
    program.name = "osiview";
    program.summary = "views ASAM OSI traces";
    program.reports = false;
    program.commands.push_back(std::make_unique<gui::ViewCommand>(words.data()));
    program.manual = {
        gui::keys_section(),
        {.title = "ENVIRONMENT",
         .rows = {{"OSIVIEW_CANVAS",
                   "What draws the scene: window is the OpenGL of the window system, egl OpenGL without a window, "
                   "painter Qt, from above only. By default the first that works; without a graphics card EGL is tried "
                   "first."},
                  {"OSITRACE_FMU_HOST",
                   "The program that runs FMUs, if it is not beside osiview or in the libexec folder of its "
                   "installation."}}}};
    return run_program(program, static_cast<int>(words.size()), words.data());
}
