// SPDX-License-Identifier: MPL-2.0
// OpenGL 3.3 core as the system's libOpenGL exports it. Conflicts with Qt's OpenGL headers: only sources of gui/render
// and their internal headers include it.
#pragma once

#ifndef GL_GLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES 1
#endif
#include <GL/glcorearb.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace ositrace::gui {

/// An object of OpenGL, by its name. Created and destroyed while its context is current.
template <void (*make)(GLsizei, GLuint*), void (*destroy)(GLsizei, const GLuint*)>
class GlName {
public:
    GlName() { make(1, &name_); }
    GlName(GlName&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    GlName& operator=(GlName&& other) noexcept
    {
        std::swap(name_, other.name_);
        return *this;
    }
    ~GlName()
    {
        if (name_ != 0) destroy(1, &name_);
    }
    [[nodiscard]] GLuint get() const noexcept { return name_; }

private:
    GLuint name_ = 0;
};

using Buffer = GlName<glGenBuffers, glDeleteBuffers>;
using VertexArray = GlName<glGenVertexArrays, glDeleteVertexArrays>;
using Texture = GlName<glGenTextures, glDeleteTextures>;
using RenderBuffer = GlName<glGenRenderbuffers, glDeleteRenderbuffers>;
using FrameBufferName = GlName<glGenFramebuffers, glDeleteFramebuffers>;

template <class Element>
void upload(const Buffer& buffer, const std::vector<Element>& elements, GLenum usage)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer.get());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(elements.size() * sizeof(Element)), elements.data(), usage);
}

/// What is opaque is drawn without blending where that is on, which takes a driver without a graphics card less time.
class OpaqueDrawing {
public:
    explicit OpaqueDrawing(bool is_opaque) : ends_blending_(is_opaque && glIsEnabled(GL_BLEND) == GL_TRUE)
    {
        if (ends_blending_) glDisable(GL_BLEND);
    }
    OpaqueDrawing(const OpaqueDrawing&) = delete;
    OpaqueDrawing& operator=(const OpaqueDrawing&) = delete;
    ~OpaqueDrawing()
    {
        if (ends_blending_) glEnable(GL_BLEND);
    }

private:
    bool ends_blending_;
};

/// An offset in a buffer, as glVertexAttribPointer takes it.
inline const void* at_byte(std::size_t offset) noexcept
{
    return reinterpret_cast<const void*>(offset);  // NOLINT(performance-no-int-to-ptr): an offset, no address
}

}  // namespace ositrace::gui
