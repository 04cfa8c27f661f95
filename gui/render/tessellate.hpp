// SPDX-License-Identifier: MPL-2.0
// Converts pictures to primitives of a graphics card: triangles, segments of lines, boxes. Does not use OpenGL.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <ositrace/picture.hpp>

#include "gui/render/camera.hpp"
#include "gui/render/options.hpp"

namespace ositrace::gui {

class PickArea;

/// Not a thing: cannot be picked.
inline constexpr std::uint32_t no_thing = 0xffffffff;

struct TriangleVertex {
    Point place{};
    std::array<std::uint8_t, 4> colour{};
    std::uint32_t thing = no_thing;
};

/// A piece of a line. With a width in metres it lies flat, and its neighbours determine the corners.
struct Segment {
    Point before{};
    Point from{};
    Point to{};
    Point after{};
    float metres = 0;  ///< 0: `pixels` wide at every distance
    float pixels = 1;  ///< at least
    std::array<std::uint8_t, 4> colour{};
    std::uint32_t thing = no_thing;
};

struct BoxInstance {
    Point centre{};
    std::array<Point, 3> axes{};  ///< as long as the sides of the box
    std::array<std::uint8_t, 4> colour{};
    std::uint32_t thing = no_thing;
    std::uint32_t style = 0;
    static constexpr std::uint32_t arrow_on_top = 1;
    static constexpr std::uint32_t shines = 2;        ///< a lamp that is on: not shaded
    static constexpr std::uint32_t keeps_colour = 4;  ///< a lamp, whose colour says something, also when it is selected
    BodyShape shape = BodyShape::box;
    float steering = 0;  ///< radians
};

struct Mesh {
    std::vector<TriangleVertex> triangles;
    std::vector<Segment> segments;
    [[nodiscard]] bool empty() const noexcept { return triangles.empty() && segments.empty(); }
};

/// Shapes in the order of drawing: flat things in their order in the layer, then bodies, then transparent things.
struct Shapes {
    std::vector<TriangleVertex> ground;  ///< surfaces of lanes, the lowest first: below the flat things of all layers
    Mesh flat;                           ///< on the ground: hidden by bodies, hides nothing
    Mesh upright;                        ///< hides things behind it
    Mesh over;                           ///< arrows, fields of view
    std::vector<BoxInstance> boxes;      ///< bodies of all shapes
    std::vector<BoxInstance> glass;      ///< transparent boxes
    std::vector<BoxInstance> glow;       ///< lamps that are on, as seen through what hides them
    std::vector<Segment> edges;          ///< edges of boxes
    [[nodiscard]] bool empty() const noexcept
    {
        return ground.empty() && flat.empty() && upright.empty() && over.empty() && boxes.empty() && glass.empty() &&
               glow.empty() && edges.empty();
    }
};

/// The strips of a layer; of two lanes at different heights the lower one first, because surfaces hide nothing.
[[nodiscard]] std::vector<const StripMark*> strips_from_below(const Layer& layer);
/// `only`: leaves out shapes that are not visible there.
[[nodiscard]] Shapes tessellate(const Layer& layer, const RenderOptions& options, const PickArea* only = nullptr);
/// Axes of the coordinate frames of sensors: x red, y green, z blue.
[[nodiscard]] std::vector<Segment> axes_of(const Picture& picture, const RenderOptions& options);
/// The ground level of the host, or the bottom of the lowest box; 0 without boxes. Relative to Picture::origin.
[[nodiscard]] float ground_level(const Picture& picture) noexcept;
/// Lines on the ground, 1, 10, 100 ... metres apart, around the camera's target. None where a map is shown or the grid
/// is off.
[[nodiscard]] std::vector<Segment> ground_grid(const Picture& picture, const Camera& camera,
                                               const RenderOptions& options);

[[nodiscard]] BoxInstance box_instance(const BoxMark& box, const Colour& colour, bool arrow_on_top) noexcept;
/// Metres from the centre to the corners.
[[nodiscard]] double reach_of(const BoxMark& box) noexcept;
/// Width of its edges.
[[nodiscard]] float edge_pixels(const BoxMark& box, float pixel_ratio) noexcept;
[[nodiscard]] Colour edge_colour(const Colour& body, bool wire_only, Theme theme) noexcept;
void add_box_edges(const BoxInstance& box, const Colour& colour, float pixels, std::vector<Segment>& edges);

}  // namespace ositrace::gui
