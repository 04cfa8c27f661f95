// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>

#include <ositrace/picture.hpp>

#include "gui/render/camera.hpp"
#include "gui/render/options.hpp"
#include "gui/render/pick.hpp"
#include "gui/render/render_target.hpp"

namespace ositrace::gui {

/// Draws pictures with OpenGL 3.3 core. Independent of windows: the context that is current at construction must be
/// current in every call and at destruction. One thread.
class Renderer {
public:
    /// Throws Error (unsupported) if there is no OpenGL 3.3, or if the driver cannot compile the shaders.
    Renderer();
    ~Renderer();

    /// Optional: keeps the first begin() and pick() short. The driver compiles one shader in each call. Returns true
    /// while shaders remain.
    bool prepare_drawing();
    bool prepare_picking();

    /// Draws the first slice of everything but clouds, and drops what an earlier begin() has not drawn yet. `target`
    /// must live until drawing is complete.
    void begin(std::shared_ptr<const Picture> picture, const Camera& camera, const RenderOptions& options,
               const RenderTarget& target);
    /// Draws one more slice, at most PointBatch::slice_points points of a cloud. Returns true while slices remain.
    bool draw_more();
    /// Slices of anything but clouds.
    [[nodiscard]] bool has_more_shapes() const noexcept;
    /// Waits until the graphics card has finished drawing. Throws Error (unsupported) if it failed: out of memory, or
    /// reset.
    void finish();
    /// begin() and every slice.
    void draw(std::shared_ptr<const Picture> picture, const Camera& camera, const RenderOptions& options,
              const RenderTarget& target);

    /// The object under a pixel of the last begin(), or within a few pixels of it, because lines are thin. Empty:
    /// nothing.
    [[nodiscard]] std::optional<Pick> pick(double x, double y, PickOrder order = PickOrder::body_first);
    /// The colouring of the last begin().
    [[nodiscard]] const std::optional<CloudColouring>& colouring() const noexcept;
    /// Number of layers uploaded so far; layers that pictures share are uploaded once.
    [[nodiscard]] std::uint64_t layer_uploads() const noexcept;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace::gui
