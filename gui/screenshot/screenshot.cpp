// SPDX-License-Identifier: MPL-2.0
#include "gui/screenshot/screenshot.hpp"

#include <cstdio>

#include <QApplication>

#include <ositrace/error.hpp>

#include "gui/screenshot/moment_at.hpp"
#include "gui/screenshot/png_file.hpp"
#include "gui/screenshot/scene_image.hpp"

namespace ositrace::gui {

namespace {

constexpr int smallest_side = 16;
constexpr int largest_side = 16384;

void say(const std::string& line) { std::fprintf(stderr, "osiview: %s\n", line.c_str()); }

void refuse_size(PixelSize size)
{
    const auto drawable = [](int side) { return side >= smallest_side && side <= largest_side; };
    if (drawable(size.width) && drawable(size.height)) return;
    throw Error(Cause::usage, "a picture of " + std::to_string(size.width) + "x" + std::to_string(size.height) +
                                  " pixels; from 16x16 to 16384x16384 can be drawn");
}

QString caption_of(const ScreenshotRequest& request, const Moment& moment)
{
    auto caption = QString::fromStdString(request.files.front().filename().string());
    if (request.files.size() > 1) caption += QStringLiteral(" and %1 more").arg(request.files.size() - 1);
    return QStringLiteral("%1    %2 s").arg(caption).arg(static_cast<double>(moment.time.count()) / 1e9, 0, 'f', 3);
}

QImage image_of_scene(const ScreenshotRequest& request)
{
    const auto found = moment_at(request.files, request.time, request.type);
    for (const auto& problem : found.problems) say(problem);
    if (const auto why = why_not_coloured(*found.moment->picture, request.options.cloud_field); !why.empty())
        throw Error(Cause::usage, "--colour-by: " + why);
    if (!request.options.cloud_field.empty() && found.moment->picture->clouds.empty())
        say("nothing is coloured by '" + request.options.cloud_field + "': no points are shown at this time");
    CameraController controller;
    controller.follow(request.follow);
    controller.set_view(request.view);
    controller.take(*found.moment->picture);
    if (request.camera) {
        auto camera = *request.camera;
        camera.target = controller.camera().target;
        controller.set_camera(camera);
    }
    SceneState state{.picture = found.moment->picture,
                     .camera = controller.camera(),
                     .options = request.options,
                     .labels = request.labels,
                     .legend = request.legend,
                     .caption = caption_of(request, *found.moment)};
    for (const auto& problem : found.problems) state.notes += QString::fromStdString(problem);
    std::string why_painted;
    auto image = scene_image(state, {request.size.width, request.size.height}, why_painted);
    if (!why_painted.empty()) say("drawn from above by Qt's painter: " + why_painted);
    return image;
}

}  // namespace

int take_screenshot(const ScreenshotRequest& request)
try {
    if (request.files.empty()) throw Error(Cause::usage, "--screenshot needs a trace to show");
    refuse_size(request.size);
    refuse_existing(request.output, request.overwrite);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_SCALE_FACTOR", "1");  // exactly the size that is asked for
    static char name[] = "osiview";
    static char* arguments[] = {name, nullptr};
    static int count = 1;
    const QApplication application(count, arguments);
    write_png(image_of_scene(request), request.output, request.overwrite);
    return 0;
} catch (const Error& error) {
    say(error.what());
    return error.cause() == Cause::usage ? 2 : 1;
} catch (const std::exception& error) {
    say(error.what());
    return 1;
}

}  // namespace ositrace::gui
