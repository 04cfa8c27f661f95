// SPDX-License-Identifier: MPL-2.0
#include "gui/render/offscreen_context.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include <ositrace/error.hpp>

#include "gui/render/gl.hpp"
#include "gui/render/load_opengl.hpp"

#include <windows.h>

#include <GL/wglext.h>

namespace ositrace::gui {

namespace {

[[noreturn]] void fail(const char* what)
{
    throw Error(Cause::unsupported, std::string("no OpenGL without a window: ") + what + " (error " +
                                        std::to_string(::GetLastError()) +
                                        " of Windows; the driver of the graphics card brings OpenGL)");
}

struct DestroyWindow {
    void operator()(HWND window) const { ::DestroyWindow(window); }
};
using Window = std::unique_ptr<std::remove_pointer_t<HWND>, DestroyWindow>;

struct DeleteContext {
    void operator()(HGLRC context) const
    {
        ::wglMakeCurrent(nullptr, nullptr);
        ::wglDeleteContext(context);
    }
};
using Context = std::unique_ptr<std::remove_pointer_t<HGLRC>, DeleteContext>;

/// With a device context of its own, which has a format of pixels for OpenGL. Nothing is drawn into it.
Window make_window()
{
    constexpr auto class_name = L"osiview_offscreen";
    [[maybe_unused]] static const auto registered = [] {
        WNDCLASSEXW description{};
        description.cbSize = sizeof description;
        description.style = CS_OWNDC;
        description.lpfnWndProc = ::DefWindowProcW;
        description.hInstance = ::GetModuleHandleW(nullptr);
        description.lpszClassName = class_name;
        return ::RegisterClassExW(&description);
    }();
    Window window(::CreateWindowExW(0, class_name, L"", WS_POPUP, 0, 0, 1, 1, nullptr, nullptr,
                                    ::GetModuleHandleW(nullptr), nullptr));
    if (!window) fail("Windows makes no window");
    PIXELFORMATDESCRIPTOR wanted{};
    wanted.nSize = sizeof wanted;
    wanted.nVersion = 1;
    wanted.dwFlags = PFD_DRAW_TO_WINDOW | PFD_SUPPORT_OPENGL | PFD_DOUBLEBUFFER;
    wanted.iPixelType = PFD_TYPE_RGBA;
    wanted.cColorBits = 24;
    auto* const device = ::GetDC(window.get());
    const int format = ::ChoosePixelFormat(device, &wanted);
    if (format == 0 || !::SetPixelFormat(device, format, &wanted)) fail("no format of pixels has OpenGL");
    return window;
}

GlFunction address_of(const char* name)
{
    // Those of OpenGL 1.1 are found in the library alone; some drivers return a small number for these.
    static auto* const library = ::GetModuleHandleW(L"opengl32.dll");
    auto* const found = ::wglGetProcAddress(name);
    const auto number = reinterpret_cast<std::intptr_t>(found);
    constexpr std::intptr_t highest_failure = 3;
    return reinterpret_cast<GlFunction>(
        number == -1 || (number >= 0 && number <= highest_failure) ? ::GetProcAddress(library, name) : found);
}

/// What makes a context of a version is found with a context of any.
Context make_context(HDC device)
{
    const Context any(::wglCreateContext(device));
    if (!any || !::wglMakeCurrent(device, any.get())) fail("no context can be made");
    const auto create = reinterpret_cast<PFNWGLCREATECONTEXTATTRIBSARBPROC>(address_of("wglCreateContextAttribsARB"));
    constexpr std::array version{
        WGL_CONTEXT_MAJOR_VERSION_ARB,    3, WGL_CONTEXT_MINOR_VERSION_ARB, 3, WGL_CONTEXT_PROFILE_MASK_ARB,
        WGL_CONTEXT_CORE_PROFILE_BIT_ARB, 0};
    Context context(create == nullptr ? nullptr : create(device, nullptr, version.data()));
    if (!context) fail("the driver does not support OpenGL 3.3 core");
    return context;
}

}  // namespace

OffscreenContext::OffscreenContext()
{
    auto window = make_window();
    auto context = make_context(::GetDC(window.get()));
    display_ = window.release();
    context_ = context.release();
    make_current();
    load_opengl(address_of);
}

OffscreenContext::~OffscreenContext()
{
    release();
    ::wglDeleteContext(static_cast<HGLRC>(context_));
    ::DestroyWindow(static_cast<HWND>(display_));
}

void OffscreenContext::make_current() const
{
    if (!::wglMakeCurrent(::GetDC(static_cast<HWND>(display_)), static_cast<HGLRC>(context_)))
        fail("the context cannot be made current");
}

void OffscreenContext::release() const noexcept { ::wglMakeCurrent(nullptr, nullptr); }

}  // namespace ositrace::gui
