// SPDX-License-Identifier: MPL-2.0
#include "gui/window/picture_request.hpp"

#include <QFile>

#include "gui/window/layout_file.hpp"

namespace ositrace::gui {

namespace {

void take_layout(ScreenshotRequest& request, const Layout& layout)
{
    auto& options = request.options;
    if (layout.theme) options.theme = *layout.theme;
    options.hidden.reset();
    for (const int each : layout.hidden) options.hidden.set(static_cast<std::size_t>(each));
    options.grid = layout.grid;
    options.cloud_field = layout.cloud_field;
    options.point_size = static_cast<float>(layout.point_size);
    request.labels = layout.labels;
    request.legend = layout.legend;
    request.camera = layout.camera;
    if (layout.camera) request.view = layout.camera->view;
}

}  // namespace

std::optional<ScreenshotRequest> picture_request(const ViewOptions& options, QString& why)
{
    ScreenshotRequest request{.output = QFile::encodeName(options.screenshot).toStdString(),
                              .overwrite = options.overwrite,
                              .size = {options.size.width(), options.size.height()},
                              .time = options.time,
                              .type = options.type};
    for (const auto& file : options.files) request.files.emplace_back(QFile::encodeName(file).toStdString());
    if (!options.layout.isEmpty()) {
        const auto layout = read_layout(options.layout, why);
        if (!layout) return std::nullopt;
        take_layout(request, *layout);
    }
    if (options.theme) request.options.theme = *options.theme;
    if (!options.colour_by.empty()) request.options.cloud_field = options.colour_by;
    if (options.view && *options.view != request.view) {
        request.view = *options.view;
        request.camera.reset();
    }
    return request;
}

}  // namespace ositrace::gui
