// SPDX-License-Identifier: MPL-2.0
#include "gui/screenshot/screenshot.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <QApplication>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QFile>
#include <QImage>
#include <QPixmap>
#include <QTimer>

#include <ositrace/error.hpp>

#include "gui/quantity.hpp"
#include "gui/render/egl_context.hpp"
#include "gui/render/renderer.hpp"
#include "gui/scene/camera_controller.hpp"
#include "gui/scene/overlay.hpp"
#include "gui/scene/paint_picture.hpp"
#include "gui/scene/scene_state.hpp"
#include "gui/scene/scene_view.hpp"
#include "gui/screenshot/png_file.hpp"
#include "gui/session/snapshot.hpp"
#include "gui/window/layout.hpp"
#include "gui/window/viewer.hpp"
#include "gui/window/viewer_window.hpp"

namespace ositrace::gui {

namespace {

constexpr int samples = 4;  // per pixel
constexpr auto check_interval = std::chrono::milliseconds(20);
constexpr auto longest_wait = std::chrono::minutes(5);

void print_error(const std::string& line) { std::fprintf(stderr, "osiview: %s\n", line.c_str()); }

/// A file that cannot be opened is an error even if its first messages are known; a file that is damaged later is shown
/// up to the damage.
void refuse_unopened(const Session& session)
{
    for (const auto& trace : session.traces())
        if (!trace.whole) throw Error(Cause::io, trace.problem.toStdString());
}

bool shows_nothing(const Snapshot& snapshot)
{
    return std::none_of(snapshot.channels.begin(), snapshot.channels.end(),
                        [](const ShownFrame& shown) { return shown.frame.has_value(); });
}

/// Waits until the files are open and the time is reached, as the window does; needs a QCoreApplication. Throws Error:
/// what opening a file throws, usage for an invalid time, io if there is nothing to show.
void open_at_time(Viewer& viewer, const std::vector<std::filesystem::path>& files, const ViewOptions& options)
{
    viewer.open(files, options.type);
    if (!options.time.empty()) viewer.go_to(options.time);
    const auto& session = viewer.session();
    // With several files the first one does not determine what the others contain at its beginning.
    const bool needs_index = !options.time.empty() || files.size() > 1;
    const auto is_reached = [&] {
        return session.all_opened() && (!needs_index || session.is_complete()) && viewer.is_settled() &&
               viewer.snapshot();
    };
    while (true) {
        if (session.all_opened()) refuse_unopened(session);
        if (is_reached() || (session.is_complete() && session.channels()->empty())) break;
        QEventLoop().processEvents(QEventLoop::WaitForMoreEvents);
    }
    const auto problems = viewer.problems();
    if (viewer.is_out_of_reach()) throw Error(Cause::usage, problems.front().toStdString());
    if (viewer.snapshot() && !shows_nothing(*viewer.snapshot())) return;
    throw Error(Cause::io,
                problems.empty() ? "no message to show" : "no message to show: " + problems.front().toStdString());
}

QImage draw_by_egl(const SceneState& state, QSize size)
{
    const EglContext context;
    const RenderTarget target({size.width(), size.height()}, samples);
    Renderer renderer;
    renderer.draw(state.picture, state.camera, state.options, target);
    const auto pixels = target.read();
    const QImage image(pixels.data(), size.width(), size.height(), QImage::Format_RGBX8888);
    return image.convertToFormat(QImage::Format_RGB32);
}

/// The scene with its overlay, at exactly this size. Drawn by EGL; if EGL fails or cannot draw that many pixels, by
/// Qt's painter from above, and `why_painted` gives the reason. Needs a QGuiApplication.
QImage scene_image(SceneState state, QSize size, std::string& why_painted)
{
    QImage image;
    if (qEnvironmentVariable("OSIVIEW_CANVAS") == QStringLiteral("painter")) {
        why_painted = "OSIVIEW_CANVAS selects the painter";
    } else {
        try {
            image = draw_by_egl(state, size);
        } catch (const Error& error) {
            why_painted = error.what();
        }
    }
    if (image.isNull()) {
        state.camera.view = View::bird;
        image = paint_picture(*state.picture, state.camera, state.options, size);
    }
    QPainter painter(&image);
    paint_overlay(painter, size, state);
    return image;
}

QString caption_of(const std::vector<std::filesystem::path>& files, const Snapshot& snapshot)
{
    auto caption = QString::fromStdString(files.front().filename().string());
    if (files.size() > 1) caption += QStringLiteral(" and %1 more").arg(files.size() - 1);
    return QStringLiteral("%1    %2").arg(caption, seconds_text(snapshot.time, std::chrono::milliseconds(1)));
}

/// The scene as the layout and the options of the command line arrange it; the options take precedence. Without picture
/// and caption.
SceneState arranged_scene(const ViewOptions& options, std::optional<Camera>& camera)
{
    SceneState state;
    if (!options.layout.isEmpty()) {
        QString error;
        const auto layout = read_layout(options.layout, error);
        if (!layout) throw Error(Cause::io, error.toStdString());
        apply_layout(*layout, state.options);
        if (layout->theme) state.options.theme = *layout->theme;
        state.labels = layout->labels;
        state.legend = layout->legend;
        camera = layout->camera;
    }
    if (options.theme) state.options.theme = *options.theme;
    if (!options.colour_by.empty()) state.options.cloud_field = options.colour_by;
    if (options.view && camera && camera->view != *options.view) camera.reset();
    state.camera.view = options.view ? *options.view : camera ? camera->view : View::orbit;
    return state;
}

QImage image_of_scene(const ViewOptions& options)
{
    std::optional<Camera> camera;
    auto state = arranged_scene(options, camera);
    std::vector<std::filesystem::path> files;
    for (const auto& file : options.files) files.emplace_back(QFile::encodeName(file).toStdString());
    Viewer viewer;
    open_at_time(viewer, files, options);
    for (const auto& problem : viewer.problems()) print_error(problem.toStdString());
    const auto& picture = *viewer.snapshot()->picture;
    const auto& field = state.options.cloud_field;
    if (const auto why = why_not_coloured(picture, field); !why.empty())
        throw Error(Cause::usage, "--colour-by: " + why);
    if (!field.empty() && picture.clouds.empty())
        print_error("nothing is coloured by '" + field + "': no points are shown at this time");
    CameraController controller;
    controller.set_view(state.camera.view);
    controller.set_picture(picture);
    if (camera) {
        camera->target = controller.camera().target;
        controller.set_camera(*camera);
    }
    state.picture = viewer.snapshot()->picture;
    state.camera = controller.camera();
    state.caption = caption_of(files, *viewer.snapshot());
    state.notes = viewer.problems();
    std::string why_painted;
    auto image = scene_image(state, options.size, why_painted);
    if (!why_painted.empty()) print_error("drawn from above by Qt's painter: " + why_painted);
    return image;
}

/// Nothing will change any more: everything is read and shown, or cannot be.
bool is_done(ViewerWindow& window)
{
    auto& session = window.viewer().session();
    if (!session.is_complete()) return false;
    return session.channels()->empty() || (window.is_settled() && window.is_examined());
}

void wait_until_done(ViewerWindow& window)
{
    QEventLoop loop;
    QTimer check;
    QDeadlineTimer deadline(longest_wait);
    QObject::connect(&check, &QTimer::timeout, &loop, [&] {
        if (is_done(window) || deadline.hasExpired()) loop.quit();
    });
    check.start(check_interval);
    loop.exec();
    if (!is_done(window)) throw Error(Cause::io, "the trace was not read to its end within 5 minutes");
}

}  // namespace

int take_screenshot(const ViewOptions& options)
try {
    const std::filesystem::path output = QFile::encodeName(options.screenshot).toStdString();
    refuse_existing(output, options.overwrite);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_SCALE_FACTOR", "1");  // the picture has exactly the requested size
    static char name[] = "osiview";
    static char* arguments[] = {name, nullptr};
    static int count = 1;
    const QApplication application(count, arguments);
    write_png(image_of_scene(options), output, options.overwrite);
    return 0;
} catch (const Error& error) {
    print_error(error.what());
    return error.cause() == Cause::usage ? 2 : 1;
} catch (const std::exception& error) {
    print_error(error.what());
    return 1;
}

QString write_window_picture(ViewerWindow& window, const QString& file, bool overwrite, bool resets_camera)
try {
    const std::filesystem::path output = QFile::encodeName(file).toStdString();
    refuse_existing(output, overwrite);
    wait_until_done(window);
    if (resets_camera) {
        window.scene().reset_camera();
        wait_until_done(window);
    }
    refuse_unopened(window.viewer().session());
    for (const auto& trace : window.viewer().session().traces())
        if (trace.trace->info().channels.empty()) throw Error(Cause::io, trace.problem.toStdString());
    if (window.viewer().is_out_of_reach()) throw Error(Cause::usage, window.viewer().problems().front().toStdString());
    write_png(window.grab().toImage(), output, overwrite);
    return {};
} catch (const Error& error) {
    return QString::fromUtf8(error.what());
}

}  // namespace ositrace::gui
