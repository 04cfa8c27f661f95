// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>

#include "gui/render/camera.hpp"
#include "gui/render/gl.hpp"

namespace ositrace::gui {

/// The uniforms of every shader.
struct DrawContext {
    const ViewTransform* view = nullptr;
    std::uint32_t layer = 0;              ///< index in Picture::layers
    std::uint32_t selected = 0xffffffff;  ///< index in Layer::things
    std::array<float, 4> highlight{};
    std::array<float, 4> crop{0, 0, 1,
                              1};  ///< centre and scale of the part of the view that is drawn, in device coordinates
    bool picking = false;          ///< writes ids of things instead of colours
};

/// A vertex and a fragment shader, in two programs: one writes colours, one writes ids of things for picking. Both
/// start with a common head: the uniforms of DrawContext, `place_on_screen()`, and `put(colour, thing)`.
class ShaderProgram {
public:
    /// Throws Error (unsupported) with the message of the driver.
    ShaderProgram(std::string_view vertex, std::string_view fragment);
    ShaderProgram(ShaderProgram&& other) noexcept;
    ShaderProgram& operator=(ShaderProgram&&) = delete;
    ~ShaderProgram();

    /// Makes it current and sets the uniforms; returns its name so that more can be set. Throws as the constructor
    /// does.
    GLuint use(const DrawContext& context) const;

private:
    std::string vertex_, fragment_;
    GLuint colour_ = 0;
    mutable GLuint pick_ = 0;  ///< created when it is first used: compiling takes time
};

}  // namespace ositrace::gui
