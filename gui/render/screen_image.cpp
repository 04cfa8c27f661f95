// SPDX-License-Identifier: MPL-2.0
#include "gui/render/screen_image.hpp"

#include "gui/render/shader_program.hpp"

namespace ositrace::gui {

namespace {

constexpr auto vertex_shader = R"(
out vec2 at;
void main()
{
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(at.x * 2. - 1., 1. - at.y * 2., 0, 1);
}
)";

constexpr auto fragment_shader = R"(
in vec2 at;
uniform sampler2D image;
void main() { put(texture(image, at), 0u); }
)";

}  // namespace

struct ScreenImage::Implementation {
    ShaderProgram program{vertex_shader, fragment_shader};
    VertexArray array;
    Texture texture;
    PixelSize size;
};

ScreenImage::ScreenImage() : implementation_(std::make_unique<Implementation>()) {}

ScreenImage::~ScreenImage() = default;

void ScreenImage::set(std::span<const std::uint8_t> pixels, PixelSize size)
{
    auto& self = *implementation_;
    if (pixels.size() < static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) * 4) return;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, self.texture.get());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    if (size != self.size) {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size.width, size.height, 0, GL_BGRA, GL_UNSIGNED_BYTE, pixels.data());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        self.size = size;
    } else {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size.width, size.height, GL_BGRA, GL_UNSIGNED_BYTE, pixels.data());
    }
}

void ScreenImage::draw()
{
    auto& self = *implementation_;
    if (self.size == PixelSize{}) return;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, self.texture.get());
    const ViewTransform view({}, {}, self.size);
    glUniform1i(glGetUniformLocation(self.program.use({.view = &view}), "image"), 0);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
    glBindVertexArray(self.array.get());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

}  // namespace ositrace::gui
