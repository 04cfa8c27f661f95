// SPDX-License-Identifier: MPL-2.0
#include "gui/render/egl_context.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstdio>

#include <ositrace/error.hpp>

#include "gui/render/gl.hpp"

namespace ositrace::gui {

namespace {

constexpr EGLenum surfaceless_platform = 0x31DD;  // EGL_PLATFORM_SURFACELESS_MESA

[[noreturn]] void fail(const char* what)
{
    char code[16];
    std::snprintf(code, sizeof code, "0x%x", static_cast<unsigned>(eglGetError()));
    throw Error(Cause::unsupported,
                std::string("no OpenGL without a window: ") + what + " (EGL error " + code +
                    "; Mesa draws without a graphics card: libegl1 and libgl1-mesa-dri on Debian, Ubuntu; "
                    "mesa-libEGL and mesa-dri-drivers on RHEL, Fedora)");
}

EGLDisplay open_display()
{
    for (const bool surfaceless : {true, false}) {
        const auto display = surfaceless ? eglGetPlatformDisplay(surfaceless_platform, EGL_DEFAULT_DISPLAY, nullptr)
                                         : eglGetDisplay(EGL_DEFAULT_DISPLAY);
        if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
    }
    fail("EGL cannot open a display");
}

EGLContext make_context(EGLDisplay display)
{
    if (!eglBindAPI(EGL_OPENGL_API)) fail("EGL supports OpenGL ES only");
    constexpr EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &found) || found == 0) config = EGL_NO_CONFIG_KHR;
    constexpr EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const auto context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT) fail("the driver does not support OpenGL 3.3 core");
    return context;
}

}  // namespace

EglContext::EglContext() : display_(open_display())
{
    context_ = make_context(display_);
    make_current();
}

EglContext::~EglContext()
{
    release();
    eglDestroyContext(display_, context_);
    // The display stays open: another context may use it.
}

void EglContext::make_current() const
{
    eglBindAPI(EGL_OPENGL_API);  // each thread starts with OpenGL ES
    if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
        fail("the context cannot be made current without a surface");
}

void EglContext::release() const noexcept { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }

std::string describe_opengl()
{
    const auto text = [](GLenum name) {
        const auto* value = reinterpret_cast<const char*>(glGetString(name));
        return std::string(value ? value : "unknown");
    };
    return text(GL_RENDERER) + "; " + text(GL_VERSION);
}

}  // namespace ositrace::gui
