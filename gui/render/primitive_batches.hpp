// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "gui/render/gl.hpp"
#include "gui/render/shader_program.hpp"
#include "gui/render/tessellate.hpp"

namespace ositrace::gui {

/// A slice of a drawing, counted in vertices. A driver without a graphics card processes vertices in the drawing
/// thread, so a large drawing is split into slices.
class DrawSlice {
public:
    struct Range {
        GLint first = 0;
        GLsizei count = 0;
    };

    /// Everything.
    DrawSlice() = default;
    /// Skips the first `skip` vertices and draws at most `most`. `most` is at least the size of one element.
    DrawSlice(std::size_t skip, std::size_t most) noexcept : skip_(skip), left_(most) {}

    /// Which of the next `count` elements, of `vertices` each, belong to the slice.
    Range next(GLsizei count, std::size_t vertices) noexcept
    {
        const auto all = static_cast<std::size_t>(count);
        const auto first = std::min(all, skip_ / vertices);
        const auto next = std::min(all - first, left_ / vertices);
        skip_ -= first * vertices;
        left_ -= next * vertices;
        drawn_ += next * vertices;
        if (first + next < all) {
            left_ = 0;  // later elements must not be drawn before these
            reaches_end_ = false;
        }
        return {static_cast<GLint>(first), static_cast<GLsizei>(next)};
    }
    [[nodiscard]] std::size_t drawn() const noexcept { return drawn_; }
    [[nodiscard]] bool reaches_end() const noexcept { return reaches_end_; }

private:
    std::size_t skip_ = 0;
    std::size_t left_ = std::numeric_limits<std::size_t>::max();
    std::size_t drawn_ = 0;
    bool reaches_end_ = true;
};

[[nodiscard]] ShaderProgram box_program();

/// The meshes of all shapes on the graphics card.
class BodyMeshBuffer {
public:
    BodyMeshBuffer();
    [[nodiscard]] GLuint get() const noexcept { return buffer_.get(); }

private:
    Buffer buffer_;
};

/// Bodies on the graphics card, one instance each. Too many of them are drawn as boxes.
class BoxBatch {
public:
    BoxBatch();
    void upload(std::vector<BoxInstance> boxes);
    void draw(const ShaderProgram& program, const BodyMeshBuffer& meshes, const DrawContext& context,
              DrawSlice& part) const;

private:
    struct Group {
        BodyShape shape;  ///< of its mesh
        std::size_t first, count;
    };
    void point_at(std::size_t first) const;

    VertexArray array_;
    Buffer buffer_;
    std::vector<Group> groups_;
    bool is_opaque_ = false;
};

[[nodiscard]] ShaderProgram triangle_program();

/// Triangles on the graphics card.
class TriangleBatch {
public:
    TriangleBatch();
    void upload(const std::vector<TriangleVertex>& vertices);
    void draw(const ShaderProgram& program, const DrawContext& context, DrawSlice& part) const;

private:
    VertexArray array_;
    Buffer buffer_;
    GLsizei count_ = 0;
    bool is_opaque_ = false;
};

[[nodiscard]] ShaderProgram segment_program();

/// Segments of lines on the graphics card, with smooth edges without multisampling.
class SegmentBatch {
public:
    SegmentBatch();
    void upload(const std::vector<Segment>& segments);
    /// `nearer`: steps towards the eye (ViewTransform::depth_step), so that the edges of a box are visible on its
    /// faces.
    void draw(const ShaderProgram& program, const DrawContext& context, DrawSlice& part, float nearer = 0) const;

private:
    void point_at(GLint first) const;

    VertexArray array_;
    Buffer buffer_;
    GLsizei count_ = 0;
};

}  // namespace ositrace::gui
