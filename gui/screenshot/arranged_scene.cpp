// SPDX-License-Identifier: MPL-2.0
#include "gui/screenshot/arranged_scene.hpp"

namespace ositrace::gui {

Camera PictureCamera::place(const Picture& picture, PixelSize size)
{
    auto next = controller;
    next.set_size(size);
    next.set_picture(picture);
    if (of_layout) next.restore(*of_layout);
    const auto placed = next.camera_for(picture);
    if (moves_on) {
        controller = next;
        of_layout.reset();
    }
    return placed;
}

QString caption_of(const std::vector<std::filesystem::path>& files)
{
    auto caption = QString::fromStdString(files.front().filename().string());
    if (files.size() > 1) caption += QStringLiteral(" and %1 more").arg(files.size() - 1);
    return caption;
}

}  // namespace ositrace::gui
