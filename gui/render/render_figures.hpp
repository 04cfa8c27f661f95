// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "gui/render/camera.hpp"
#include "gui/render/options.hpp"

namespace ositrace::gui {

/// How fast a picture is drawn here.
struct RenderFigures {
    std::string renderer;               ///< `llvmpipe (LLVM 15.0.6, 256 bits); 4.5 (Core Profile) Mesa 22.3.6`
    std::size_t points = 0;             ///< of all clouds
    std::size_t frames = 0;             ///< that were drawn
    std::chrono::nanoseconds first{};   ///< the first frame: shaders are compiled, everything is sent to the card
    std::chrono::nanoseconds median{};  ///< of the other frames, from begin to the last slice
    std::chrono::nanoseconds slowest{};
    std::chrono::nanoseconds slowest_step{};  ///< the longest that a thread is held: one advance() of SlicedDrawing
    std::chrono::nanoseconds pick{};          ///< median of what a click takes
    [[nodiscard]] double frames_per_second() const noexcept
    {
        return median.count() > 0 ? 1e9 / static_cast<double>(median.count()) : 0;
    }
};

/// Draws the picture `frames` times while the camera turns, by EGL. Throws Error (unsupported) where that does not
/// draw.
[[nodiscard]] RenderFigures measure_rendering(const std::shared_ptr<const Picture>& picture, Camera camera,
                                              const RenderOptions& options, PixelSize size, std::size_t frames);

}  // namespace ositrace::gui
