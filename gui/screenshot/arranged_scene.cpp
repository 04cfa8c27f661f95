// SPDX-License-Identifier: MPL-2.0
#include "gui/screenshot/arranged_scene.hpp"

#include <cstdio>

#include <QFile>

#include <ositrace/error.hpp>

#include "gui/quantity.hpp"
#include "gui/window/layout.hpp"

namespace ositrace::gui {

Camera PictureCamera::place(const Picture& picture)
{
    auto next = controller;
    next.set_picture(picture);
    if (of_layout) {
        auto camera = *of_layout;
        camera.target = next.camera().target;
        next.set_camera(camera);
    }
    const auto placed = next.camera();
    if (moves_on) {
        controller = next;
        of_layout.reset();
    }
    return placed;
}

ArrangedScene arranged_scene(const ViewOptions& options)
{
    ArrangedScene scene;
    auto& [state, camera] = scene;
    if (!options.layout.isEmpty()) {
        QString error;
        const auto layout = read_layout(options.layout, error);
        if (!layout) throw Error(Cause::io, error.toStdString());
        apply_layout(*layout, state.options);
        if (layout->theme) state.options.theme = *layout->theme;
        state.labels = layout->labels;
        state.legend = layout->legend;
        camera.of_layout = layout->camera;
        if (layout->turns_along) camera.controller.follow(Follow::pose);
        camera.moves_on = layout->turns_along;
    }
    if (options.theme) state.options.theme = *options.theme;
    if (!options.colour_by.empty()) state.options.cloud_field = options.colour_by;
    if (options.view && camera.of_layout && camera.of_layout->view != *options.view) camera.of_layout.reset();
    camera.controller.set_view(options.view ? *options.view : camera.of_layout ? camera.of_layout->view : View::orbit);
    return scene;
}

std::vector<std::filesystem::path> paths_of(const QStringList& files)
{
    std::vector<std::filesystem::path> paths;
    for (const auto& file : files) paths.emplace_back(QFile::encodeName(file).toStdString());
    return paths;
}

QString caption_at(const QString& files, Nanoseconds time)
{
    return QStringLiteral("%1    %2").arg(files, seconds_text(time, std::chrono::milliseconds(1)));
}

QString caption_of(const std::vector<std::filesystem::path>& files)
{
    auto caption = QString::fromStdString(files.front().filename().string());
    if (files.size() > 1) caption += QStringLiteral(" and %1 more").arg(files.size() - 1);
    return caption;
}

void refuse_unopened(const Session& session)
{
    for (const auto& trace : session.traces())
        if (!trace.whole) throw Error(Cause::io, trace.problem.toStdString());
}

void refuse_colouring(const SceneState& state, const Picture& picture)
{
    if (const auto why = why_not_coloured(picture, state.options.cloud_field); !why.empty())
        throw Error(Cause::usage, "--colour-by: " + why);
}

void print_error(const std::string& line) { std::fprintf(stderr, "osiview: %s\n", line.c_str()); }

}  // namespace ositrace::gui
