// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include "gui/render/draw_part.hpp"
#include "gui/render/shader_program.hpp"
#include "gui/render/tessellate.hpp"

namespace ositrace::gui {

[[nodiscard]] ShaderProgram triangle_program();

/// Triangles on the card.
class TriangleBatch {
public:
    TriangleBatch();
    void upload(const std::vector<TriangleVertex>& vertices);
    void draw(const ShaderProgram& program, const DrawContext& context, DrawPart& part) const;

private:
    VertexArray array_;
    Buffer buffer_;
    GLsizei count_ = 0;
};

}  // namespace ositrace::gui
