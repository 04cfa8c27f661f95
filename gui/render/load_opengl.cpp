// SPDX-License-Identifier: MPL-2.0
#include "gui/render/load_opengl.hpp"

#include <string>

#include <ositrace/error.hpp>

#include "gui/render/gl.hpp"

namespace ositrace::gui {

namespace {

template <class Function>
void load(Function& function, const char* name, GlFunction (*address_of)(const char* name))
{
    function = reinterpret_cast<Function>(address_of(name));
    if (!function)
        throw Error(Cause::unsupported, std::string("the OpenGL driver has no ") + name + ", which OpenGL 3.3 has");
}

bool load_all(GlFunction (*address_of)(const char* name))
{
#define OSITRACE_OPENGL_LOAD(name, type) load(gl##name, "gl" #name, address_of);
    OSITRACE_OPENGL(OSITRACE_OPENGL_LOAD)
#undef OSITRACE_OPENGL_LOAD
    return true;
}

}  // namespace

void load_opengl(GlFunction (*address_of)(const char* name))
{
    [[maybe_unused]] static const bool is_loaded = load_all(address_of);
}

std::string describe_opengl()
{
    const auto text = [](GLenum name) {
        const auto* value = reinterpret_cast<const char*>(glGetString(name));
        return std::string(value ? value : "unknown");
    };
    return text(GL_RENDERER) + "; " + text(GL_VERSION);
}

}  // namespace ositrace::gui
