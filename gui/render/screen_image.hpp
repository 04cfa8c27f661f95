// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "gui/render/camera.hpp"

namespace ositrace::gui {

/// Pixels laid over what is drawn: labels and legend.
class ScreenImage {
public:
    ScreenImage();
    ~ScreenImage();
    /// Blue, green, red, alpha, premultiplied, from the top row (QImage's ARGB32_Premultiplied).
    void set(std::span<const std::uint8_t> pixels, PixelSize size);
    /// Over the whole of the bound framebuffer; nothing before set().
    void draw();

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace::gui
