// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gui/render/camera.hpp"

namespace ositrace::gui {

/// An off-screen picture with depth, in the current OpenGL context. Keeps the slices drawn so far.
class RenderTarget {
public:
    /// `samples`: per pixel, limited to what the driver supports; 0 and 1: no multisampling.
    /// Throws Error (unsupported) if the driver refuses, (limit) if it is too large for the driver.
    explicit RenderTarget(PixelSize size, int samples = 0);
    RenderTarget(RenderTarget&&) noexcept;
    RenderTarget& operator=(RenderTarget&&) noexcept;
    ~RenderTarget();

    [[nodiscard]] PixelSize size() const noexcept;
    [[nodiscard]] int samples() const noexcept;
    /// A new picture: what is drawn has all samples.
    void begin() const;
    /// What is drawn until the next begin() has one sample per pixel, in the same colours and depths: without a
    /// graphics card many points take half the time.
    void resolve() const;
    /// Redirects drawing to the whole of this target.
    void bind() const;
    /// Copies to a framebuffer of at least this size, and binds that.
    void blit_to(unsigned framebuffer) const;
    /// Red, green, blue, alpha (always 255), from the top row to the bottom row. Resolves.
    [[nodiscard]] std::vector<std::uint8_t> read() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// The largest width and height of a target, in the current context.
[[nodiscard]] int largest_side();

/// Pixels drawn over the scene: labels and legend.
class ScreenImage {
public:
    ScreenImage();
    ~ScreenImage();
    /// Blue, green, red, alpha, premultiplied, from the top row (QImage's ARGB32_Premultiplied).
    void set(std::span<const std::uint8_t> pixels, PixelSize size);
    /// Covers the whole of the bound framebuffer; draws nothing before set().
    void draw();

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace::gui
