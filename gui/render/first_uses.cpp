// SPDX-License-Identifier: MPL-2.0
#include "gui/render/first_uses.hpp"

#include <array>

namespace ositrace::gui {

namespace {

enum class Program : std::uint8_t { segments, triangles, boxes, points };

struct Use {
    Program program;
    bool writes_depth;
};

/// The simplest first: it also wakes the compiler.
constexpr std::array<Use, FirstUses::to_draw> drawn{{{Program::triangles, false},
                                                     {Program::triangles, true},
                                                     {Program::segments, false},
                                                     {Program::boxes, true},
                                                     {Program::boxes, false},
                                                     {Program::points, true}}};
constexpr std::array<Use, FirstUses::to_pick> picked{
    {{Program::triangles, false}, {Program::triangles, true}, {Program::segments, false}, {Program::boxes, true}}};

/// One point with a value, in colours of a field.
std::shared_ptr<const Cloud> point()
{
    auto cloud = std::make_shared<Cloud>();
    cloud->points = {Point{}};
    cloud->fields.resize(1);
    cloud->fields[0].name = "value";
    cloud->fields[0].values = {0};
    return cloud;
}

}  // namespace

FirstUses::FirstUses() : points_(point())
{
    segments_.upload({Segment{}});
    triangles_.upload(std::vector<TriangleVertex>(3));
    boxes_.upload({BoxInstance{}});
}

void FirstUses::draw(std::size_t which, const ShapePrograms& programs, const ShaderProgram& point_program,
                     DrawContext context)
{
    const auto& use = context.picking ? picked.at(which) : drawn.at(which);
    DrawPart everything;
    glDepthMask(use.writes_depth ? GL_TRUE : GL_FALSE);
    switch (use.program) {
    case Program::segments: segments_.draw(programs.segments, context, everything); break;
    case Program::triangles: triangles_.draw(programs.triangles, context, everything); break;
    case Program::boxes: boxes_.draw(programs.boxes, context, everything); break;
    case Program::points:
        points_.draw_slice(point_program, context, 0, {},
                           CloudColouring{.field = "value", .unit = {}, .from = 0, .to = 1}, passing_points_);
        break;
    }
    glDepthMask(GL_TRUE);
}

}  // namespace ositrace::gui
