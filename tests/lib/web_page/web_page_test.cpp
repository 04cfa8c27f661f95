// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/web_page.hpp>

#include "lib/web_page/page_data.hpp"
#include "lib/web_page/page_shapes.hpp"
#include "lib/web_page/page_tracks.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"

namespace {

using namespace ositrace;
using web_page::Order;
using web_page::PageData;
using web_page::Pose;
using web_page::Shapes;
using web_page::Steps;

/// What a block has after its count and order, as the player computes it.
Steps decoded(const std::string& bytes)
{
    std::size_t at = 0;
    const auto number = [&] {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<std::uint8_t>(bytes.at(at++));
            value |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) return value;
        }
    };
    const auto count = number(), order = number();
    Steps values;
    std::int64_t last = 0, slope = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto coded = number();
        const auto difference =
            coded % 2 == 1 ? -static_cast<std::int64_t>(coded / 2) - 1 : static_cast<std::int64_t>(coded / 2);
        const auto value = (order == 0 ? 0 : order == 1 ? last : last + slope) + difference;
        slope = value - last;
        last = value;
        values.push_back(value);
    }
    CHECK(at == bytes.size());
    return values;
}

std::size_t size_of(const web_page::Tracks& tracks)
{
    PageData data;
    tracks.write(data);
    return data.bytes().size();
}

/// A car with a lamp on its right side, driving a curve.
Layer car_at(std::size_t frame, Look lamp)
{
    Layer layer;
    const auto turned = static_cast<float>(frame) * 0.01F, x = static_cast<float>(frame) * 0.31F;
    Thing thing{.key = {.id = 7}, .look = Look::car, .centre = {x, 2, 0.75F}};
    thing.size = {4, 2, 1.5F};
    thing.rotation = {0, 0, turned};
    layer.things.push_back(thing);
    layer.boxes.push_back({.look = Look::car,
                           .centre = thing.centre,
                           .size = thing.size,
                           .rotation = thing.rotation,
                           .shape = BodyShape::car});
    const Point place{x + std::sin(turned), 2 - std::cos(turned), 0.75F};
    layer.boxes.push_back({.look = lamp, .centre = place, .size = {0.1F, 0.1F, 0.1F}, .rotation = thing.rotation});
    return layer;
}

}  // namespace

TEST_CASE("the numbers of a block come back from their differences, whatever the order")
{
    const std::vector<Steps> samples{
        {}, {0, 1, -1, 63, 64, -64, -65}, {100, 110, 120, 130, 129}, {1'000'000'000'000, -1'000'000'000'000, 5}};
    for (const auto& values : samples) {
        for (const auto order : {Order::unrelated, Order::similar, Order::on_a_line}) {
            PageData data;
            data.block(values, order);
            CHECK(decoded(data.bytes()) == values);
        }
    }
}

TEST_CASE("what is no number and what is too large for the player has a place")
{
    CHECK(web_page::steps_of(std::numeric_limits<double>::quiet_NaN(), 0.01) == 0);
    CHECK(web_page::steps_of(std::numeric_limits<double>::infinity(), 0.01) == 0);
    CHECK(web_page::steps_of(1e300, 0.01) == 1'000'000'000'000);
    CHECK(web_page::steps_of(-1e300, 0.01) == -1'000'000'000'000);
    CHECK(web_page::steps_of(1.236, 0.01) == 124);
    CHECK(web_page::steps_of(-1.236, 0.01) == -124);
}

TEST_CASE("shapes that move and turn with their thing are stored once")
{
    web_page::Tracks tracks;
    std::size_t before = 0;
    for (std::size_t frame = 0; frame < 200; ++frame) {
        tracks.add(frame, car_at(frame, Look::brake_off), {});
        if (frame == 99) before = size_of(tracks);
    }
    CHECK(size_of(tracks) - before < 100 * 20);  // poses alone: a box has more numbers than that

    SECTION("a lamp that blinks has two")
    {
        web_page::Tracks blinking;
        for (std::size_t frame = 0; frame < 200; ++frame)
            blinking.add(frame, car_at(frame, frame / 10 % 2 == 0 ? Look::indicator_on : Look::indicator_off), {});
        CHECK(size_of(blinking) < size_of(tracks) + 120);
    }
}

TEST_CASE("marks whose points are not in the layer have none")
{
    Layer layer;
    layer.points.resize(3);
    CHECK(web_page::points_of(layer, 1, 2).size() == 2);
    CHECK(web_page::points_of(layer, 1, 3).empty());
    CHECK(web_page::points_of(layer, 0xffffffff, 0xffffffff).empty());
}

TEST_CASE("a place relative to a pose is the place in its frame")
{
    Pose pose;
    pose.centre = {10, 20, 1};
    pose.rotation = web_page::rotation_of({0, 0, 1.5707963F});
    Shapes shapes;
    const Point ahead{10, 25, 1}, left{8, 20, 2};
    const std::array<Point, 2> line{ahead, left};
    shapes.add(LineMark{.look = Look::velocity, .width = 0.15F, .count = 2}, 0, line, {}, pose);
    CHECK(shapes.points[0] == Steps{500, 0});
    CHECK(shapes.points[1] == Steps{0, 200});
    CHECK(shapes.points[2] == Steps{0, 100});
    CHECK(shapes.lines[3] == Steps{15});
}

TEST_CASE("a page is the player with the data in it, in base64")
{
    const auto begins_with = [](const std::string& data, const std::string& base64) {
        return html_page(data).find(R"(id="page-data">)" + base64 + "</script>") != std::string::npos;
    };
    CHECK(begins_with("f", "Zg=="));
    CHECK(begins_with("fo", "Zm8="));
    CHECK(begins_with("foob\xff", "Zm9vYv8="));
    CHECK(html_page("f").find("connect-src") == std::string::npos);
}

TEST_CASE("the page of a server has no data and connects to that server only")
{
    const auto page = live_html_page("[::1]:8080");
    CHECK(page.find(R"(id="page-data"></script>)") != std::string::npos);
    CHECK(page.find("; connect-src 'self' ws://[::1]:8080; base-uri") != std::string::npos);
}

TEST_CASE("a stream sends a layer of the map once, and shapes that resemble those before again")
{
    const auto map_of = [](float x) {
        auto map = std::make_shared<Layer>();
        map->is_static = true;
        map->things.push_back({.key = {.category = Category::lane}, .look = Look::lane_driving});
        map->points = {{x, 0, 0}, {x + 9, 0, 0}};
        map->lines.push_back({.look = Look::lane_driving, .count = 2});
        return map;
    };
    PageStream stream(PageFacts{.title = "a"}, 0);
    CHECK(stream.start() == nullptr);
    const auto moment_of = [&](const std::shared_ptr<const Layer>& map, float turned) {
        auto layer = car_at(0, Look::indicator_off);
        layer.boxes[1].centre[0] += turned;
        Picture picture;
        picture.layers = {map, std::make_shared<const Layer>(layer)};
        return stream.add(Nanoseconds(5), picture);
    };
    const auto map = map_of(1);
    const auto first = moment_of(map, 0);
    REQUIRE(stream.start() != nullptr);
    CHECK(stream.start()->front() == 0);
    REQUIRE(first.layers.size() == 1);
    CHECK(first.layers[0].message->starts_with(std::string("\x01\x00", 2)));
    CHECK(
        first.frame->starts_with(std::string("\x02\x01"
                                             "5",
                                             3)));
    const auto second = moment_of(map_of(1), 0.008F);  // rounded to another step
    CHECK(second.layers[0].number == 0);
    CHECK(*second.frame == *first.frame);
    CHECK(*moment_of(map, 0.03F).frame != *first.frame);
    const auto other = moment_of(map_of(2), 0);
    CHECK(other.layers[0].number == 1);
    CHECK(other.layers[0].message->starts_with(std::string("\x01\x01", 2)));
    CHECK(moment_of(map, 0).layers[0].number == 2);  // only those of the last picture are known
    CHECK(page_notice("a", "bc") == std::string("\x03\x01"
                                                "a\x02"
                                                "bc"));
}

TEST_CASE("a page without a frame is refused")
{
    PageEncoder encoder;
    CHECK(error_of([&] { return encoder.finish({}); }) == "the page would have no frame");
    encoder.add(Nanoseconds(5), {});
    CHECK(encoder.frames() == 1);
    CHECK_FALSE(encoder.finish({}).empty());
}
