// SPDX-License-Identifier: MPL-2.0
#include "gui/render/offscreen_context.hpp"
#include "gui/render/pick_area.hpp"
#include "gui/render/renderer.hpp"
#include "tests/catch.hpp"
#include "tests/gui/golden/golden_picture.hpp"
#include "tests/gui/render/hand_made.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

constexpr PixelSize pixel_size{640, 480};
constexpr int rows = 100, columns = 100;

Point place_of(int which)
{
    return {20 * static_cast<float>(which % columns - columns / 2), 20 * static_cast<float>(which / columns - rows / 2),
            0.75F};
}

Layer car(int which) { return car_at(place_of(which), static_cast<std::uint64_t>(which)); }

Layer line_beside(int which)
{
    const auto at = place_of(which);
    return boundary_from({at[0] - 2, at[1] + 4, 0}, {at[0] + 2, at[1] + 4, 0}, static_cast<std::uint64_t>(which));
}

void append(Layer& all, const Layer& more)
{
    const auto thing = static_cast<std::uint32_t>(all.things.size()),
               point = static_cast<std::uint32_t>(all.points.size());
    all.things.insert(all.things.end(), more.things.begin(), more.things.end());
    all.points.insert(all.points.end(), more.points.begin(), more.points.end());
    for (auto box : more.boxes) {
        box.thing += thing;
        all.boxes.push_back(box);
    }
    for (auto line : more.lines) {
        line.thing += thing;
        line.first += point;
        all.lines.push_back(line);
    }
}

/// 10 000 cars, and a line beside each.
std::vector<Layer> large_scene()
{
    std::vector<Layer> layers(2);
    for (int i = 0; i < rows * columns; ++i) {
        append(layers[0], car(i));
        append(layers[1], line_beside(i));
    }
    return layers;
}

Camera looking_at(int which, View view)
{
    const auto at = place_of(which);
    return {.view = view, .target = to_vector({at[0], at[1], 0}), .distance = 60, .yaw = 0.4, .pitch = 0.7};
}

std::optional<Pick> pick_in(SlicedDrawing& drawing, const std::shared_ptr<const Picture>& picture, const Camera& camera,
                            const Vector& place)
{
    drawing.set(picture, camera, {}, pixel_size);
    while (drawing.advance({})) {
    }
    const auto at = ViewTransform(camera, {}, pixel_size).project(place);
    return drawing.pick(at->x, at->y);
}

}  // namespace

TEST_CASE("a click among 10 000 cars and lines finds the same thing as among few")
{
    if (!why_no_egl().empty()) {
        WARN("skipped: " << why_no_egl());
        return;
    }
    const OffscreenContext context;
    const auto large = picture_of(large_scene());
    SlicedDrawing drawing;
    for (const int which : {0, 1234, 5050, 9999}) {
        const auto alone = picture_of({car(which), line_beside(which)});
        const auto at = to_vector(place_of(which));
        for (const auto view : {View::bird, View::orbit}) {
            const auto camera = looking_at(which, view);
            for (const auto& place :
                 {at + Vector{1, 0.3, 0.75}, at + Vector{0.5, 4, -0.75}, at + Vector{0.5, 4.2, -0.75}}) {
                const auto expected = pick_in(drawing, alone, camera, place),
                           found = pick_in(drawing, large, camera, place);
                REQUIRE(expected);
                REQUIRE(found);
                CHECK(found->key == expected->key);
                CHECK(found->path == expected->path);
                CHECK(found->place == expected->place);
                CHECK(found->depth == expected->depth);
            }
            CHECK_FALSE(pick_in(drawing, large, camera, at + Vector{6, 0, -0.75}));
        }
    }
}

TEST_CASE("only shapes near the mouse are drawn for picking")
{
    const auto layers = large_scene();
    for (const auto view : {View::bird, View::orbit}) {
        const auto camera = looking_at(5050, view);
        const ViewTransform transform(camera, {}, pixel_size);
        const auto at = transform.project(to_vector(place_of(5050)));
        const PickArea area(transform, at->x, at->y, PickBuffer::side);
        const auto cars = tessellate(layers[0], {}, &area);
        CHECK(cars.boxes.size() >= 1);
        CHECK(cars.boxes.size() < 10);
        CHECK(cars.edges.size() == 12 * cars.boxes.size());
        CHECK(tessellate(layers[1], {}, &area).flat.segments.size() < 10);
    }
}
