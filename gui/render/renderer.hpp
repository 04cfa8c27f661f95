// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <chrono>
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

    /// Optional: keeps begin() of this picture short. Uploads one of its layers; false: all are uploaded.
    bool load_more(const Picture& picture, const RenderOptions& options);
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

/// Draws a picture in steps, so that the thread is never blocked for long. The rules of Renderer for contexts apply.
class SlicedDrawing {
public:
    /// If anything differs from the last call, the next advance() starts over and drops the slices that remain of the
    /// old picture.
    void set(std::shared_ptr<const Picture> picture, const Camera& camera, const RenderOptions& options,
             PixelSize size);
    /// Draws for about `budget`, at least one step: a slice, a layer that is uploaded, or at first a preparation of
    /// Renderer. Returns true while work remains.
    bool advance(std::chrono::nanoseconds budget);
    /// One preparation of Renderer for drawing, which advance() would do otherwise. Returns false when all are done.
    bool prepare_more();
    /// Everything set() requested is drawn.
    [[nodiscard]] bool is_complete() const noexcept { return !stale_ && !more_; }
    /// target() shows what set() requested, with at least the first slice of each cloud.
    [[nodiscard]] bool shows_picture() const noexcept { return target() && !stale_ && !begun_; }
    /// The drawing is complete and picking is prepared: advance() has nothing to do.
    [[nodiscard]] bool is_idle() const noexcept { return is_complete() && !draws_soon_ && !picks_soon_; }
    /// The drawing so far, once the first slice of the clouds is drawn; until then the previous drawing, so that
    /// nothing flickers. Null before the first picture.
    [[nodiscard]] const RenderTarget* target() const noexcept
    {
        return targets_[shown_] ? &*targets_[shown_] : nullptr;
    }
    [[nodiscard]] std::optional<Pick> pick(double x, double y, PickOrder order = PickOrder::body_first)
    {
        return target() ? renderer_.pick(x, y, order) : std::nullopt;
    }
    /// Duration of the last complete drawing, without pauses.
    [[nodiscard]] std::chrono::nanoseconds drawn_in() const noexcept { return drawn_in_; }

private:
    bool prepare(bool (Renderer::*one)());
    void begin();
    void draw_more();

    Renderer renderer_;
    bool draws_soon_ = true, picks_soon_ = true;          ///< when its preparation is complete
    std::array<std::optional<RenderTarget>, 2> targets_;  ///< one is shown while the other is drawn
    std::size_t shown_ = 0;
    bool begun_ = false;  ///< drawing has begun in the target that is not shown
    std::shared_ptr<const Picture> picture_;
    Camera camera_;
    RenderOptions options_;
    PixelSize size_;
    bool stale_ = false;
    bool more_ = false;
    std::chrono::nanoseconds spent_{};
    std::chrono::nanoseconds drawn_in_{};
};

}  // namespace ositrace::gui
