// SPDX-License-Identifier: MPL-2.0
#include "gui/render/triangle_batch.hpp"

#include <cstddef>

namespace ositrace::gui {

namespace {

constexpr auto vertex_shader = R"(
layout(location = 0) in vec3 place;
layout(location = 1) in vec4 colour;
layout(location = 2) in uint thing;
out vec4 shade;
flat out uint of_thing;
void main()
{
    shade = emphasized(colour, thing);
    if (colour.a == 0.) shade.a = 0.;
    of_thing = thing;
    gl_Position = place_on_screen(matrix * vec4(place, 1));
}
)";

constexpr auto fragment_shader = R"(
in vec4 shade;
flat in uint of_thing;
void main() { put(shade, of_thing); }
)";

}  // namespace

ShaderProgram triangle_program() { return {vertex_shader, fragment_shader}; }

TriangleBatch::TriangleBatch()
{
    constexpr GLsizei stride = sizeof(TriangleVertex);
    glBindVertexArray(array_.get());
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
    for (GLuint i = 0; i < 3; ++i) glEnableVertexAttribArray(i);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, at_byte(offsetof(TriangleVertex, place)));
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, at_byte(offsetof(TriangleVertex, colour)));
    glVertexAttribIPointer(2, 1, GL_UNSIGNED_INT, stride, at_byte(offsetof(TriangleVertex, thing)));
}

void TriangleBatch::upload(const std::vector<TriangleVertex>& vertices)
{
    gui::upload(buffer_, vertices, GL_DYNAMIC_DRAW);
    count_ = static_cast<GLsizei>(vertices.size());
}

void TriangleBatch::draw(const ShaderProgram& program, const DrawContext& context, DrawPart& part) const
{
    constexpr GLsizei corners = 3;
    const auto [first, count] = part.take(count_ / corners, corners);
    if (count == 0) return;
    program.use(context);
    glBindVertexArray(array_.get());
    glDrawArrays(GL_TRIANGLES, first * corners, count * corners);
}

}  // namespace ositrace::gui
