// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "gui/render/load_opengl.hpp"
#include "gui/render/offscreen_context.hpp"
#include "gui/render/pick_area.hpp"
#include "gui/render/point_batch.hpp"
#include "gui/render/renderer.hpp"
#include "gui/render/tessellate.hpp"
#include "tests/catch.hpp"
#include "tests/gui/golden/golden_picture.hpp"
#include "tests/gui/render/hand_made.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

constexpr PixelSize target_size{320, 240};
const Camera above{.view = View::bird, .distance = 30, .yaw = 0};

/// False: skipped, because this machine draws nothing without a window.
bool ready()
{
    if (why_no_egl().empty()) return true;
    WARN("skipped: " << why_no_egl());
    return false;
}

std::shared_ptr<const Picture> with_clouds(std::vector<std::shared_ptr<const Cloud>> clouds)
{
    auto picture = std::make_shared<Picture>();
    picture->clouds = std::move(clouds);
    return picture;
}

/// What a driver compiles at first, in steps of its own.
void prepare(SlicedDrawing& drawing)
{
    while (drawing.advance({})) {
    }
}

/// Of a target of target_size.
struct Pixels {
    std::vector<std::uint8_t> bytes;

    explicit Pixels(std::vector<std::uint8_t> read) : bytes(std::move(read)) {}
    bool operator==(const Pixels&) const = default;
    [[nodiscard]] std::uint32_t at(int x, int y) const
    {
        const auto place = 4 * static_cast<std::size_t>(y * target_size.width + x);
        return static_cast<std::uint32_t>(bytes[place] << 16 | bytes[place + 1] << 8 | bytes[place + 2]);
    }
    /// 4 x 4 pixels.
    [[nodiscard]] std::vector<std::uint32_t> around(double x, double y) const
    {
        std::vector<std::uint32_t> found;
        for (int row = -2; row != 2; ++row)
            for (int column = -2; column != 2; ++column)
                found.push_back(at(static_cast<int>(x) + column, static_cast<int>(y) + row));
        return found;
    }
};

int buffers_alive()
{
    const Buffer last;  // OpenGL numbers its objects consecutively
    int alive = 0;
    for (GLuint name = 1; name < last.get(); ++name) alive += glIsBuffer(name) ? 1 : 0;
    return alive;
}

int draw_slices(SlicedDrawing& drawing)
{
    int slices = 1;
    while (drawing.advance({})) ++slices;
    return slices;
}

}  // namespace

TEST_CASE("a click finds the car, the line beside it, and nothing beside both")
{
    if (!ready()) return;
    const OffscreenContext context;
    const auto picture =
        picture_of({boundary_from({-10, 4, 0}, {10, 4, 0}, 9), car_at({0, 0, 0.75F}, 7), car_at({8, 0, 0.75F}, 8)});
    for (const auto view : {View::bird, View::orbit}) {
        Camera camera = above;
        camera.view = view;
        camera.pitch = 1.2;
        SlicedDrawing drawing;
        drawing.set(picture, camera, {}, target_size);
        draw_slices(drawing);
        const ViewTransform transform(camera, {}, target_size);
        const auto pick = [&](Vector place) {
            const auto at = transform.project(place);
            return drawing.pick(at->x, at->y);
        };
        const auto car = pick({8, 0.1, 1.5});
        REQUIRE(car);
        CHECK(car->key.id == 8);
        CHECK(car->path == "moving_object[8]");
        CHECK(car->place[0] == Approx(8).margin(0.2));
        CHECK(car->place[2] == Approx(1.5).margin(0.1));
        const auto line = pick({2, 4.05, 0});
        REQUIRE(line);
        CHECK(line->key.category == Category::lane_boundary);
        CHECK_FALSE(pick({0, -6, 0}));
    }
}

TEST_CASE("hidden things are neither drawn nor picked")
{
    if (!ready()) return;
    const OffscreenContext context;
    RenderOptions options;
    options.hidden.set(static_cast<std::size_t>(Category::moving_object));
    SlicedDrawing drawing;
    drawing.set(picture_of({car_at({0, 0, 0.75F}, 7)}), above, options, target_size);
    draw_slices(drawing);
    CHECK_FALSE(drawing.pick(160, 120));
}

TEST_CASE("a click on a point of a cloud names its element")
{
    if (!ready()) return;
    const OffscreenContext context;
    auto cloud = std::make_shared<Cloud>();
    cloud->key = {.category = Category::radar_detection, .id = 3};
    cloud->path = "feature_data.radar_sensor[0].detection";
    cloud->points = {{0, 0, 0}, {5, 5, 0}};
    cloud->elements = {4, 11};
    const auto picture = with_clouds({cloud});
    SlicedDrawing drawing;
    drawing.set(picture, above, {}, target_size);
    draw_slices(drawing);
    const auto at = ViewTransform(above, {}, target_size).project({5, 5, 0});
    const auto pick = drawing.pick(at->x + 1, at->y);
    REQUIRE(pick);
    CHECK(pick->path == "feature_data.radar_sensor[0].detection[11]");
    CHECK(pick->key == cloud->key);
}

TEST_CASE("a car is picked before its points, unless the points are requested")
{
    if (!ready()) return;
    const OffscreenContext context;
    auto cloud = std::make_shared<Cloud>();
    cloud->key = {.category = Category::lidar_reflection, .id = 3};
    cloud->path = "reflection";
    cloud->points = {{0, 0, 1.5F}, {10, 0, 0}};
    auto picture = *picture_of({car_at({0, 0, 0.75F}, 7)});
    picture.clouds = {cloud};
    SlicedDrawing drawing;
    drawing.set(std::make_shared<const Picture>(picture), above, {}, target_size);
    draw_slices(drawing);
    const ViewTransform transform(above, {}, target_size);
    const auto on_car = transform.project({0, 0, 1.5}), beside = transform.project({10, 0, 0});
    CHECK(drawing.pick(on_car->x, on_car->y).value().key.id == 7);
    CHECK(drawing.pick(on_car->x, on_car->y, PickOrder::point_first).value().path == "reflection[0]");
    CHECK(drawing.pick(beside->x, beside->y).value().path == "reflection[1]");
}

TEST_CASE("large clouds are drawn in slices, and the slices together are the cloud")
{
    if (!ready()) return;
    const OffscreenContext context;
    const auto cloud = square_cloud(250'000);
    SlicedDrawing sliced;
    prepare(sliced);
    sliced.set(with_clouds({cloud}), above, {}, target_size);
    CHECK(draw_slices(sliced) == 1 + 250'000 / PointBatch::slice_points);  // what is no cloud, and the slices
    CHECK(sliced.is_complete());
    Renderer renderer;
    const RenderTarget target(target_size);
    renderer.draw(with_clouds({cloud}), above, {}, target);
    CHECK(target.read() == sliced.target()->read());
}

TEST_CASE("many boxes and lines are drawn in slices, which appear together")
{
    if (!ready()) return;
    const OffscreenContext context;
    std::vector<Layer> layers;
    for (int i = 0; i < 3000; ++i) {
        const auto x = static_cast<float>(i % 60 - 30), y = static_cast<float>(i / 60 - 25);
        layers.push_back(car_at({x, y, 0.75F}, static_cast<std::uint64_t>(i)));
        layers.push_back(boundary_from({x, y, 0}, {x + 2, y + 1, 0}, static_cast<std::uint64_t>(i)));
    }
    const auto picture = picture_of(std::move(layers));
    SlicedDrawing sliced;
    prepare(sliced);
    sliced.set(picture, above, {}, target_size);
    int unseen = 0;
    while (sliced.advance({})) unseen += sliced.target() ? 0 : 1;
    CHECK(unseen >= 2);
    auto camera = above;
    int seen = 0;
    const auto* last = sliced.target();
    for (int i = 0; i < 40; ++i) {  // pictures that come faster
        camera.yaw += 0.01;
        sliced.set(picture, camera, {}, target_size);
        sliced.advance({});
        if (std::exchange(last, sliced.target()) != last) ++seen;
    }
    CHECK(seen >= 4);
    sliced.set(picture, above, {}, target_size);
    draw_slices(sliced);
    Renderer renderer;
    const RenderTarget target(target_size);
    renderer.draw(picture, above, {}, target);
    CHECK(target.read() == sliced.target()->read());
}

TEST_CASE("shaders are compiled one at a time, invisibly, those of drawing first")
{
    if (!ready()) return;
    const OffscreenContext context;
    SlicedDrawing drawing;
    drawing.set(picture_of({car_at({0, 0, 0.75F}, 7)}), above, {}, target_size);
    int steps = 0;
    while (!drawing.is_complete()) {
        CHECK(drawing.target() == nullptr);
        CHECK(drawing.advance({}));
        ++steps;
    }
    CHECK(steps > 5);
    const auto drawn = drawing.target()->read();
    CHECK_FALSE(drawing.is_idle());  // picking is left
    const int left = draw_slices(drawing);
    CHECK(left > 2);
    CHECK(drawing.is_idle());
    CHECK(drawing.target()->read() == drawn);
    CHECK_FALSE(drawing.advance({}));
}

TEST_CASE("a cloud that is drawn again is kept on the graphics card, one that is drawn once is not")
{
    if (!ready()) return;
    const OffscreenContext context;
    const auto cloud = std::make_shared<Cloud>(*square_cloud(60'000));
    auto backward = cloud->fields[0];
    backward.name = "backward";
    std::reverse(backward.values.begin(), backward.values.end());
    cloud->fields.push_back(backward);
    SlicedDrawing drawing;
    prepare(drawing);
    auto turned = above;
    turned.yaw += 0.3;
    const auto draw = [&](const Camera& camera, const RenderOptions& options) {
        drawing.set(with_clouds({cloud}), camera, options, target_size);
        draw_slices(drawing);
        return drawing.target()->read();
    };
    const auto first = draw(above, {});
    const auto before = buffers_alive();
    const auto second = draw(turned, {});
    const auto kept = buffers_alive();
    CHECK(kept == before + 3);
    CHECK(draw(above, {}) == first);
    CHECK(draw(turned, {}) == second);
    CHECK(buffers_alive() == kept);
    const RenderOptions other_field{.cloud_field = "backward"};
    const auto other = draw(turned, other_field);
    CHECK(other != second);
    Renderer renderer;
    const RenderTarget target(target_size);
    renderer.draw(with_clouds({cloud}), turned, other_field, target);
    CHECK(target.read() == other);
}

TEST_CASE("a new picture drops the remaining slices of the old one")
{
    if (!ready()) return;
    const OffscreenContext context;
    SlicedDrawing drawing;
    prepare(drawing);
    drawing.set(with_clouds({square_cloud(450'000)}), above, {}, target_size);
    CHECK(drawing.advance({}));
    CHECK(drawing.target() == nullptr);  // nothing to look at yet
    CHECK_FALSE(drawing.shows_picture());
    CHECK(drawing.advance({}));
    CHECK(drawing.target() != nullptr);
    CHECK(drawing.shows_picture());
    CHECK_FALSE(drawing.is_complete());
    const auto next = picture_of({car_at({0, 0, 0.75F}, 7)});
    drawing.set(next, above, {}, target_size);
    const auto* before = drawing.target();
    CHECK(drawing.advance({}));  // uploads its layer
    CHECK(drawing.advance({}));
    CHECK(drawing.target() == before);  // the old picture is seen until the new one is
    CHECK_FALSE(drawing.shows_picture());
    CHECK_FALSE(drawing.advance({}));
    CHECK(drawing.target() != before);
    CHECK(drawing.is_complete());
    SlicedDrawing alone;
    alone.set(next, above, {}, target_size);
    draw_slices(alone);
    CHECK(drawing.target()->read() == alone.target()->read());
}

TEST_CASE("pictures that arrive faster than they are drawn are visible nevertheless")
{
    if (!ready()) return;
    const OffscreenContext context;
    const auto picture = with_clouds({square_cloud(450'000)});
    SlicedDrawing drawing;
    prepare(drawing);
    auto camera = above;
    int seen = 0;
    const RenderTarget* last = nullptr;
    for (int i = 0; i < 6; ++i) {  // a drag: another camera before each advance
        camera.yaw += 0.1;
        drawing.set(picture, camera, {}, target_size);
        CHECK(drawing.advance({}));
        if (drawing.target() != last) ++seen;
        last = drawing.target();
    }
    CHECK(seen == 3);
}

TEST_CASE("the data of a picture on the graphics card is released with the picture")
{
    if (!ready()) return;
    const OffscreenContext context;
    SlicedDrawing drawing;
    const auto buffers_after_two_pictures = [&] {
        drawing.set(with_clouds({square_cloud(10), square_cloud(20)}), above, {}, target_size);
        draw_slices(drawing);
        drawing.set(picture_of({car_at({0, 0, 0.75F}, 7), boundary_from({-1, 0, 0}, {1, 0, 0}, 8)}), above, {},
                    target_size);
        draw_slices(drawing);
        return buffers_alive();
    };
    for (int i = 0; i < 3; ++i) static_cast<void>(buffers_after_two_pictures());
    const auto before = buffers_after_two_pictures();
    CHECK(before > 0);
    for (int i = 0; i < 30; ++i) CHECK(buffers_after_two_pictures() == before);
}

TEST_CASE("layers that pictures share are uploaded once")
{
    if (!ready()) return;
    const OffscreenContext context;
    const auto map = std::make_shared<const Layer>(boundary_from({-10, 4, 0}, {10, 4, 0}, 9));
    Renderer renderer;
    const RenderTarget target(target_size);
    for (int frame = 0; frame < 5; ++frame) {
        auto picture = std::make_shared<Picture>();
        picture->layers = {map, std::make_shared<const Layer>(car_at({static_cast<float>(frame), 0, 0.75F}, 7))};
        renderer.draw(picture, above, {}, target);
    }
    CHECK(renderer.layer_uploads() == 6);
}

TEST_CASE("a picture is drawn without coordinates that are not numbers and marks without points")
{
    if (!ready()) return;
    const OffscreenContext context;
    constexpr auto none = std::numeric_limits<float>::quiet_NaN(), endless = std::numeric_limits<float>::infinity();
    auto broken = car_at({none, endless, -endless}, 1);
    broken.lines.push_back({.thing = 77, .first = 5, .count = 9});
    broken.lines.push_back({.thing = 0, .first = 0xffffffff, .count = 0xffffffff});
    broken.strips.push_back({.thing = 0, .first = 1, .count = 0xffffffff});
    broken.boxes.push_back({.thing = 12});
    broken.points = {{none, none, none}, {endless, 0, 0}, {1e38F, -1e38F, 0}};
    broken.strips.push_back({.thing = 0, .look = Look::marking, .first = 0, .count = 3});
    auto cloud = std::make_shared<Cloud>(*square_cloud(100));
    cloud->points[3] = {none, none, none};
    cloud->fields[0].values[4] = none;
    auto picture = std::make_shared<Picture>(*picture_of({broken, car_at({0, 0, 0.75F}, 7)}));
    picture->clouds.push_back(cloud);
    SlicedDrawing drawing;
    drawing.set(picture, above, {}, target_size);
    draw_slices(drawing);
    const auto at = drawing.pick(164, 124);
    REQUIRE(at);
    CHECK(at->key.id == 7);
}

TEST_CASE("drawings are opaque: nothing shines through the window")
{
    if (!ready()) return;
    const OffscreenContext context;
    SlicedDrawing drawing;
    drawing.set(picture_of({boundary_from({-10, 4, 0}, {10, 4, 0}, 9), car_at({0, 0, 0.75F}, 7)}), above, {},
                target_size);
    draw_slices(drawing);
    const auto pixels = drawing.target()->read();
    for (std::size_t i = 3; i < pixels.size(); i += 4) {
        if (pixels[i] != 255) FAIL("alpha " << int{pixels[i]} << " at pixel " << i / 4);
    }
}

TEST_CASE("with several samples per pixel, edges are smooth and points are as with one sample")
{
    if (!ready()) return;
    const OffscreenContext context;
    auto cloud = std::make_shared<Cloud>();
    cloud->key = {.category = Category::lidar_reflection, .id = 2};
    cloud->points = {{0, 0, 0.5F}, {0.5F, 0.4F, 3}, {8, 3, 0}, {-7, -3, 0}};
    auto car = car_at({0, 0, 0.75F}, 7);
    car.boxes.front().rotation = {0, 0, 0.3F};
    const auto cars = picture_of({car});
    auto with_points = std::make_shared<Picture>(*cars);
    with_points->clouds = {cloud};
    const RenderOptions options{.grid = false, .axes = false};
    Renderer renderer;
    const RenderTarget single(target_size), multiple(target_size, 4);
    REQUIRE(multiple.samples() == 4);
    const auto drawn = [&](const std::shared_ptr<const Picture>& picture, const RenderTarget& target) {
        renderer.draw(picture, above, options, target);
        return Pixels(target.read());
    };
    const auto car_alone = drawn(cars, multiple);
    CHECK(car_alone != drawn(cars, single));
    const auto points = drawn(with_points, multiple), expected = drawn(with_points, single);
    CHECK(drawn(cars, multiple) == car_alone);  // nothing of the points remains
    const ViewTransform transform(above, {}, target_size);
    for (std::size_t i = 0; i != cloud->points.size(); ++i) {
        INFO("point " << i);
        const auto& [x, y, z] = cloud->points[i];
        const auto at = transform.project({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
        CHECK(points.around(at->x, at->y) == expected.around(at->x, at->y));
        CHECK((points.around(at->x, at->y) == car_alone.around(at->x, at->y)) == (i == 0));
    }
}

TEST_CASE("a size that cannot be drawn is refused")
{
    if (!ready()) return;
    const OffscreenContext context;
    CHECK_THROWS(RenderTarget({0, 10}));
    CHECK_THROWS(RenderTarget({10, 1'000'000}));
}

TEST_CASE("a picture is drawn in slices for every camera")
{
    if (!ready()) return;
    const OffscreenContext context;
    CHECK_FALSE(describe_opengl().empty());
    auto picture = std::make_shared<Picture>();
    picture->clouds = {square_cloud(1000), square_cloud(500)};
    SlicedDrawing drawing;
    auto camera = above;
    for (int i = 0; i != 4; ++i) {
        drawing.set(picture, camera, {}, target_size);
        while (drawing.advance({})) {
        }
        CHECK(drawing.is_idle());
        CHECK(drawing.drawn_in() > std::chrono::nanoseconds(0));
        camera.yaw += 0.02;
    }
}

TEST_CASE("a body has its shape, its wheels turn, and too many bodies are boxes")
{
    if (!ready()) return;
    const OffscreenContext context;
    Renderer renderer;
    const RenderTarget target(target_size);
    const Camera beside{.view = View::orbit, .distance = 9, .yaw = 0.8, .pitch = 0.3};
    const auto drawn = [&](BodyShape shape, float steering, std::size_t count) {
        auto layer = car_at({0, 0, 0.75F}, 7);
        layer.boxes.front().shape = shape;
        layer.boxes.front().steering = steering;
        layer.boxes.insert(layer.boxes.end(), count - 1, layer.boxes.front());
        renderer.draw(picture_of({layer}), beside, {.grid = false, .axes = false}, target);
        return Pixels(target.read());
    };
    const auto car = drawn(BodyShape::car, 0, 1), box = drawn(BodyShape::box, 0, 1);
    CHECK(car != box);
    CHECK(car != drawn(BodyShape::bus, 0, 1));
    CHECK(car != drawn(BodyShape::car, 0.5F, 1));
    CHECK(car == drawn(BodyShape::car, 0, 50));
    // The edges are those of shapes, so compare with a shape that is a box then, too.
    CHECK(drawn(BodyShape::car, 0, 1000) == drawn(BodyShape::bus, 0.5F, 1000));
}

TEST_CASE("a selected lamp keeps its colour, and is picked")
{
    auto light = car_at({0, 0, 0}, 5);
    light.things[0].key.category = Category::traffic_light;
    light.points = {{0, -1, 0}, {0, 1, 0}, {0, 0, 1}};
    light.strips = {{.thing = 0, .look = Look::light_red, .count = 3}, {.thing = 0, .look = Look::sign, .count = 3}};
    const auto of_lamp = [](const TriangleVertex& vertex) { return vertex.colour[1] < 100; };
    const auto drawn = tessellate(light, {}).upright.triangles;
    REQUIRE(drawn.size() == 6);
    for (const auto& vertex : drawn) CHECK(vertex.thing == (of_lamp(vertex) ? no_thing : 0));
    const Camera camera{.distance = 20};
    const ViewTransform view(camera, {}, {100, 100});
    const PickArea area(view, 50, 50, 50);
    const auto picked = tessellate(light, {}, &area).upright.triangles;
    CHECK(std::ranges::any_of(picked, of_lamp));
    for (const auto& vertex : picked) CHECK(vertex.thing == 0);
}

TEST_CASE("driving directions are shown only where they are wanted")
{
    auto lane = boundary_from({0, 0, 0}, {10, 0, 0}, 5);
    lane.things[0].key.category = Category::lane;
    lane.lines[0].arrow = true;
    RenderOptions options;
    CHECK(tessellate(lane, options).flat.segments.empty());
    options.directions = true;
    CHECK(!tessellate(lane, options).flat.segments.empty());
}

TEST_CASE("a body is picked by its box")
{
    if (!ready()) return;
    const OffscreenContext context;
    Renderer renderer;
    const RenderTarget target(target_size);
    auto layer = car_at({0, 0, 0.75F}, 7);
    layer.boxes.front().shape = BodyShape::pedestrian;
    renderer.draw(picture_of({layer}), above, {.grid = false, .axes = false}, target);
    const ViewTransform transform(above, {}, target_size);
    const auto corner = transform.project({1.8, 0.8, 1.5});  // of a box of 4 x 2 m; the body does not cover it
    const auto found = renderer.pick(corner->x, corner->y);
    REQUIRE(found);
    CHECK(found->key.id == 7);
}
