// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>

#include "gui/render/camera.hpp"
#include "gui/render/gl.hpp"

namespace ositrace::gui {

/// What every shader is told.
struct DrawContext {
    const ViewTransform* view = nullptr;
    std::uint32_t layer = 0;              ///< place in Picture::layers of what is drawn
    std::uint32_t selected = 0xffffffff;  ///< place in Layer::things
    std::array<float, 4> highlight{};
    std::array<float, 4> crop{0, 0, 1,
                              1};  ///< centre and enlargement: which part of the view is drawn, in device coordinates
    bool picking = false;          ///< writes things instead of colours
};

/// A vertex and a fragment shader, in two programs: one writes colours, one writes places of things for picking.
/// Both begin with a common head: the uniforms of DrawContext, `place_on_screen()`, and `put(colour, thing)`.
class ShaderProgram {
public:
    /// Throws Error (unsupported) with what the driver says.
    ShaderProgram(std::string_view vertex, std::string_view fragment);
    ShaderProgram(ShaderProgram&& other) noexcept;
    ShaderProgram& operator=(ShaderProgram&&) = delete;
    ~ShaderProgram();

    /// Makes it current and sets the uniforms; returns its name for more of them. Throws as the constructor does.
    GLuint use(const DrawContext& context) const;

private:
    std::string vertex_, fragment_;
    GLuint colour_ = 0;
    mutable GLuint pick_ = 0;  ///< made when it is first needed: compiling takes time
};

}  // namespace ositrace::gui
