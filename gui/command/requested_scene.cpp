// SPDX-License-Identifier: MPL-2.0
#include "gui/command/requested_scene.hpp"

#include <cstdio>

#include <ositrace/error.hpp>

#include "gui/window/layout.hpp"

namespace ositrace::gui {

namespace {

/// `theme`: of the layout.
ArrangedView view_of(const ViewLayout& layout, const std::optional<Theme>& theme)
{
    ArrangedView view;
    auto& [state, camera, hidden_channels] = view;
    apply_layout(layout, state.options);
    if (theme) state.options.theme = *theme;
    state.labels = layout.labels;
    state.legend = layout.legend;
    camera.of_layout = layout.camera;
    if (layout.camera) camera.controller.set_view(layout.camera->view);
    camera.controller.set_turning(layout.turning);
    if (!layout.follows) camera.controller.follow_nothing();
    // A camera whose place beside the host is unknown turns from its direction in the first picture.
    camera.moves_on = camera.controller.turns() && layout.camera && !layout.camera->beside;
    hidden_channels = layout.hidden_channels;
    return view;
}

}  // namespace

ArrangedScene arranged_scene(const ViewOptions& options)
{
    ArrangedScene scene;
    if (!options.layout.isEmpty()) {
        QString error;
        const auto layout = read_layout(options.layout, error);
        if (!layout) throw Error(Cause::io, error.toStdString());
        scene.first = view_of(*layout, layout->theme);
        if (layout->second) scene.second = view_of(*layout->second, layout->theme);
        scene.first_share = layout->first_share;
        scene.trail = layout->trail_time();
    }
    if (options.theme) scene.first.state.options.theme = *options.theme;
    if (options.theme && scene.second) scene.second->state.options.theme = *options.theme;
    if (!options.colour_by.empty()) scene.first.state.options.cloud_field = options.colour_by;
    auto& camera = scene.first.camera;
    if (options.view && camera.of_layout && camera.of_layout->view != *options.view) camera.of_layout.reset();
    if (options.view) camera.controller.set_view(*options.view);
    return scene;
}

QApplication offscreen_application()
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_SCALE_FACTOR", "1");
    static char name[] = "osiview";
    static char* arguments[] = {name, nullptr};
    static int count = 1;
    return QApplication(count, arguments);
}

std::vector<std::filesystem::path> paths_of(const QStringList& files)
{
    std::vector<std::filesystem::path> paths;
    for (const auto& file : files) paths.emplace_back(file.toStdString());
    return paths;
}

void refuse_colouring(const SceneState& state, const Picture& picture)
{
    if (const auto why = why_not_coloured(picture, state.options.cloud_field); !why.empty())
        throw Error(Cause::mismatch, "--colour-by: " + why);
}

int exit_status_of(const std::function<void()>& command)
try {
    command();
    return 0;
} catch (const Error& error) {
    print_error(error.what());
    return error.cause() == Cause::usage ? 2 : 1;
} catch (const std::exception& error) {
    print_error(error.what());
    return 1;
}

void print_error(const std::string& line) { std::fprintf(stderr, "osiview: %s\n", line.c_str()); }

}  // namespace ositrace::gui
