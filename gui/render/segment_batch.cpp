// SPDX-License-Identifier: MPL-2.0
#include "gui/render/segment_batch.hpp"

#include <cstddef>

namespace ositrace::gui {

namespace {

constexpr auto vertex_shader = R"(
layout(location = 0) in vec3 before;
layout(location = 1) in vec3 from;
layout(location = 2) in vec3 to;
layout(location = 3) in vec3 behind;
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
    vec2 next = end ? behind.xy - to.xy : from.xy - before.xy;
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
    float pixels = stands_out(thing) ? width.y * 2. + 1. : width.y;
    bool level = width.x > 0. && distance(from.xy, to.xy) > 1e-5;
    if (!level && width.x > 0.) pixels = max(pixels, width.x / (pixel * depth_of(from)));
    vec4 clip = level ? flat_band(end, side, pixels) : screen_band(end, side, pixels);
    clip.z -= nearer * depth_step;
    shade = emphasized(colour, thing);
    of_thing = thing;
    gl_Position = place_on_screen(clip);
}
)";

constexpr auto fragment_shader = R"(
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

ShaderProgram segment_program() { return {vertex_shader, fragment_shader}; }

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
                                  offsetof(Segment, behind)};
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

void SegmentBatch::draw(const ShaderProgram& program, const DrawContext& context, DrawPart& part, float nearer) const
{
    constexpr GLsizei corners = 4;
    const auto [first, count] = part.take(count_, corners);
    if (count == 0) return;
    glUniform1f(glGetUniformLocation(program.use(context), "nearer"), nearer);
    point_at(first);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, corners, count);
}

}  // namespace ositrace::gui
