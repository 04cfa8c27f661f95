// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gui/render/options.hpp"
#include "gui/render/shader_program.hpp"

namespace ositrace::gui {

[[nodiscard]] ShaderProgram point_program();

/// A cloud on the card. It is drawn in slices, each thinned evenly: the first shows the whole cloud, coarsely.
class PointBatch {
public:
    static constexpr std::size_t slice_points = 50'000;

    explicit PointBatch(std::shared_ptr<const Cloud> cloud);
    [[nodiscard]] const std::shared_ptr<const Cloud>& cloud() const noexcept { return cloud_; }
    /// Slices it takes.
    [[nodiscard]] std::size_t slices() const noexcept;
    void draw_slice(const ShaderProgram& program, const DrawContext& context, std::size_t slice, const RenderOptions& options,
                    const std::optional<CloudColouring>& colouring);

private:
    void use_field(const CloudField* field);

    std::shared_ptr<const Cloud> cloud_;
    VertexArray array_;
    Buffer places_;
    Buffer values_;
    const CloudField* uploaded_ = nullptr;
};

/// The colour map as a texture, bound to unit 0.
class ColourMap {
public:
    ColourMap();
    void bind() const;

private:
    Texture texture_;
};

}  // namespace ositrace::gui
