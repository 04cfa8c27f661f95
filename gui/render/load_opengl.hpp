// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>

namespace ositrace::gui {

using GlFunction = void (*)();

/// Gives the functions of gui/render/gl.hpp their addresses, once for all contexts: those of the system's OpenGL choose
/// the driver by the context that is current. Throws Error (unsupported) that names the function that is missing.
void load_opengl(GlFunction (*address_of)(const char* name));

/// `llvmpipe (LLVM 15.0.6, 256 bits); 4.5 (Core Profile) Mesa 22.3.6`, describes the current context.
[[nodiscard]] std::string describe_opengl();

}  // namespace ositrace::gui
