// SPDX-License-Identifier: MPL-2.0
// OpenGL 3.3 core, loaded at run time: osiview starts, and says what is missing, on a system without OpenGL. Conflicts
// with Qt's OpenGL headers: only sources of gui/render and their internal headers include it.
#pragma once

#undef GL_GLEXT_PROTOTYPES  // nothing is linked
#include <GL/glcorearb.h>
// On Windows it includes windows.h, which takes these words.
#undef near
#undef far

#include <cstddef>
#include <utility>
#include <vector>

// clang-format off
/// What is used of it. load_opengl() gives each its address.
#define OSITRACE_OPENGL(each)                                                                                         \
    each(ActiveTexture, ACTIVETEXTURE) each(AttachShader, ATTACHSHADER) each(BindBuffer, BINDBUFFER)                  \
    each(BindFramebuffer, BINDFRAMEBUFFER) each(BindRenderbuffer, BINDRENDERBUFFER) each(BindTexture, BINDTEXTURE)    \
    each(BindVertexArray, BINDVERTEXARRAY) each(BlendEquation, BLENDEQUATION) each(BlendFunc, BLENDFUNC)              \
    each(BlitFramebuffer, BLITFRAMEBUFFER) each(BufferData, BUFFERDATA)                                               \
    each(CheckFramebufferStatus, CHECKFRAMEBUFFERSTATUS) each(Clear, CLEAR) each(ClearBufferfv, CLEARBUFFERFV)        \
    each(ClearBufferuiv, CLEARBUFFERUIV) each(ClearColor, CLEARCOLOR) each(ClearDepth, CLEARDEPTH)                    \
    each(ColorMask, COLORMASK) each(CompileShader, COMPILESHADER) each(CreateProgram, CREATEPROGRAM)                  \
    each(CreateShader, CREATESHADER) each(DeleteBuffers, DELETEBUFFERS) each(DeleteFramebuffers, DELETEFRAMEBUFFERS)  \
    each(DeleteProgram, DELETEPROGRAM) each(DeleteRenderbuffers, DELETERENDERBUFFERS)                                 \
    each(DeleteShader, DELETESHADER) each(DeleteTextures, DELETETEXTURES)                                             \
    each(DeleteVertexArrays, DELETEVERTEXARRAYS) each(DepthFunc, DEPTHFUNC) each(DepthMask, DEPTHMASK)                \
    each(Disable, DISABLE) each(DrawArrays, DRAWARRAYS) each(DrawArraysInstanced, DRAWARRAYSINSTANCED)                \
    each(Enable, ENABLE) each(EnableVertexAttribArray, ENABLEVERTEXATTRIBARRAY) each(Finish, FINISH)                  \
    each(FramebufferRenderbuffer, FRAMEBUFFERRENDERBUFFER) each(GenBuffers, GENBUFFERS)                               \
    each(GenFramebuffers, GENFRAMEBUFFERS) each(GenRenderbuffers, GENRENDERBUFFERS) each(GenTextures, GENTEXTURES)    \
    each(GenVertexArrays, GENVERTEXARRAYS) each(GetError, GETERROR) each(GetIntegerv, GETINTEGERV)                    \
    each(GetProgramInfoLog, GETPROGRAMINFOLOG) each(GetProgramiv, GETPROGRAMIV)                                       \
    each(GetShaderInfoLog, GETSHADERINFOLOG) each(GetShaderiv, GETSHADERIV) each(GetString, GETSTRING)                \
    each(GetUniformLocation, GETUNIFORMLOCATION) each(IsBuffer, ISBUFFER) each(IsEnabled, ISENABLED)                  \
    each(LinkProgram, LINKPROGRAM) each(PixelStorei, PIXELSTOREI) each(ReadPixels, READPIXELS)                        \
    each(RenderbufferStorage, RENDERBUFFERSTORAGE)                                                                    \
    each(RenderbufferStorageMultisample, RENDERBUFFERSTORAGEMULTISAMPLE) each(ShaderSource, SHADERSOURCE)             \
    each(TexImage2D, TEXIMAGE2D) each(TexParameteri, TEXPARAMETERI) each(TexSubImage2D, TEXSUBIMAGE2D)                \
    each(Uniform1f, UNIFORM1F) each(Uniform1i, UNIFORM1I) each(Uniform1ui, UNIFORM1UI) each(Uniform2f, UNIFORM2F)     \
    each(Uniform4fv, UNIFORM4FV) each(UniformMatrix4fv, UNIFORMMATRIX4FV) each(UseProgram, USEPROGRAM)                \
    each(VertexAttribDivisor, VERTEXATTRIBDIVISOR) each(VertexAttribIPointer, VERTEXATTRIBIPOINTER)                   \
    each(VertexAttribPointer, VERTEXATTRIBPOINTER) each(Viewport, VIEWPORT)
// clang-format on

namespace ositrace::gui {

#define OSITRACE_OPENGL_FUNCTION(name, type) inline PFNGL##type##PROC gl##name = nullptr;
OSITRACE_OPENGL(OSITRACE_OPENGL_FUNCTION)
#undef OSITRACE_OPENGL_FUNCTION

/// An object of OpenGL, by its name. Created and destroyed while its context is current.
template <PFNGLGENBUFFERSPROC& make, PFNGLDELETEBUFFERSPROC& destroy>
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
