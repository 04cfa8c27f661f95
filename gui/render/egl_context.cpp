// SPDX-License-Identifier: MPL-2.0
#include "gui/render/offscreen_context.hpp"

#define EGL_EGL_PROTOTYPES 0  // nothing is linked
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstdio>

#include <ositrace/error.hpp>

#include "gui/render/gl.hpp"
#include "gui/render/load_opengl.hpp"
#include "lib/system/shared_library.hpp"

namespace ositrace::gui {

namespace {

constexpr EGLenum surfaceless_platform = 0x31DD;  // EGL_PLATFORM_SURFACELESS_MESA

constexpr auto what_draws =
    "; Mesa draws without a graphics card: libegl1 and libgl1-mesa-dri on Debian, Ubuntu; "
    "mesa-libEGL and mesa-dri-drivers on RHEL, Fedora)";

[[noreturn]] void fail_to_load(const char* what)
{
    throw Error(Cause::unsupported,
                std::string("no OpenGL without a window: ") + what + " (missing or too old" + what_draws);
}

const SharedLibrary& egl_library()
{
    static const SharedLibrary loaded("libEGL.so.1");
    return loaded;
}

/// The system's EGL, loaded when it is first used.
class Egl {
public:
    static const Egl& get()
    {
        static const Egl loaded;
        return loaded;
    }

private:
    template <class Function>
    static Function load(const char* name)
    {
        const auto& library = egl_library();
        if (!library) fail_to_load("libEGL.so.1");
        const auto function = library.find<Function>(name);
        if (!function) fail_to_load(name);
        return function;
    }

public:
    PFNEGLBINDAPIPROC bind_api = load<PFNEGLBINDAPIPROC>("eglBindAPI");
    PFNEGLCHOOSECONFIGPROC choose_config = load<PFNEGLCHOOSECONFIGPROC>("eglChooseConfig");
    PFNEGLCREATECONTEXTPROC create_context = load<PFNEGLCREATECONTEXTPROC>("eglCreateContext");
    PFNEGLDESTROYCONTEXTPROC destroy_context = load<PFNEGLDESTROYCONTEXTPROC>("eglDestroyContext");
    PFNEGLGETDISPLAYPROC get_display = load<PFNEGLGETDISPLAYPROC>("eglGetDisplay");
    PFNEGLGETERRORPROC get_error = load<PFNEGLGETERRORPROC>("eglGetError");
    PFNEGLGETPLATFORMDISPLAYPROC get_platform_display = load<PFNEGLGETPLATFORMDISPLAYPROC>("eglGetPlatformDisplay");
    PFNEGLGETPROCADDRESSPROC get_address = load<PFNEGLGETPROCADDRESSPROC>("eglGetProcAddress");
    PFNEGLINITIALIZEPROC initialize = load<PFNEGLINITIALIZEPROC>("eglInitialize");
    PFNEGLMAKECURRENTPROC make_current = load<PFNEGLMAKECURRENTPROC>("eglMakeCurrent");
};

[[noreturn]] void fail(const char* what)
{
    char code[16];
    std::snprintf(code, sizeof code, "0x%x", static_cast<unsigned>(Egl::get().get_error()));
    throw Error(Cause::unsupported,
                std::string("no OpenGL without a window: ") + what + " (EGL error " + code + what_draws);
}

EGLDisplay open_display()
{
    const auto& egl = Egl::get();
    for (const bool surfaceless : {true, false}) {
        const auto display = surfaceless ? egl.get_platform_display(surfaceless_platform, EGL_DEFAULT_DISPLAY, nullptr)
                                         : egl.get_display(EGL_DEFAULT_DISPLAY);
        if (display != EGL_NO_DISPLAY && egl.initialize(display, nullptr, nullptr)) return display;
    }
    fail("EGL cannot open a display");
}

EGLContext make_context(EGLDisplay display)
{
    const auto& egl = Egl::get();
    if (!egl.bind_api(EGL_OPENGL_API)) fail("EGL supports OpenGL ES only");
    constexpr EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!egl.choose_config(display, wanted, &config, 1, &found) || found == 0) config = EGL_NO_CONFIG_KHR;
    constexpr EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const auto context = egl.create_context(display, config, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT) fail("the driver does not support OpenGL 3.3 core");
    return context;
}

}  // namespace

OffscreenContext::OffscreenContext() : display_(open_display())
{
    context_ = make_context(display_);
    make_current();
    load_opengl([](const char* name) { return Egl::get().get_address(name); });
}

OffscreenContext::~OffscreenContext()
{
    release();
    Egl::get().destroy_context(display_, context_);
    // The display stays open: another context may use it.
}

void OffscreenContext::make_current() const
{
    const auto& egl = Egl::get();
    egl.bind_api(EGL_OPENGL_API);  // each thread starts with OpenGL ES
    if (!egl.make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
        fail("the context cannot be made current without a surface");
}

void OffscreenContext::release() const noexcept
{
    Egl::get().make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

}  // namespace ositrace::gui
