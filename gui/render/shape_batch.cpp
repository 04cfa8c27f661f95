// SPDX-License-Identifier: MPL-2.0
#include "gui/render/shape_batch.hpp"

namespace ositrace::gui {

namespace {
constexpr float on_a_surface = 1;  // step
}

void ShapeBatch::upload(const Shapes& shapes)
{
    flat_triangles_.upload(shapes.flat.triangles);
    flat_segments_.upload(shapes.flat.segments);
    upright_triangles_.upload(shapes.upright.triangles);
    upright_segments_.upload(shapes.upright.segments);
    over_triangles_.upload(shapes.over.triangles);
    over_segments_.upload(shapes.over.segments);
    edges_.upload(shapes.edges);
    boxes_.upload(shapes.boxes);
    glass_.upload(shapes.glass);
}

void ShapeBatch::draw_flat(const ShapePrograms& programs, const DrawContext& context, DrawPart& part) const
{
    flat_triangles_.draw(programs.triangles, context, part);
    flat_segments_.draw(programs.segments, context, part);
}

void ShapeBatch::draw_bodies(const ShapePrograms& programs, const DrawContext& context, DrawPart& part) const
{
    upright_triangles_.draw(programs.triangles, context, part);
    boxes_.draw(programs.boxes, context, part);
}

void ShapeBatch::draw_edges(const ShapePrograms& programs, const DrawContext& context, DrawPart& part) const
{
    upright_segments_.draw(programs.segments, context, part, on_a_surface);
    edges_.draw(programs.segments, context, part, on_a_surface);
}

void ShapeBatch::draw_glass(const ShapePrograms& programs, const DrawContext& context, DrawPart& part) const
{
    glass_.draw(programs.boxes, context, part);
}

void ShapeBatch::draw_over(const ShapePrograms& programs, const DrawContext& context, DrawPart& part) const
{
    over_triangles_.draw(programs.triangles, context, part);
    over_segments_.draw(programs.segments, context, part, on_a_surface);
}

}  // namespace ositrace::gui
