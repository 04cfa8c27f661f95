// SPDX-License-Identifier: MPL-2.0
#include "gui/render/box_batch.hpp"

#include <cstddef>

namespace ositrace::gui {

namespace {

constexpr auto vertex_shader = R"(
layout(location = 0) in vec3 corner;  // from -0.5 to 0.5
layout(location = 1) in vec3 side;    // which face
layout(location = 2) in vec3 centre;
layout(location = 3) in vec3 ahead;
layout(location = 4) in vec3 left;
layout(location = 5) in vec3 upwards;
layout(location = 6) in vec4 colour;
layout(location = 7) in uint thing;
layout(location = 8) in uint style;
out vec4 shade;
out vec2 metres;                      // on the top, from its middle
flat out vec2 half_size;
flat out uint of_thing;
flat out uint has_arrow;
void main()
{
    mat3 axes = mat3(ahead, left, upwards);
    vec3 normal = normalize(axes * (side / vec3(dot(ahead, ahead), dot(left, left), dot(upwards, upwards))));
    float light = .62 + .26 * max(normal.z, 0.) + .12 * dot(normal, normalize(vec3(.5, -.7, .3)));
    if ((style & 2u) != 0u) light = 1.;
    shade = emphasized(vec4(colour.rgb * light, colour.a), thing);
    half_size = vec2(length(ahead), length(left)) / 2.;
    metres = corner.xy * 2. * half_size;
    of_thing = thing;
    has_arrow = side.z > .5 ? style & 1u : 0u;
    gl_Position = place_on_screen(matrix * vec4(centre + axes * corner, 1));
}
)";

constexpr auto fragment_shader = R"(
in vec4 shade;
in vec2 metres;
flat in vec2 half_size;
flat in uint of_thing;
flat in uint has_arrow;
void main()
{
    vec4 colour = shade;
    if (has_arrow != 0u) {  // a chevron on the roof says where the front is
        float back = half_size.x * .8 - metres.x - abs(metres.y) * .8;
        float band = min(half_size.y * .5, half_size.x * .4);
        if (back > 0. && back < band && abs(metres.y) < half_size.y * .75) colour.rgb = mix(colour.rgb, vec3(1), .6);
    }
    put(colour, of_thing);
}
)";

/// Two triangles for each of six faces: corner and face.
std::vector<float> cube()
{
    std::vector<float> vertices;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float side : {-1.F, 1.F}) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            for (const auto& [a, b] :
                 {std::pair{-.5F, -.5F}, {.5F, -.5F}, {.5F, .5F}, {-.5F, -.5F}, {.5F, .5F}, {-.5F, .5F}}) {
                std::array<float, 6> vertex{};
                vertex[static_cast<std::size_t>(axis)] = side / 2;
                vertex[static_cast<std::size_t>(u)] = a;
                vertex[static_cast<std::size_t>(v)] = b;
                vertex[static_cast<std::size_t>(3 + axis)] = side;
                vertices.insert(vertices.end(), vertex.begin(), vertex.end());
            }
        }
    }
    return vertices;
}

}  // namespace

ShaderProgram box_program() { return {vertex_shader, fragment_shader}; }

BoxBatch::BoxBatch()
{
    glBindVertexArray(array_.get());
    gui::upload(corners_, cube(), GL_STATIC_DRAW);
    for (GLuint i = 0; i < 9; ++i) glEnableVertexAttribArray(i);
    for (GLuint i = 2; i < 9; ++i) glVertexAttribDivisor(i, 1);
    constexpr GLsizei vertex = 6 * sizeof(float);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, vertex, at_byte(0));
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, vertex, at_byte(3 * sizeof(float)));
}

void BoxBatch::point_at(GLint first) const
{
    constexpr std::size_t stride = sizeof(BoxInstance);
    const auto place = [&](std::size_t offset) { return at_byte(static_cast<std::size_t>(first) * stride + offset); };
    glBindVertexArray(array_.get());
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
    glVertexAttribPointer(2, 3, GL_FLOAT, GL_FALSE, stride, place(offsetof(BoxInstance, centre)));
    for (GLuint i = 0; i < 3; ++i) {
        glVertexAttribPointer(3 + i, 3, GL_FLOAT, GL_FALSE, stride,
                              place(offsetof(BoxInstance, axes) + i * sizeof(Point)));
    }
    glVertexAttribPointer(6, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, place(offsetof(BoxInstance, colour)));
    glVertexAttribIPointer(7, 1, GL_UNSIGNED_INT, stride, place(offsetof(BoxInstance, thing)));
    glVertexAttribIPointer(8, 1, GL_UNSIGNED_INT, stride, place(offsetof(BoxInstance, style)));
}

void BoxBatch::upload(const std::vector<BoxInstance>& boxes)
{
    gui::upload(buffer_, boxes, GL_DYNAMIC_DRAW);
    count_ = static_cast<GLsizei>(boxes.size());
}

void BoxBatch::draw(const ShaderProgram& program, const DrawContext& context, DrawPart& part) const
{
    constexpr GLsizei corners = 36;
    const auto [first, count] = part.take(count_, corners);
    if (count == 0) return;
    program.use(context);
    point_at(first);
    glDrawArraysInstanced(GL_TRIANGLES, 0, corners, count);
}

}  // namespace ositrace::gui
