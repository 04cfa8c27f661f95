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

/// Draws pictures with OpenGL 3.3 core. Knows no window: the context that was current at its construction must be
/// current in every call and at its end. One thread.
class Renderer {
public:
    /// Throws Error (unsupported) when there is no OpenGL 3.3, or a driver that cannot compile.
    Renderer();
    ~Renderer();

    /// Not needed, but keeps the first begin() and pick() short: the driver compiles another shader in each call. True:
    /// there is one more.
    bool prepare_drawing();
    bool prepare_picking();

    /// Draws the first slice of everything but clouds, and drops what an earlier begin() left undrawn. `target` must
    /// live until drawing is done.
    void begin(std::shared_ptr<const Picture> picture, const Camera& camera, const RenderOptions& options,
               const RenderTarget& target);
    /// Draws one more slice, of the clouds at most PointBatch::slice_points points; true: there is more.
    bool draw_more();
    /// Of what is no cloud.
    [[nodiscard]] bool has_more_shapes() const noexcept;
    /// Waits until the card has drawn what it was told to. Throws Error (unsupported) when it could not: no memory, or
    /// it was reset.
    void finish();
    /// begin() and every slice.
    void draw(std::shared_ptr<const Picture> picture, const Camera& camera, const RenderOptions& options,
              const RenderTarget& target);

    /// What lies under a pixel of the last begin(), or within some pixels of it: lines are thin. Empty: nothing.
    [[nodiscard]] std::optional<Pick> pick(double x, double y, PickOrder order = PickOrder::body_first);
    /// Of the last begin().
    [[nodiscard]] const std::optional<CloudColouring>& colouring() const noexcept;
    /// Layers that were sent to the card so far: not again while pictures share them.
    [[nodiscard]] std::uint64_t layer_uploads() const noexcept;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace::gui
