// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include "gui/render/gl.hpp"
#include "gui/render/pick.hpp"
#include "gui/render/shader_program.hpp"

namespace ositrace::gui {

/// The few pixels around the mouse, drawn once more with things instead of colours.
class PickBuffer {
public:
    static constexpr int side = 9;  ///< pixels

    PickBuffer();
    /// Directs drawing here and tells shaders which part of the view it is.
    void begin(DrawContext& context, double x, double y) const;
    /// The thing nearest to the middle; a surface only where nothing smaller is near.
    [[nodiscard]] std::optional<Pick> read(const Picture& picture, const ViewTransform& view, double x, double y) const;

private:
    RenderBuffer things_;
    RenderBuffer depth_;
    FrameBufferName frame_;
};

}  // namespace ositrace::gui
