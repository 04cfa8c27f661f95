// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gui/render/camera.hpp"

namespace ositrace::gui {

/// An off-screen picture with depth, in the current OpenGL context. Keeps what slices have drawn so far.
class RenderTarget {
public:
    /// `samples`: per pixel, as many as the driver has at most; 0 and 1: no multisampling.
    /// Throws Error (unsupported) when the driver refuses, (limit) when it is larger than the driver can.
    explicit RenderTarget(PixelSize size, int samples = 0);
    RenderTarget(RenderTarget&&) noexcept;
    RenderTarget& operator=(RenderTarget&&) noexcept;
    ~RenderTarget();

    [[nodiscard]] PixelSize size() const noexcept;
    [[nodiscard]] int samples() const noexcept;
    /// Drawing goes here, over the whole of it.
    void bind() const;
    /// Copies to a framebuffer of at least this size; that is bound then.
    void blit_to(unsigned framebuffer) const;
    /// Red, green, blue, alpha (always 255), from the top row to the bottom row.
    [[nodiscard]] std::vector<std::uint8_t> read() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// The largest width and height of a target, in the current context.
[[nodiscard]] int largest_side();

}  // namespace ositrace::gui
