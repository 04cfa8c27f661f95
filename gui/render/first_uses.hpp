// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "gui/render/point_batch.hpp"
#include "gui/render/render_target.hpp"
#include "gui/render/shape_batch.hpp"

namespace ositrace::gui {

/// A driver compiles a shader when it draws for the first time, and once more for another state: tens of milliseconds
/// each. So each of these first uses is a step of its own, of something that nobody sees.
class FirstUses {
public:
    static constexpr std::size_t to_draw = 6, to_pick = 4;  ///< how many there are

    FirstUses();
    /// Where the first ones are drawn.
    [[nodiscard]] const RenderTarget& target() const noexcept { return target_; }
    /// `context`: picking or not.
    void draw(std::size_t which, const ShapePrograms& programs, const ShaderProgram& point_program,
              DrawContext context);
    [[nodiscard]] DrawContext context() const noexcept { return {.view = &view_}; }

private:
    RenderTarget target_{{1, 1}};
    ViewTransform view_{Camera{}, {}, {1, 1}};
    SegmentBatch segments_;
    TriangleBatch triangles_;
    BoxBatch boxes_;
    PointBatch points_;
    PointBuffer passing_points_;
};

}  // namespace ositrace::gui
