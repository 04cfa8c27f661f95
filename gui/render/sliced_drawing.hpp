// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <optional>

#include "gui/render/renderer.hpp"

namespace ositrace::gui {

/// Draws a picture a little at a time, so that a thread that has other duties is never held for long. What Renderer
/// says of contexts holds here too.
class SlicedDrawing {
public:
    /// The next advance() begins anew when anything differs from last time; what was left of the clouds of the old
    /// picture is dropped.
    void set(std::shared_ptr<const Picture> picture, const Camera& camera, const RenderOptions& options,
             PixelSize size);
    /// Draws for about as long as `budget`, at least one step: a slice; at first also what Renderer prepares. True:
    /// there is more to do.
    bool advance(std::chrono::nanoseconds budget);
    /// One step of what Renderer prepares for drawing, which advance() else takes. False: all of it is done.
    bool prepare_more();
    /// Everything that set() asked for is drawn.
    [[nodiscard]] bool is_complete() const noexcept { return !stale_ && !more_; }
    /// target() is what set() asked for, its clouds at least in their first slice.
    [[nodiscard]] bool shows_picture() const noexcept { return target() && !stale_ && !begun_; }
    /// And picking is prepared: advance() has nothing to do.
    [[nodiscard]] bool is_idle() const noexcept { return is_complete() && !draws_soon_ && !picks_soon_; }
    /// Drawn so far, from the first slice of the clouds on: until then it is what was drawn before, so that nothing
    /// flickers. Null before the first picture.
    [[nodiscard]] const RenderTarget* target() const noexcept
    {
        return targets_[shown_] ? &*targets_[shown_] : nullptr;
    }
    [[nodiscard]] std::optional<Pick> pick(double x, double y, PickOrder order = PickOrder::body_first)
    {
        return target() ? renderer_.pick(x, y, order) : std::nullopt;
    }
    /// What the last complete drawing took, pauses not counted.
    [[nodiscard]] std::chrono::nanoseconds drawn_in() const noexcept { return drawn_in_; }

private:
    bool prepare(bool (Renderer::*one)());
    void begin();
    void draw_more();

    Renderer renderer_;
    bool draws_soon_ = true, picks_soon_ = true;          ///< when that is prepared
    std::array<std::optional<RenderTarget>, 2> targets_;  ///< one is shown while the other is begun
    std::size_t shown_ = 0;
    bool begun_ = false;  ///< in the one that is not shown
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
