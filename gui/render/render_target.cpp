// SPDX-License-Identifier: MPL-2.0
#include "gui/render/render_target.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include <ositrace/error.hpp>

#include "gui/render/gl.hpp"
#include "gui/render/shader_program.hpp"

namespace ositrace::gui {

namespace {

void check_complete()
{
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return;
    throw Error(Cause::unsupported,
                "the OpenGL driver refuses an off-screen picture of 8-bit colours and 24-bit depth");
}

}  // namespace

struct RenderTarget::Implementation {
    PixelSize size;
    int samples = 0;
    RenderBuffer colour;
    RenderBuffer depth;
    FrameBufferName drawn;
    std::optional<RenderBuffer> resolved_colour, resolved_depth;
    std::optional<FrameBufferName> resolved;
    bool is_resolved = false;  ///< what is drawn now has one sample per pixel

    void store(const RenderBuffer& buffer, GLenum format, int of_samples) const
    {
        glBindRenderbuffer(GL_RENDERBUFFER, buffer.get());
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, of_samples, format, size.width, size.height);
    }
    static void attach(const FrameBufferName& to, const RenderBuffer& with_colour, const RenderBuffer& with_depth)
    {
        glBindFramebuffer(GL_FRAMEBUFFER, to.get());
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, with_colour.get());
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, with_depth.get());
        check_complete();
    }
    void make()
    {
        store(colour, GL_RGBA8, samples);
        store(depth, GL_DEPTH_COMPONENT24, samples);
        attach(drawn, colour, depth);
        if (samples == 0) return;
        store(resolved_colour.emplace(), GL_RGBA8, 0);
        store(resolved_depth.emplace(), GL_DEPTH_COMPONENT24, 0);
        attach(resolved.emplace(), *resolved_colour, *resolved_depth);
    }
    [[nodiscard]] GLuint current() const { return is_resolved ? resolved->get() : drawn.get(); }
    void blit(GLuint to, GLbitfield buffers) const
    {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, current());
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
        glDisable(GL_SCISSOR_TEST);
        glBlitFramebuffer(0, 0, size.width, size.height, 0, 0, size.width, size.height, buffers, GL_NEAREST);
    }
};

RenderTarget::RenderTarget(PixelSize size, int samples) : implementation_(std::make_unique<Implementation>())
{
    const int largest = largest_side();
    if (size.width < 1 || size.height < 1 || size.width > largest || size.height > largest) {
        throw Error(Cause::limit, "a picture of " + std::to_string(size.width) + "x" + std::to_string(size.height) +
                                      " pixels; the OpenGL driver draws 1x1 to " + std::to_string(largest) + "x" +
                                      std::to_string(largest));
    }
    GLint most = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    implementation_->size = size;
    implementation_->samples = samples > 1 ? std::min(samples, most) : 0;
    implementation_->make();
}

RenderTarget::RenderTarget(RenderTarget&&) noexcept = default;
RenderTarget& RenderTarget::operator=(RenderTarget&&) noexcept = default;
RenderTarget::~RenderTarget() = default;

PixelSize RenderTarget::size() const noexcept { return implementation_->size; }

int RenderTarget::samples() const noexcept { return implementation_->samples; }

void RenderTarget::bind() const
{
    glBindFramebuffer(GL_FRAMEBUFFER, implementation_->current());
    glViewport(0, 0, size().width, size().height);
}

void RenderTarget::begin() const
{
    implementation_->is_resolved = false;
    bind();
}

void RenderTarget::resolve() const
{
    auto& self = *implementation_;
    if (self.is_resolved || !self.resolved) return;
    self.blit(self.resolved->get(), GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    self.is_resolved = true;
}

void RenderTarget::blit_to(unsigned framebuffer) const
{
    implementation_->blit(framebuffer, GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

std::vector<std::uint8_t> RenderTarget::read() const
{
    resolve();
    glBindFramebuffer(GL_READ_FRAMEBUFFER, implementation_->current());
    const auto row = static_cast<std::size_t>(size().width) * 4, rows = static_cast<std::size_t>(size().height);
    std::vector<std::uint8_t> pixels(row * rows);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, size().width, size().height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    std::vector<std::uint8_t> upper(row);
    for (std::size_t i = 0; i < rows / 2; ++i) {  // OpenGL counts from the bottom
        auto *const top = pixels.data() + i * row, *const bottom = pixels.data() + (rows - 1 - i) * row;
        std::memcpy(upper.data(), top, row);
        std::memcpy(top, bottom, row);
        std::memcpy(bottom, upper.data(), row);
    }
    return pixels;
}

int largest_side()
{
    GLint side = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
    return side;
}

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
