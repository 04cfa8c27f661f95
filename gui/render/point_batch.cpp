// SPDX-License-Identifier: MPL-2.0
#include "gui/render/point_batch.hpp"

#include <vector>

#include "gui/render/tessellate_box.hpp"

namespace ositrace::gui {

namespace {

constexpr int map_colours = 256;

constexpr auto vertex_shader = R"(
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
    clip.z -= 4. * depth_step;
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

constexpr auto fragment_shader = R"(
flat in vec4 shade;
void main() { put(shade, 0xffffffffu); }
)";

}  // namespace

ShaderProgram point_program() { return {vertex_shader, fragment_shader}; }

PointBatch::PointBatch(std::shared_ptr<const Cloud> cloud) : cloud_(std::move(cloud)) { upload(places_, cloud_->points, GL_STATIC_DRAW); }

std::size_t PointBatch::slices() const noexcept { return (cloud_->points.size() + slice_points - 1) / slice_points; }

void PointBatch::use_field(const CloudField* field)
{
    if (!field || field == uploaded_) return;
    upload(values_, field->values, GL_STATIC_DRAW);
    uploaded_ = field;
}

void PointBatch::draw_slice(const ShaderProgram& program, const DrawContext& context, std::size_t slice, const RenderOptions& options,
                            const std::optional<CloudColouring>& colouring)
{
    const auto* field = field_of(*cloud_, colouring);
    use_field(field);
    const auto name = program.use(context);
    glUniform1i(glGetUniformLocation(name, "map"), 0);
    glUniform1i(glGetUniformLocation(name, "mapped"), field != nullptr);
    if (field) {
        const float width = colouring->to - colouring->from;
        glUniform2f(glGetUniformLocation(name, "range"), colouring->from, width > 0 ? 1 / width : 0);
    }
    glUniform4fv(glGetUniformLocation(name, "plain"), 1, colour_of(cloud_->key.category, options.theme).data());
    glUniform1f(glGetUniformLocation(name, "size"), options.point_size * options.pixel_ratio);

    const auto step = slices();
    glBindVertexArray(array_.get());
    glBindBuffer(GL_ARRAY_BUFFER, places_.get());
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(step * sizeof(Point)), at_byte(slice * sizeof(Point)));
    if (field) {
        glBindBuffer(GL_ARRAY_BUFFER, values_.get());
        glEnableVertexAttribArray(1);
        glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(step * sizeof(float)), at_byte(slice * sizeof(float)));
    } else {
        glDisableVertexAttribArray(1);
    }
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>((cloud_->points.size() - slice + step - 1) / step));
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
