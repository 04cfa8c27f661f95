// SPDX-License-Identifier: MPL-2.0
#include "gui/render/primitive_batches.hpp"

#include <algorithm>
#include <cstddef>

#include <ositrace/body_meshes.hpp>

namespace ositrace::gui {

namespace {

constexpr auto box_vertex_shader = R"(
layout(location = 0) in vec3 place;   // from -0.5 to 0.5
layout(location = 1) in vec3 offset;  // in heights
layout(location = 2) in vec3 normal;
layout(location = 3) in vec2 kind;    // paint, steers
layout(location = 4) in vec3 centre;
layout(location = 5) in vec3 ahead;
layout(location = 6) in vec3 left;
layout(location = 7) in vec3 upwards;
layout(location = 8) in vec4 colour;
layout(location = 9) in uint thing;
layout(location = 10) in uint style;
layout(location = 11) in float steering;
out vec4 shade;
out vec2 metres;                      // on the top, from its middle
flat out vec2 half_size;
flat out uint of_thing;
flat out uint has_arrow;

const vec3 paints[6] = vec3[6](vec3(0), vec3(.10, .13, .17), vec3(.07), vec3(.55, .56, .58), vec3(.16, .17, .19),
                               vec3(.80, .62, .50));

vec3 steered(vec3 v)
{
    float angle = kind.y * steering, c = cos(angle), s = sin(angle);
    return vec3(c * v.x - s * v.y, s * v.x + c * v.y, v.z);
}

void main()
{
    vec3 sides = vec3(length(ahead), length(left), length(upwards));
    mat3 axes = mat3(ahead / sides.x, left / sides.y, upwards / sides.z);
    bool is_round = offset != vec3(0);
    vec3 local = place * sides + steered(offset) * sides.z;
    vec3 outwards = axes * (is_round ? steered(normal) : normalize(normal / sides));
    float light = .62 + .26 * max(outwards.z, 0.) + .12 * dot(outwards, normalize(vec3(.5, -.7, .3)));
    if ((style & 2u) != 0u) light = 1.;
    vec3 paint = kind.x == 0. ? colour.rgb : paints[int(kind.x)];
    shade = vec4(paint * light, colour.a);
    if ((style & 4u) == 0u) shade = emphasized(shade, thing);
    half_size = sides.xy / 2.;
    metres = local.xy;
    of_thing = thing;
    has_arrow = normal.z > .99 ? style & 1u : 0u;
    gl_Position = place_on_screen(matrix * vec4(centre + axes * local, 1));
}
)";

constexpr auto box_fragment_shader = R"(
in vec4 shade;
in vec2 metres;
flat in vec2 half_size;
flat in uint of_thing;
flat in uint has_arrow;
void main()
{
    vec4 colour = shade;
    if (has_arrow != 0u) {  // a chevron on the roof points to the front
        float back = half_size.x * .8 - metres.x - abs(metres.y) * .8;
        float band = min(half_size.y * .5, half_size.x * .4);
        if (back > 0. && back < band && abs(metres.y) < half_size.y * .75) colour.rgb = mix(colour.rgb, vec3(1), .6);
    }
    put(colour, of_thing);
}
)";

template <class Element>
bool are_opaque(const std::vector<Element>& elements)
{
    return std::ranges::all_of(elements, [](const Element& each) { return each.colour[3] == 255; });
}

}  // namespace

ShaderProgram box_program() { return {box_vertex_shader, box_fragment_shader}; }

BodyMeshBuffer::BodyMeshBuffer() { gui::upload(buffer_, body_meshes().vertices, GL_STATIC_DRAW); }

namespace {

constexpr GLuint mesh_attributes = 4, box_attributes = 12;
/// A driver without a graphics card draws that many in about 10 ms.
constexpr std::size_t most_body_vertices = 150'000;

const BodyMeshes::Range& mesh_of(BodyShape shape) { return body_meshes().ranges[static_cast<std::size_t>(shape)]; }

}  // namespace

BoxBatch::BoxBatch()
{
    glBindVertexArray(array_.get());
    for (GLuint i = 0; i < box_attributes; ++i) glEnableVertexAttribArray(i);
    for (GLuint i = mesh_attributes; i < box_attributes; ++i) glVertexAttribDivisor(i, 1);
}

void BoxBatch::point_at(std::size_t first) const
{
    constexpr std::size_t stride = sizeof(BoxInstance);
    const auto place = [&](std::size_t offset) { return at_byte(first * stride + offset); };
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
    glVertexAttribPointer(4, 3, GL_FLOAT, GL_FALSE, stride, place(offsetof(BoxInstance, centre)));
    for (GLuint i = 0; i < 3; ++i) {
        glVertexAttribPointer(5 + i, 3, GL_FLOAT, GL_FALSE, stride,
                              place(offsetof(BoxInstance, axes) + i * sizeof(Point)));
    }
    glVertexAttribPointer(8, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, place(offsetof(BoxInstance, colour)));
    glVertexAttribIPointer(9, 1, GL_UNSIGNED_INT, stride, place(offsetof(BoxInstance, thing)));
    glVertexAttribIPointer(10, 1, GL_UNSIGNED_INT, stride, place(offsetof(BoxInstance, style)));
    glVertexAttribPointer(11, 1, GL_FLOAT, GL_FALSE, stride, place(offsetof(BoxInstance, steering)));
}

void BoxBatch::upload(std::vector<BoxInstance> boxes)
{
    is_opaque_ = are_opaque(boxes);
    std::size_t vertices = 0;
    for (const auto& box : boxes)
        if (box.shape != BodyShape::box) vertices += mesh_of(box.shape).count;
    if (vertices > most_body_vertices)
        for (auto& box : boxes) box.shape = BodyShape::box;
    std::ranges::stable_sort(boxes, {}, &BoxInstance::shape);
    groups_.clear();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (i == 0 || boxes[i].shape != groups_.back().shape) groups_.push_back({boxes[i].shape, i, 0});
        ++groups_.back().count;
    }
    gui::upload(buffer_, boxes, GL_DYNAMIC_DRAW);
}

void BoxBatch::draw(const ShaderProgram& program, const BodyMeshBuffer& meshes, const DrawContext& context,
                    DrawSlice& part) const
{
    for (const auto& group : groups_) {
        const auto& mesh = mesh_of(group.shape);
        const auto [first, count] = part.next(static_cast<GLsizei>(group.count), mesh.count);
        if (count == 0) continue;
        program.use(context);
        glBindVertexArray(array_.get());
        constexpr GLsizei stride = sizeof(BodyVertex);
        glBindBuffer(GL_ARRAY_BUFFER, meshes.get());
        glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, at_byte(offsetof(BodyVertex, place)));
        glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, at_byte(offsetof(BodyVertex, offset)));
        glVertexAttribPointer(2, 3, GL_FLOAT, GL_FALSE, stride, at_byte(offsetof(BodyVertex, normal)));
        glVertexAttribPointer(3, 2, GL_FLOAT, GL_FALSE, stride, at_byte(offsetof(BodyVertex, paint)));
        point_at(group.first + static_cast<std::size_t>(first));
        const OpaqueDrawing drawing(is_opaque_);
        glDrawArraysInstanced(GL_TRIANGLES, static_cast<GLint>(mesh.first), static_cast<GLsizei>(mesh.count), count);
    }
}

namespace {

constexpr auto triangle_vertex_shader = R"(
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

constexpr auto triangle_fragment_shader = R"(
in vec4 shade;
flat in uint of_thing;
void main() { put(shade, of_thing); }
)";

}  // namespace

ShaderProgram triangle_program() { return {triangle_vertex_shader, triangle_fragment_shader}; }

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
    is_opaque_ = are_opaque(vertices);
    gui::upload(buffer_, vertices, GL_DYNAMIC_DRAW);
    count_ = static_cast<GLsizei>(vertices.size());
}

void TriangleBatch::draw(const ShaderProgram& program, const DrawContext& context, DrawSlice& part) const
{
    constexpr GLsizei corners = 3;
    const auto [first, count] = part.next(count_ / corners, corners);
    if (count == 0) return;
    program.use(context);
    glBindVertexArray(array_.get());
    const OpaqueDrawing drawing(is_opaque_);
    glDrawArrays(GL_TRIANGLES, first * corners, count * corners);
}

namespace {

constexpr auto segment_vertex_shader = R"(
layout(location = 0) in vec3 before;
layout(location = 1) in vec3 from;
layout(location = 2) in vec3 to;
layout(location = 3) in vec3 after;
layout(location = 4) in vec2 width;   // metres, pixels
layout(location = 5) in vec4 colour;
layout(location = 6) in uint thing;
uniform float nearer;
out float aside;                      // from the middle of the line, in the unit of reach
out float reach;
out vec4 shade;
flat out uint of_thing;

vec2 left_of(vec2 direction) { return vec2(-direction.y, direction.x); }
float depth_of(vec3 place) { return max((matrix * vec4(place, 1)).w, .01); }

// A band on the ground whose corners meet those of its neighbours.
vec4 flat_band(bool end, float side, float pixels)
{
    vec3 here = end ? to : from;
    vec2 own = left_of(normalize(to.xy - from.xy));
    vec2 next = end ? after.xy - to.xy : from.xy - before.xy;
    vec2 other = dot(next, next) > 1e-10 ? left_of(normalize(next)) : own;
    vec2 corner = own + other;
    corner = dot(corner, corner) > .1 ? normalize(corner) : own;
    float stretch = 1. / max(dot(corner, own), .5);
    float unit = pixel * depth_of(here);
    reach = max(width.x, pixels * unit) / 2.;
    aside = side * (reach + unit);
    here.xy += aside * stretch * corner;
    return matrix * vec4(here, 1);
}

vec4 screen_band(bool end, float side, float pixels)
{
    vec4 a = matrix * vec4(from, 1), b = matrix * vec4(to, 1);
    const float nearest = .02;
    if (a.w < nearest && b.w < nearest) return vec4(2, 2, 2, 1);
    if (a.w < nearest) a = mix(a, b, (nearest - a.w) / (b.w - a.w));
    if (b.w < nearest) b = mix(b, a, (nearest - b.w) / (a.w - b.w));
    vec2 along = (b.xy / b.w - a.xy / a.w) * viewport;
    along = dot(along, along) > 1e-12 ? normalize(along) : vec2(1, 0);
    vec4 clip = end ? b : a;
    reach = pixels / 2.;
    aside = side * (reach + 1.);
    clip.xy += aside * left_of(along) * 2. / viewport * clip.w;
    return clip;
}

void main()
{
    bool end = gl_VertexID > 1;
    float side = (gl_VertexID & 1) == 0 ? -1. : 1.;
    float pixels = is_selected(thing) ? width.y * 2. + 1. : width.y;
    bool level = width.x > 0. && distance(from.xy, to.xy) > 1e-5;
    if (!level && width.x > 0.) pixels = max(pixels, width.x / (pixel * depth_of(from)));
    vec4 clip = level ? flat_band(end, side, pixels) : screen_band(end, side, pixels);
    clip.z -= nearer * depth_step;
    shade = emphasized(colour, thing);
    of_thing = thing;
    gl_Position = place_on_screen(clip);
}
)";

constexpr auto segment_fragment_shader = R"(
in float aside;
in float reach;
in vec4 shade;
flat in uint of_thing;
void main()
{
    float covered = clamp((reach - abs(aside)) / max(fwidth(aside), 1e-6) + .5, 0., 1.);
    put(vec4(shade.rgb, shade.a * covered), of_thing);
}
)";

}  // namespace

ShaderProgram segment_program() { return {segment_vertex_shader, segment_fragment_shader}; }

SegmentBatch::SegmentBatch()
{
    glBindVertexArray(array_.get());
    for (GLuint i = 0; i < 7; ++i) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
}

void SegmentBatch::point_at(GLint first) const
{
    constexpr std::size_t stride = sizeof(Segment);
    const auto place = [&](std::size_t offset) { return at_byte(static_cast<std::size_t>(first) * stride + offset); };
    const std::size_t places[] = {offsetof(Segment, before), offsetof(Segment, from), offsetof(Segment, to),
                                  offsetof(Segment, after)};
    glBindVertexArray(array_.get());
    glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
    for (GLuint i = 0; i < 4; ++i) glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, stride, place(places[i]));
    glVertexAttribPointer(4, 2, GL_FLOAT, GL_FALSE, stride, place(offsetof(Segment, metres)));
    glVertexAttribPointer(5, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, place(offsetof(Segment, colour)));
    glVertexAttribIPointer(6, 1, GL_UNSIGNED_INT, stride, place(offsetof(Segment, thing)));
}

void SegmentBatch::upload(const std::vector<Segment>& segments)
{
    gui::upload(buffer_, segments, GL_DYNAMIC_DRAW);
    count_ = static_cast<GLsizei>(segments.size());
}

void SegmentBatch::draw(const ShaderProgram& program, const DrawContext& context, DrawSlice& part, float nearer) const
{
    constexpr GLsizei corners = 4;
    const auto [first, count] = part.next(count_, corners);
    if (count == 0) return;
    glUniform1f(glGetUniformLocation(program.use(context), "nearer"), nearer);
    point_at(first);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, corners, count);
}

}  // namespace ositrace::gui
