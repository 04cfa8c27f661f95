// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include "gui/render/draw_part.hpp"
#include "gui/render/shader_program.hpp"
#include "gui/render/tessellate.hpp"

namespace ositrace::gui {

[[nodiscard]] ShaderProgram segment_program();

/// Segments of lines on the card, smooth at their sides without multisampling.
class SegmentBatch {
public:
    SegmentBatch();
    void upload(const std::vector<Segment>& segments);
    /// `nearer`: so many steps towards the eye (ViewTransform::depth_step), so that the edge of a box lies on it.
    void draw(const ShaderProgram& program, const DrawContext& context, DrawPart& part, float nearer = 0) const;

private:
    void point_at(GLint first) const;

    VertexArray array_;
    Buffer buffer_;
    GLsizei count_ = 0;
};

}  // namespace ositrace::gui
