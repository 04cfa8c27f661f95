// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "gui/render/box_line.hpp"
#include "gui/scene/camera_controller.hpp"
#include "gui/scene/camera_flight.hpp"
#include "tests/catch.hpp"
#include "tests/gui/render/hand_made.hpp"

using namespace ositrace;
using namespace ositrace::gui;
using namespace ositrace::test;

namespace {

constexpr PixelSize size{800, 600};

Picture with_host(Point centre, float yaw, GlobalPoint origin = {})
{
    auto picture = *picture_of({car_at(centre, 7)}, origin);
    picture.host = Thing{
        .key = {.category = Category::host, .id = 1}, .centre = centre, .size = {4, 2, 1.5F}, .rotation = {0, 0, yaw}};
    return picture;
}

std::optional<Vector> under(const CameraController& controller, double x, double y)
{
    const auto& camera = controller.camera();
    return ViewTransform(camera, {}, size).on_level(x, y, camera.target[2]);
}

}  // namespace

TEST_CASE("the first picture places the camera behind the host, and later ones move it along")
{
    CameraController controller(size);
    controller.set_picture(with_host({1, 2, 0}, 0.5F, {1000, 2000, 0}));
    CHECK(controller.camera().target[0] == Approx(1001));
    CHECK(controller.camera().yaw == Approx(0.5));
    controller.set_turning(false);
    controller.pan(400, 300, 420, 310);
    const auto before = controller.camera();
    controller.set_picture(with_host({4, 1, 0}, 0.9F, {1000, 2000, 0}));
    CHECK(controller.camera().target[0] == Approx(before.target[0] + 3));
    CHECK(controller.camera().target[1] == Approx(before.target[1] - 1));
    CHECK(controller.camera().yaw == Approx(before.yaw));
}

TEST_CASE("in 3D the camera turns with the heading on a curve, from above north stays up")
{
    for (const auto view : {View::orbit, View::bird}) {
        const bool turns = view == View::orbit;
        CameraController controller(size);
        controller.set_view(view);
        controller.set_picture(with_host({50, 0, 0}, 1.5707963F));
        const auto before = controller.camera();
        CHECK(before.yaw == Approx(1.5707963));
        for (int degrees = 1; degrees <= 270; ++degrees) {  // once past the jump of the angle
            const auto angle = static_cast<float>(degrees) * 0.0174532925F, heading = angle + 1.5707963F;
            controller.set_picture(with_host({50 * std::cos(angle), 50 * std::sin(angle), 0},
                                             heading > 3.14159265F ? heading - 6.2831853F : heading));
        }
        CHECK(controller.camera().target[1] == Approx(-50));
        const double turned = std::remainder(controller.camera().yaw - before.yaw, 2 * 3.14159265358979);
        CHECK(turned == Approx(turns ? -1.5707963 : 0).margin(1e-4));
        controller.set_turning(!turns);
        CHECK(controller.turns() == !turns);
        if (!turns) CHECK(std::remainder(controller.camera().yaw, 2 * 3.14159265358979) == Approx(0).margin(1e-4));
        controller.set_turning(turns);
        controller.set_view(turns ? View::bird : View::orbit);
        CHECK(controller.turns() == !turns);  // each view has its own
    }
}

TEST_CASE("following a pose turns the camera about what it follows")
{
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0));
    auto camera = controller.camera();
    camera.target = {10, 0, 0};
    controller.set_camera(camera);
    controller.set_picture(with_host({0, 0, 0}, 1.5707963F));
    CHECK(controller.camera().target[0] == Approx(0).margin(1e-5));
    CHECK(controller.camera().target[1] == Approx(10));
    CHECK(controller.camera().yaw == Approx(camera.yaw + 1.5707963));
}

TEST_CASE("following nothing leaves the camera alone, following a thing moves with it")
{
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0));
    controller.follow_nothing();
    controller.set_picture(with_host({9, 0, 0}, 0));
    CHECK(controller.camera().target[0] == Approx(0));
    controller.follow(ThingKey{.category = Category::moving_object, .id = 7});
    controller.set_picture(with_host({9, 0, 0}, 0));
    CHECK(controller.camera().target[0] == Approx(9));
    controller.pan(400, 300, 420, 310);
    const auto panned = controller.camera().target;
    controller.set_picture(with_host({11, 0, 0}, 0));
    CHECK(controller.camera().target[0] == Approx(panned[0] + 2));
}

TEST_CASE("the followed thing is centred, also if only a later picture contains it")
{
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0));
    auto far = car_at({400, 300, 0}, 8);
    far.things[0].rotation[2] = 1.2F;
    controller.follow(far.things[0].key);
    controller.set_picture(with_host({1, 0, 0}, 0));
    CHECK(controller.camera().target[0] == Approx(0));
    const auto distance = controller.camera().distance;
    controller.set_picture(*picture_of({car_at({2, 0, 0}, 7), far}));
    CHECK(controller.camera().target[0] == Approx(400));
    CHECK(controller.camera().target[1] == Approx(300));
    CHECK(controller.camera().yaw == Approx(1.2));
    CHECK(controller.camera().distance == distance);
}

TEST_CASE("a scene without a host stays in view while it moves")
{
    for (const auto view : {View::orbit, View::bird}) {
        CameraController controller(size);
        controller.set_view(view);
        const auto cars_at = [](float x, float apart) {
            return picture_of(
                {car_at({x, 0, 0}, 1), car_at({x + apart, 40, 0}, 2), boundary_from({-900, 0, 0}, {900, 0, 0}, 3)});
        };
        const auto is_seen = [&](const Picture& picture) {
            const ViewTransform transform(controller.camera(), {}, size);
            return std::ranges::all_of(picture.layers, [&](const auto& layer) {
                const auto& thing = layer->things.front();
                const auto at = transform.project(to_vector(thing.centre));
                return thing.key.category != Category::moving_object ||
                       (at && at->x > 20 && at->x < size.width - 20 && at->y > 20 && at->y < size.height - 20);
            });
        };
        for (const float x : {0.F, 50.F, 200.F, 1000.F}) {
            const auto picture = cars_at(x, 30 + x / 4);
            controller.set_picture(*picture);
            CHECK(is_seen(*picture));
        }
        const auto all = controller.camera();
        controller.zoom(400, 300, 3);
        controller.zoom(400, 300, -3);
        controller.set_picture(*cars_at(1000, 280));
        CHECK(controller.camera().distance == Approx(all.distance));
        controller.follow_nothing();
        controller.set_picture(*cars_at(2000, 280));
        CHECK(controller.camera().target[0] == Approx(all.target[0]));
        controller.follow(ThingKey{.category = Category::moving_object, .id = 2});
        controller.set_picture(*cars_at(2000, 280));
        CHECK(controller.camera().target[0] == Approx(2280));
    }
}

TEST_CASE("from above two cars side by side are visible with their surroundings")
{
    CameraController controller(size);
    controller.set_view(View::bird);
    controller.set_picture(*picture_of({car_at({0, 0, 0}, 1), car_at({6, 3, 0}, 2)}));
    const ViewTransform transform(controller.camera(), {}, size);
    CHECK(transform.metres_per_pixel() * size.height > 40);
}

TEST_CASE("another origin of the picture moves nothing")
{
    CameraController controller(size);
    controller.set_picture(with_host({5, 5, 0}, 0, {0, 0, 0}));
    const auto before = controller.camera();
    controller.set_picture(with_host({-95, -195, 0}, 0, {100, 200, 0}));
    CHECK(controller.camera().target[0] == Approx(before.target[0]));
    CHECK(controller.camera().target[1] == Approx(before.target[1]));
}

TEST_CASE("a pan moves the ground with the mouse, and a zoom keeps the place under the mouse")
{
    for (const auto view : {View::orbit, View::bird}) {
        CameraController controller(size);
        controller.set_view(view);
        controller.set_picture(with_host({0, 0, 0}, 0.3F));
        const auto grabbed = under(controller, 300, 400);
        controller.pan(300, 400, 350, 380);
        const auto now = under(controller, 350, 380);
        REQUIRE((grabbed && now));
        CHECK((*now)[0] == Approx((*grabbed)[0]).margin(1e-6));
        CHECK((*now)[1] == Approx((*grabbed)[1]).margin(1e-6));
        const auto before = under(controller, 500, 450);
        const double distance = controller.camera().distance;
        controller.zoom(500, 450, 2);
        CHECK(controller.camera().distance < distance);
        const auto after = under(controller, 500, 450);
        CHECK((*after)[0] == Approx((*before)[0]).margin(1e-6));
        CHECK((*after)[1] == Approx((*before)[1]).margin(1e-6));
    }
}

TEST_CASE("the camera stays above the ground and at a sane distance")
{
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0));
    controller.rotate(0, 1e6);
    CHECK(controller.camera().pitch <= 1.5708);
    controller.rotate(0, -1e6);
    CHECK(controller.camera().pitch >= -0.11);
    controller.zoom(400, 300, 1000);
    CHECK(controller.camera().distance == CameraController::nearest);
    controller.zoom(400, 300, -1000);
    CHECK(controller.camera().distance == CameraController::farthest);
}

TEST_CASE("a host of a later picture places the camera, unless the user has moved it")
{
    const auto without_host = picture_of({car_at({500, 0, 0}, 1), car_at({600, 40, 0}, 2)});
    const auto later = with_host({0, 0, 0}, 0.5F);
    CameraController controller(size);
    controller.set_picture(later);
    const auto at_host = controller.camera();
    const auto camera_after = [&](auto use) {
        CameraController other(size);
        other.set_picture(*without_host);
        use(other);
        other.set_picture(later);
        return other.camera();
    };
    CHECK(camera_after([](CameraController&) {}) == at_host);
    CHECK(camera_after([](CameraController& other) { other.zoom(400, 300, 2); }).target[0] != Approx(0));
    CHECK(camera_after([](CameraController& other) { other.follow_nothing(); }).target[0] == Approx(550));
}

TEST_CASE("another trace places the camera again, unless the user has moved it")
{
    const auto other = picture_of({car_at({500, 0, 0}, 1), car_at({600, 40, 0}, 2)});
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0.5F));
    controller.drop_picture();
    controller.set_picture(*other);
    CHECK(controller.camera().target[0] == Approx(550));
    controller.rotate(10, 0);
    const auto rotated = controller.camera();
    controller.drop_picture();
    controller.set_picture(*other);
    CHECK(controller.camera() == rotated);
}

TEST_CASE("a scene without a host is visible completely")
{
    CameraController controller(size);
    controller.set_picture(Picture{});  // nothing yet
    controller.set_picture(*picture_of({car_at({0, 0, 0}, 1), car_at({100, 40, 0}, 2)}));
    CHECK(controller.camera().target[0] == Approx(50));
    CHECK(controller.camera().target[1] == Approx(20));
    CHECK(controller.camera().distance > 50);
}

TEST_CASE("a map alone is visible completely, also its roads that lead away")
{
    for (const auto view : {View::orbit, View::bird}) {
        CameraController controller(size);
        controller.set_view(view);
        controller.set_picture(
            *picture_of({boundary_from({0, 0, 0}, {50, 0, 0}, 1), boundary_from({50, 0, 0}, {120, 300, 0}, 2)}));
        const ViewTransform transform(controller.camera(), {}, size);
        for (const auto& end : {Vector{0, 0, 0}, Vector{50, 0, 0}, Vector{120, 300, 0}}) {
            const auto at = transform.project(end);
            REQUIRE(at);
            CHECK((at->x > 0 && at->x < size.width && at->y > 0 && at->y < size.height));
        }
    }
}

TEST_CASE("every car of a scene without a host is on the screen, despite one far away")
{
    std::vector<Layer> cars;
    for (int i = 0; i < 6; ++i)
        cars.push_back(
            car_at({static_cast<float>(20 * i), static_cast<float>(i * i), 0}, static_cast<std::uint64_t>(i)));
    for (const auto view : {View::orbit, View::bird}) {
        for (const bool has_outlier : {false, true}) {
            auto things = cars;
            if (has_outlier) things.push_back(car_at({2e6F, 0, 0}, 99));
            CameraController controller(size);
            controller.set_view(view);
            controller.set_picture(*picture_of(things));
            const ViewTransform transform(controller.camera(), {}, size);
            for (const auto& layer : cars) {
                const auto seen = transform.project(to_vector(layer.things.front().centre));
                REQUIRE(seen);
                CHECK((seen->x > 20 && seen->x < size.width - 20 && seen->y > 20 && seen->y < size.height - 20));
            }
            CHECK(controller.camera().distance < 300);
        }
    }
}

TEST_CASE("positions and cameras that are not numbers are refused")
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    CameraController controller(size);
    controller.set_picture(with_host({std::numeric_limits<float>::quiet_NaN(), 0, 0}, 0));
    controller.focus({none, 0, 0}, 3);
    controller.set_camera({.target = {0, none, 0}});
    controller.set_camera({.distance = none});
    CHECK(std::isfinite(controller.camera().target[0]));
    CHECK(std::isfinite(controller.camera().distance));
}

TEST_CASE("a double click centres a thing, and reset returns to the host")
{
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0));
    const auto start = controller.camera();
    controller.focus({30, 5, 1}, 4);
    CHECK(controller.camera().target[0] == 30);
    CHECK(controller.camera().distance < start.distance);
    controller.reset();
    CHECK(controller.camera() == start);
}

namespace {

/// A tower of 8 x 8 x 40 m.
Picture with_house(Picture picture, Point centre)
{
    auto layer = std::make_shared<Layer>();
    layer->things.push_back({.key = {.category = Category::stationary_object, .id = 50}, .centre = centre});
    layer->boxes.push_back({.centre = centre, .size = {8, 8, 40}, .rotation = {0, 0, 0.4F}});
    picture.layers.push_back(layer);
    return picture;
}

}  // namespace

TEST_CASE("what is looked at is not hidden by a house")
{
    const GlobalPoint origin{5000, 100, 0}, place{5000, 100, 0.75};
    // As a box, and as the walls of a polygon; between the car and the camera, and around the camera.
    for (const bool has_walls : {false, true}) {
        for (const float x : {-6.0F, -9.0F, -16.0F}) {
            auto picture = with_house(with_host({0, 0, 0}, 0, origin), {x, 0.5F, 20});
            if (has_walls) {
                auto layer = std::make_shared<Layer>(*picture.layers.back());
                layer->boxes.clear();
                layer->things[0].size = {8, 8, 40};
                for (const auto& [dx, dy] : std::vector<std::pair<float, float>>{
                         {-4.F, -4.F}, {4.F, -4.F}, {4.F, 4.F}, {-4.F, 4.F}, {-4.F, -4.F}})
                    layer->points.push_back({x + dx, 0.5F + dy, 0});
                layer->lines.push_back({.height = 40, .first = 0, .count = 5});
                picture.layers.back() = layer;
            }
            CameraController controller(size);
            controller.set_picture(picture);
            controller.focus(place, 5);
            const auto hidden = controller.camera();
            controller.focus(place, 5, picture);
            const auto camera = controller.camera();
            CHECK(camera.target == place);
            CHECK(camera.distance == hidden.distance);
            CHECK((camera.yaw != hidden.yaw || camera.pitch > hidden.pitch));
            const auto house = BoxMark{.centre = {x, 0.5F, 20}, .size = {8, 8, 40}};
            const auto inside = [&](const Camera& from) {
                return metres_inside(house, place - origin, ViewTransform(from, origin, size).eye());
            };
            CHECK(inside(hidden) > 0.5);
            CHECK(inside(camera) < 0.5);  // the house that is a box is turned a little
            // The house itself is looked at as before.
            controller.set_camera(hidden);
            const ThingKey house_key{.category = Category::stationary_object, .id = 50};
            controller.focus(GlobalPoint{5000.0 + static_cast<double>(x), 100.5, 20}, 40, picture, house_key);
            CHECK(controller.camera().yaw == hidden.yaw);
            CHECK(controller.camera().pitch == hidden.pitch);
        }
    }
}

TEST_CASE("the camera that follows is never inside a house or behind it")
{
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0, {5000, 100, 0}));
    const auto wanted = controller.camera();
    const auto eye = [](const Camera& camera) { return ViewTransform(camera, {5000, 100, 0}, size).eye(); };
    for (double x = -10; x > -60; x -= 0.5) {
        const auto picture = with_house(with_host({0, 0, 0}, 0, {5000, 100, 0}), {static_cast<float>(x), 0.5F, 6});
        const auto camera = controller.camera_for(picture);
        const auto at = eye(camera);
        CHECK(std::hypot(at[0] - x, at[1] - 0.5) > 4);
        if (x > eye(wanted)[0] - 3.5) CHECK(camera.distance < wanted.distance);
        if (x < eye(wanted)[0] - 5) CHECK(camera == wanted);
        CHECK(controller.camera() == wanted);
    }
}

TEST_CASE("a house beside the line of sight and a pole in it do not move the camera")
{
    CameraController controller(size);
    const auto host = with_host({0, 0, 0}, 0);
    controller.set_picture(host);
    CHECK(controller.camera_for(with_house(host, {-20, 12, 6})) == controller.camera());
    auto pole = with_house(host, {-20, 0, 6});
    auto layer = *pole.layers.back();
    layer.boxes.front().size = {0.3F, 0.3F, 12};
    pole.layers.back() = std::make_shared<Layer>(layer);
    CHECK(controller.camera_for(pole) == controller.camera());
    controller.follow_nothing();
    CHECK(controller.camera_for(with_house(host, {-20, 0, 6})) == controller.camera());
}

TEST_CASE("the first picture shows all road users, also those behind the host or far ahead of it")
{
    for (const auto view : {View::orbit, View::bird}) {
        const std::vector<Point> places{{-60, 3, 0}, {150, -4, 0}, {0, 40, 0}};
        auto picture = with_host({0, 0, 0}, 0);
        for (std::size_t i = 0; i != places.size(); ++i)
            picture.layers.push_back(std::make_shared<const Layer>(car_at(places[i], 10 + i)));
        CameraController controller(size);
        controller.set_view(view);
        controller.set_picture(picture);
        const ViewTransform transform(controller.camera(), picture.origin, size);
        for (const auto& place : places) {
            const auto at = transform.project(to_vector(place));
            REQUIRE(at);
            CHECK(at->x > 0);
            CHECK(at->x < size.width);
            CHECK(at->y > 0);
            CHECK(at->y < size.height);
        }
        const double far = controller.camera().distance;
        controller.look_at_host();  // comes close to it
        CHECK(controller.camera().target == GlobalPoint{0, 0, 0});
        CHECK(controller.camera().distance < far);
    }
}

TEST_CASE("a host with all others ahead of it is seen from close behind")
{
    auto picture = with_host({0, 0, 0}, 0);
    picture.layers.push_back(std::make_shared<const Layer>(car_at({30, 3, 0}, 10)));
    CameraController controller(size);
    controller.set_picture(picture);
    CHECK(controller.camera().target == GlobalPoint{0, 0, 0});
    CHECK(controller.camera().distance == Approx(32));
}

TEST_CASE("a new scene places a camera that the user has moved")
{
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0));
    controller.pan(400, 300, 100, 100);
    controller.drop_picture();
    controller.expect_new_scene();
    controller.set_picture(with_host({5000, 100, 0}, 0));
    CHECK(controller.camera().target[0] == Approx(5000));
    controller.pan(400, 300, 420, 310);
    const auto moved = controller.camera();
    controller.drop_picture();
    controller.set_picture(with_host({5000, 100, 0}, 0));
    CHECK(controller.camera().target == moved.target);
}

namespace {

bool sees_all(const CameraController& controller, const std::vector<Point>& places, PixelSize in)
{
    const ViewTransform transform(controller.camera(), {}, in);
    return std::ranges::all_of(places, [&](const Point& place) {
        const auto at = transform.project(to_vector(place));
        return at && at->x > 0 && at->x < in.width && at->y > 0 && at->y < in.height;
    });
}

std::shared_ptr<const Picture> cars_at(const std::vector<Point>& places)
{
    std::vector<Layer> cars;
    for (std::size_t i = 0; i != places.size(); ++i) cars.push_back(car_at(places[i], i));
    return picture_of(std::move(cars));
}

}  // namespace

TEST_CASE("the first picture shows all road users in a view of every shape, and so does reset")
{
    const std::vector<Point> places{{0, 0, 0}, {-40, -150, 0}, {70, 130, 0}, {-5, 90, 0}};
    const auto alone = cars_at(places);
    auto hosted = *alone;
    hosted.host = Thing{.key = {.category = Category::host, .id = 1}, .size = {4, 2, 1.5F}};
    for (const auto view : {View::orbit, View::bird}) {
        for (const auto* picture : {alone.get(), &std::as_const(hosted)}) {
            for (const PixelSize in :
                 {PixelSize{100, 900}, {300, 600}, {541, 608}, {600, 600}, {800, 600}, {1800, 500}}) {
                CAPTURE(view, picture->host.has_value(), in.width, in.height);
                CameraController before(in);
                before.set_view(view);
                before.set_picture(*picture);
                CHECK(sees_all(before, places, in));
                CameraController after;  // as long as the view has no size
                after.set_view(view);
                after.set_picture(*picture);
                after.set_size({});
                after.set_size({0, 300});
                after.set_size(in);
                CHECK(after.camera() == before.camera());
                CameraController other(size);
                other.set_view(view);
                other.set_picture(*picture);
                other.set_size(in);
                CHECK(other.camera() == before.camera());
                other.pan(0, 0, 300, 200);
                other.reset();
                CHECK(other.camera() == before.camera());
            }
        }
    }
}

TEST_CASE("moving things without a host stay in view when it becomes narrow, a camera of the user stays")
{
    CameraController controller(size);
    controller.set_picture(*cars_at({{0, 0, 0}, {10, 60, 0}}));
    const std::vector<Point> later{{300, 0, 0}, {310, 90, 0}};
    controller.set_picture(*cars_at(later));
    controller.set_size({300, 600});
    CHECK(sees_all(controller, later, {300, 600}));
    controller.zoom(10, 10, 1);
    const auto zoomed = controller.camera();
    controller.set_size(size);
    CHECK(controller.camera() == zoomed);
}

TEST_CASE("a later picture with a host keeps the distance of the camera in another size")
{
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0));
    controller.set_picture(with_host({20, 0, 0}, 0));
    const auto before = controller.camera();
    controller.set_size({300, 600});
    CHECK(controller.camera() == before);
}

TEST_CASE("a scene of another channel is in view 4 km away, and one that no view shows with the first is not")
{
    const std::vector<Point> near{{0, 0, 0}, {100, 40, 0}, {60, -8, 0}};
    for (const float away : {4e3F, 4e6F}) {
        for (const bool has_host : {false, true}) {
            CAPTURE(away, has_host);
            auto picture = has_host ? with_host({0, 0, 0}, 0) : *cars_at(near);
            if (has_host)
                for (const auto& place : near)
                    picture.layers.push_back(std::make_shared<const Layer>(car_at(place, 10)));
            auto other = car_at({away, 0, 0}, 7);
            other.things.front().key.source = 1;
            picture.layers.push_back(std::make_shared<const Layer>(other));
            CameraController controller(size);
            controller.set_picture(picture);
            CHECK(sees_all(controller, near, size));
            CHECK(sees_all(controller, {{away, 0, 0}}, size) == (away < 1e6F));
        }
    }
}

TEST_CASE("another scene without a host is in view, and so is the first one again")
{
    const std::vector<Point> near{{0, 0, 0}, {100, 40, 0}}, far{{5000, -3000, 0}, {5030, -2980, 0}};
    for (const bool is_dropped : {true, false}) {
        CameraController controller(size);
        for (const auto* places : {&near, &far, &near, &far}) {
            if (is_dropped) controller.drop_picture();
            controller.expect_new_scene();
            controller.set_picture(*cars_at(*places));
            CHECK(sees_all(controller, *places, size));
        }
        controller.expect_new_scene();
        controller.reset();  // before its first picture
        controller.set_picture(*cars_at(near));
        CHECK(sees_all(controller, near, size));
    }
}

TEST_CASE("a camera that the user has centred on the host stays so in a view of another size")
{
    auto picture = *picture_of({car_at({200, 90, 0}, 1)});
    picture.host = car_at({0, 0, 0}, 2).things.front();
    CameraController controller({1000, 800});
    controller.set_picture(picture);
    controller.look_at_host();
    const auto distance = controller.camera().distance;
    controller.set_size({300, 600});
    CHECK(controller.camera().distance == distance);
    CHECK(controller.camera().target[0] == Approx(0).margin(1e-9));
}

TEST_CASE("a camera that was kept comes back to the same place beside the host")
{
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0));
    controller.rotate(40, 10);
    controller.pan(400, 300, 350, 280);
    controller.zoom(400, 300, 3);
    const auto kept = controller.placed_camera();
    const auto before = controller.camera();
    controller.reset();
    CHECK(controller.camera() != before);
    controller.restore(kept);
    CHECK(controller.camera() == before);

    CameraController early(size);  // before it has a picture, and at another time
    early.restore(kept);
    early.expect_new_scene();
    early.set_picture(with_host({100, 50, 0}, 1.5707963F));
    CHECK(early.camera().distance == Approx(before.distance));
    CHECK(early.camera().pitch == Approx(before.pitch));
    CHECK(std::remainder(early.camera().yaw - before.yaw - 1.5707963, 6.283185307) == Approx(0).margin(1e-5));
    CHECK(early.camera().target[0] == Approx(100 - before.target[1]).margin(1e-4));
    CHECK(early.camera().target[1] == Approx(50 + before.target[0]).margin(1e-4));
    early.reset();
    CHECK(early.camera().target[0] == Approx(100));
}

TEST_CASE("a camera that followed nothing comes back to its place, unless the scene is elsewhere")
{
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0));
    controller.follow_nothing();
    controller.focus({30, 20, 0}, 5);
    const auto kept = controller.placed_camera();
    controller.set_picture(with_host({80, 0, 0}, 0.3F));
    controller.focus({90, 0, 0}, 5);
    controller.restore(kept);
    CHECK(controller.camera() == static_cast<const Camera&>(kept));
    CameraController other(size);
    other.set_picture(with_host({50000, 0, 0}, 0));
    other.restore(kept);
    CHECK(other.camera().target[0] == Approx(50000));
    CHECK(other.camera().distance == kept.distance);
}

TEST_CASE("reset follows the host again")
{
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0));
    controller.follow(ThingKey{.category = Category::moving_object, .id = 7});
    controller.set_picture(with_host({0, 0, 0}, 0));
    controller.reset();
    CHECK((controller.follows() && !controller.followed()));
    controller.follow_nothing();
    controller.reset();
    CHECK(!controller.follows());
}

TEST_CASE("a flight begins at one camera and ends at the other, also where one looks down")
{
    using namespace std::chrono_literals;
    const Camera behind{.target = {10, 0, 0}, .distance = 30, .yaw = 3, .pitch = 0.4};
    const Camera above{.view = View::bird, .target = {0, 40, 0}, .distance = 300, .yaw = -3};
    const CameraFlight::Time begun{};
    const auto sees_same = [](const Camera& one, const Camera& other) {  // on the ground near the target
        for (const auto& off : {Vector{0, 0, 0}, Vector{3, 1, 0}, Vector{-1, 4, 0}}) {
            const auto place = one.target + off;
            const auto at = ViewTransform(one, {}, size).project(place),
                       too = ViewTransform(other, {}, size).project(place);
            REQUIRE((at && too));
            CHECK(at->x == Approx(too->x).margin(0.1));
            CHECK(at->y == Approx(too->y).margin(0.1));
        }
    };
    for (const auto& [from, to] : {std::pair(behind, above), std::pair(above, behind)}) {
        const CameraFlight flight(from, begun);
        CHECK(flight.at(begun + CameraFlight::duration, to) == to);
        CHECK((flight.has_ended(begun + 300ms) && !flight.has_ended(begun + 299ms)));
        sees_same(flight.at(begun, to), from);
        sees_same(flight.at(begun + 300ms - 1us, to), to);
        const auto middle = flight.at(begun + 150ms, to);
        CHECK(middle.target[1] == Approx(20));
        CHECK(middle.distance == Approx(std::sqrt(30 * 300)));
        CHECK(std::abs(std::remainder(middle.yaw - 3.14159265, 6.283185307)) < 0.01);  // the short way
    }
}

TEST_CASE("the bird's eye view and 3D stay as close to the host as they were, however far the others are")
{
    CameraController controller(size);
    controller.set_picture(with_host({0, 0, 0}, 0));
    controller.rotate(30, 0);
    const auto before = controller.camera();
    auto later = with_host({20, 0, 0}, 0.5F);
    later.layers.push_back(std::make_shared<const Layer>(car_at({-400, 90, 0}, 10)));
    controller.set_picture(later);
    controller.set_view(View::bird);
    CHECK(controller.camera().distance == Approx(2.2 * before.distance));
    CHECK(controller.camera().target[0] == Approx(20));
    controller.set_size({500, 600});
    controller.set_view(View::orbit);
    CHECK(controller.camera().distance == Approx(before.distance));
    CHECK(controller.camera().target[0] == Approx(20));
    CHECK(controller.camera().yaw == Approx(before.yaw + 0.5));
    CHECK(controller.camera().pitch == before.pitch);
}

TEST_CASE("road users all around the host are seen from no farther than they need")
{
    auto picture = with_host({0, 0, 0}, 0);
    for (int i = 0; i != 12; ++i) {
        const float angle = static_cast<float>(i) * 0.5235988F;
        picture.layers.push_back(std::make_shared<const Layer>(
            car_at({60 * std::cos(angle), 60 * std::sin(angle), 0}, static_cast<std::uint64_t>(10 + i))));
    }
    CameraController controller(size);
    controller.set_picture(picture);
    CHECK(controller.camera().distance < 160);
    for (const auto& layer : picture.layers) CHECK(sees_all(controller, {layer->things.front().centre}, size));
}
