// SPDX-License-Identifier: MPL-2.0
#include "gui/render/point_batch.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "gui/render/tessellate.hpp"

namespace ositrace::gui {

namespace {

constexpr int map_colours = 256;

constexpr auto point_vertex_shader = R"(
layout(location = 0) in vec3 place;
layout(location = 1) in float value;
uniform sampler2D map;
uniform bool mapped;
uniform vec2 range;          // first value, 1 / width
uniform vec4 plain;
uniform float size;
flat out vec4 shade;
void main()
{
    vec4 clip = matrix * vec4(place, 1);
    clip.z -= (mapped ? 4. : 3.) * depth_step;  // points that the colour bar describes hide others at the same place
    gl_Position = place_on_screen(clip);
    gl_PointSize = size;
    shade = plain;
    if (mapped) {
        bool number = value == value && abs(value) < 3e38;
        int step = int(clamp((value - range.x) * range.y, 0., 1.) * 255. + .5);
        shade = number ? vec4(texelFetch(map, ivec2(step, 0), 0).rgb, 1) : vec4(.5, .5, .5, 1);
    }
}
)";

constexpr auto point_fragment_shader = R"(
flat in vec4 shade;
void main() { put(shade, 0xffffffffu); }
)";

}  // namespace

ShaderProgram point_program() { return {point_vertex_shader, point_fragment_shader}; }

void PointBuffer::set(const std::vector<PointVertex>& points)
{
    count_ = static_cast<GLsizei>(points.size());
    glBindVertexArray(array_.get());
    upload(buffer_, points, GL_STREAM_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(PointVertex), at_byte(offsetof(PointVertex, place)));
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, sizeof(PointVertex), at_byte(offsetof(PointVertex, value)));
}

void PointBuffer::draw() const
{
    glBindVertexArray(array_.get());
    glDrawArrays(GL_POINTS, 0, count_);
}

PointBatch::PointBatch(std::shared_ptr<const Cloud> cloud)
    : cloud_(std::move(cloud)), slices_((cloud_->points.size() + slice_points - 1) / slice_points)
{
}

std::vector<PointVertex> PointBatch::points_of(std::size_t slice, const CloudField* field) const
{
    const auto& points = cloud_->points;
    const auto step = slices();
    std::vector<PointVertex> vertices;
    vertices.reserve(slice_points);
    for (auto i = slice; i < points.size(); i += step) vertices.push_back({points[i], field ? field->values[i] : 0});
    return vertices;
}

void PointBatch::draw_points(std::size_t number, const CloudField* field, PointBuffer& passing)
{
    auto& slice = slices_[number];
    if (!std::exchange(slice.was_drawn, true)) {
        passing.set(points_of(number, field));
        return passing.draw();
    }
    if (!slice.kept || slice.field != field) {
        if (!slice.kept) slice.kept.emplace();
        slice.kept->set(points_of(number, field));
        slice.field = field;
    }
    slice.kept->draw();
}

void PointBatch::draw_slice(const ShaderProgram& program, const DrawContext& context, std::size_t slice,
                            const RenderOptions& options, const std::optional<CloudColouring>& colouring,
                            PointBuffer& passing)
{
    const auto* field = field_of(*cloud_, colouring);
    const auto name = program.use(context);
    glUniform1i(glGetUniformLocation(name, "map"), 0);
    glUniform1i(glGetUniformLocation(name, "mapped"), field != nullptr);
    if (field) {
        const float width = colouring->to - colouring->from;
        glUniform2f(glGetUniformLocation(name, "range"), colouring->from, width > 0 ? 1 / width : 0);
    }
    const auto plain = options.plain_colour(cloud_->key);
    glUniform4fv(glGetUniformLocation(name, "plain"), 1, plain.data());
    glUniform1f(glGetUniformLocation(name, "size"), options.point_size * options.pixel_ratio);
    const OpaqueDrawing drawing(field != nullptr || plain[3] >= 1);
    draw_points(slice, field, passing);
}

ColourMap::ColourMap()
{
    std::vector<std::array<std::uint8_t, 4>> texels;
    for (int i = 0; i < map_colours; ++i) texels.push_back(bytes_of(turbo(static_cast<float>(i) / (map_colours - 1))));
    bind();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, map_colours, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

void ColourMap::bind() const
{
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_.get());
}

}  // namespace ositrace::gui
