// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "gui/render/box_batch.hpp"
#include "gui/render/segment_batch.hpp"
#include "gui/render/triangle_batch.hpp"

namespace ositrace::gui {

struct ShapePrograms {
    ShaderProgram triangles = triangle_program();
    ShaderProgram segments = segment_program();
    ShaderProgram boxes = box_program();
};

/// One part of a picture on the card.
class ShapeBatch {
public:
    void upload(const Shapes& shapes);
    void draw_flat(const ShapePrograms& programs, const DrawContext& context, DrawPart& part) const;
    void draw_bodies(const ShapePrograms& programs, const DrawContext& context, DrawPart& part) const;
    void draw_edges(const ShapePrograms& programs, const DrawContext& context, DrawPart& part) const;
    void draw_glass(const ShapePrograms& programs, const DrawContext& context, DrawPart& part) const;
    void draw_over(const ShapePrograms& programs, const DrawContext& context, DrawPart& part) const;

private:
    TriangleBatch flat_triangles_, upright_triangles_, over_triangles_;
    SegmentBatch flat_segments_, upright_segments_, over_segments_, edges_;
    BoxBatch boxes_, glass_;
};

}  // namespace ositrace::gui
