// SPDX-License-Identifier: MPL-2.0
#include <cmath>
#include <limits>

#include "gui/render/options.hpp"
#include "tests/catch.hpp"
#include "tests/gui/contrast.hpp"
#include "tests/gui/render/hand_made.hpp"

using namespace ositrace;
using namespace ositrace::gui;

namespace {

std::shared_ptr<Picture> with_cloud(std::vector<CloudField> fields)
{
    auto cloud = std::make_shared<Cloud>();
    cloud->key.category = Category::lidar_detection;
    cloud->points.resize(fields.front().values.size());
    cloud->fields = std::move(fields);
    auto picture = std::make_shared<Picture>();
    picture->clouds.push_back(cloud);
    return picture;
}

}  // namespace

TEST_CASE("clouds are coloured by the first field that varies")
{
    const auto picture =
        with_cloud({{.name = "same", .values = {5, 5, 5}, .smallest = 5, .largest = 5},
                    {.name = "intensity", .unit = "%", .values = {1, 2, 3}, .smallest = 1, .largest = 3}});
    const auto colouring = colouring_of(*picture, {});
    REQUIRE(colouring);
    CHECK(colouring->field == "intensity");
    CHECK(colouring->unit == "%");
    CHECK(colouring->from == 1);
    CHECK(colouring->to == 3);
}

TEST_CASE("a requested range is kept, and a field that no cloud has colours nothing")
{
    const auto picture = with_cloud({{.name = "intensity", .values = {1, 2, 3}, .smallest = 1, .largest = 3}});
    RenderOptions options;
    options.cloud_field = "intensity";
    options.range = {0.F, 10.F};
    CHECK(colouring_of(*picture, options)->to == 10);
    options.cloud_field = "rcs";
    CHECK_FALSE(colouring_of(*picture, options));
}

TEST_CASE("the range excludes the outer percent and values that are not numbers")
{
    CloudField field{.name = "strength", .smallest = -200, .largest = 99};
    for (int i = 0; i < 400; ++i) field.values.push_back(static_cast<float>(i % 100));
    field.values[7] = -200;
    field.values[8] = std::numeric_limits<float>::quiet_NaN();
    field.values[9] = std::numeric_limits<float>::infinity();
    const auto colouring = colouring_of(*with_cloud({field}), {});
    REQUIRE(colouring);
    CHECK(colouring->from >= 0);
    CHECK(colouring->to <= 99);
}

TEST_CASE("a cloud whose field has another number of values than it has points is drawn plainly")
{
    const auto picture = with_cloud({{.name = "intensity", .values = {1, 2, 3}, .smallest = 1, .largest = 3}});
    auto broken = std::make_shared<Cloud>(*picture->clouds[0]);
    broken->points.resize(2);
    CHECK(field_of(*broken, CloudColouring{.field = "intensity"}) == nullptr);
    CHECK(field_of(*picture->clouds[0], CloudColouring{.field = "intensity"}) != nullptr);
}

TEST_CASE("turbo goes from blue over green to red, and is grey for values that are not numbers")
{
    CHECK(turbo(0.1F)[2] > turbo(0.1F)[0]);
    CHECK(turbo(0.5F)[1] > 0.8F);
    CHECK(turbo(1)[0] > turbo(1)[2]);
    CHECK(turbo(-5) == turbo(0));
    CHECK(turbo(5) == turbo(1));
    const auto none = turbo(std::numeric_limits<float>::quiet_NaN());
    CHECK(none[0] == none[2]);
}

TEST_CASE("every look has a colour of its own row, in both themes")
{
    for (std::size_t i = 0; i < look_count; ++i) {
        for (const auto theme : {Theme::dark, Theme::light}) CHECK(colour_of(static_cast<Look>(i), theme)[3] > 0);
    }
    CHECK(colour_of(Look::trajectory, Theme::dark) != colour_of(Look::unknown, Theme::dark));
}

TEST_CASE("white markings contrast with the ground and the road, and these with each other, in both themes")
{
    for (const auto theme : {Theme::dark, Theme::light}) {
        const auto white = colour_of(Look::boundary_white, theme), ground = background_of(theme);
        CHECK(test::contrast(white, ground) > 1.9);
        for (const auto look : {Look::lane_driving, Look::lane_intersection, Look::lane_shoulder}) {
            CHECK(test::contrast(colour_of(look, theme), ground) >= 1.6);
        }
        for (const auto look :
             {Look::lane_driving, Look::lane_intersection, Look::lane_non_driving, Look::lane_other}) {
            const auto edge = colour_of(look, theme);
            Colour road = ground;
            for (std::size_t i = 0; i < 3; ++i) road[i] += edge[3] * (edge[i] - road[i]);
            CHECK(test::contrast(white, road) > 2.5);
        }
    }
}
