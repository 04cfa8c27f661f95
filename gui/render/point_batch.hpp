// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/render/options.hpp"
#include "gui/render/shader_program.hpp"

namespace ositrace::gui {

[[nodiscard]] ShaderProgram point_program();

struct PointVertex {
    Point place;
    float value;
};

/// Points on the graphics card.
class PointBuffer {
public:
    void set(const std::vector<PointVertex>& points);
    void draw() const;

private:
    VertexArray array_;
    Buffer buffer_;
    GLsizei count_ = 0;
};

/// A cloud. It is drawn in slices, each an even thinning of the cloud: the first shows the whole cloud coarsely. A
/// slice that is drawn a second time, because the camera moves, is kept on the graphics card; during playback none is.
class PointBatch {
public:
    static constexpr std::size_t slice_points = 25'000;

    explicit PointBatch(std::shared_ptr<const Cloud> cloud);
    [[nodiscard]] const std::shared_ptr<const Cloud>& cloud() const noexcept { return cloud_; }
    /// Number of slices.
    [[nodiscard]] std::size_t slices() const noexcept { return slices_.size(); }
    /// `passing`: buffer for a slice that is drawn once.
    void draw_slice(const ShaderProgram& program, const DrawContext& context, std::size_t slice,
                    const RenderOptions& options, const std::optional<CloudColouring>& colouring, PointBuffer& passing);

private:
    struct Slice {
        bool was_drawn = false;
        const CloudField* field = nullptr;  ///< whose values `kept` contains
        std::optional<PointBuffer> kept;
    };
    [[nodiscard]] std::vector<PointVertex> points_of(std::size_t slice, const CloudField* field) const;
    void draw_points(std::size_t slice, const CloudField* field, PointBuffer& passing);

    std::shared_ptr<const Cloud> cloud_;
    std::vector<Slice> slices_;
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
