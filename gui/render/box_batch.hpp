// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include "gui/render/draw_part.hpp"
#include "gui/render/shader_program.hpp"
#include "gui/render/tessellate.hpp"

namespace ositrace::gui {

[[nodiscard]] ShaderProgram box_program();

/// Boxes on the card, one instance each.
class BoxBatch {
public:
    BoxBatch();
    void upload(const std::vector<BoxInstance>& boxes);
    void draw(const ShaderProgram& program, const DrawContext& context, DrawPart& part) const;

private:
    void point_at(GLint first) const;

    VertexArray array_;
    Buffer corners_;
    Buffer buffer_;
    GLsizei count_ = 0;
};

}  // namespace ositrace::gui
