// SPDX-License-Identifier: MPL-2.0
#include <ositrace/palette.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ositrace {

namespace {

struct PaletteRow {
    Look look;
    Colour dark;
    Colour light;
};

// Similar to other OSI viewers: the host blue, other road users in warm colours, boundaries and markings in the colour
// of their paint.
constexpr PaletteRow palette[] = {
    {Look::unknown, {.60F, .60F, .62F, 1}, {.55F, .55F, .57F, 1}},
    {Look::host, {.27F, .56F, 1, 1}, {.15F, .42F, .92F, 1}},
    {Look::other, {.35F, .72F, .78F, 1}, {.20F, .58F, .66F, 1}},
    {Look::car, {.92F, .37F, .33F, 1}, {.85F, .28F, .25F, 1}},
    {Look::truck, {.74F, .30F, .42F, 1}, {.66F, .20F, .34F, 1}},
    {Look::bus, {.86F, .47F, .74F, 1}, {.76F, .32F, .62F, 1}},
    {Look::motorbike, {.96F, .60F, .20F, 1}, {.90F, .50F, .08F, 1}},
    {Look::bicycle, {.25F, .78F, .74F, 1}, {.08F, .60F, .57F, 1}},
    {Look::trailer, {.55F, .42F, .80F, 1}, {.45F, .32F, .72F, 1}},
    {Look::train, {.52F, .55F, .86F, 1}, {.38F, .41F, .76F, 1}},
    {Look::other_vehicle, {.86F, .53F, .45F, 1}, {.78F, .43F, .35F, 1}},
    {Look::pedestrian, {1, .84F, .28F, 1}, {.88F, .68F, .05F, 1}},
    {Look::wheelchair, {.98F, .72F, .42F, 1}, {.88F, .56F, .20F, 1}},
    {Look::animal, {.52F, .82F, .38F, 1}, {.36F, .66F, .22F, 1}},
    {Look::stationary, {.50F, .52F, .55F, .55F}, {.78F, .78F, .80F, .5F}},
    {Look::lane_driving, {.25F, .26F, .28F, 1}, {.44F, .45F, .47F, 1}},
    {Look::lane_intersection, {.28F, .29F, .31F, 1}, {.47F, .48F, .50F, 1}},
    {Look::lane_non_driving, {.30F, .29F, .27F, 1}, {.58F, .56F, .53F, 1}},
    {Look::lane_biking, {.34F, .23F, .21F, 1}, {.60F, .43F, .39F, 1}},
    {Look::lane_sidewalk, {.34F, .34F, .34F, 1}, {.62F, .62F, .61F, 1}},
    {Look::lane_parking, {.27F, .28F, .33F, 1}, {.50F, .52F, .57F, 1}},
    {Look::lane_shoulder, {.24F, .25F, .25F, 1}, {.53F, .54F, .54F, 1}},
    {Look::lane_other, {.26F, .29F, .31F, 1}, {.48F, .51F, .53F, 1}},
    {Look::lane_host, {.33F, .28F, .22F, 1}, {.54F, .49F, .40F, 1}},
    {Look::logical_lane, {.42F, .48F, .80F, .28F}, {.25F, .28F, .55F, .24F}},
    {Look::logical_lane_boundary, {.86F, .30F, .34F, .8F}, {.70F, .10F, .14F, .7F}},
    {Look::reference_line, {.30F, .82F, .40F, .9F}, {.10F, .62F, .22F, .9F}},
    {Look::centerline, {.85F, .85F, .80F, .22F}, {1, 1, 1, .28F}},
    {Look::boundary_none, {.75F, .75F, .75F, .14F}, {.30F, .30F, .30F, .14F}},
    {Look::boundary_white, {.96F, .96F, .96F, 1}, {1, 1, 1, 1}},
    {Look::boundary_yellow, {.98F, .82F, .20F, 1}, {1, .81F, .12F, 1}},
    {Look::boundary_red, {.92F, .28F, .26F, 1}, {.85F, .16F, .15F, 1}},
    {Look::boundary_blue, {.36F, .58F, .98F, 1}, {.16F, .40F, .90F, 1}},
    {Look::boundary_green, {.36F, .80F, .42F, 1}, {.14F, .62F, .24F, 1}},
    {Look::boundary_violet, {.90F, .55F, .90F, 1}, {.74F, .32F, .76F, 1}},
    {Look::boundary_orange, {1, .58F, .16F, 1}, {.95F, .50F, .05F, 1}},
    {Look::boundary_black, {.03F, .03F, .03F, 1}, {.08F, .08F, .08F, 1}},
    {Look::boundary_grey, {.62F, .63F, .65F, 1}, {.48F, .49F, .51F, 1}},
    {Look::boundary_other, {.70F, .74F, .80F, 1}, {.42F, .46F, .52F, 1}},
    {Look::boundary_road_edge, {.55F, .50F, .44F, 1}, {.52F, .46F, .40F, 1}},
    {Look::boundary_snow_edge, {.80F, .86F, .90F, 1}, {.92F, .96F, 1, 1}},
    {Look::boundary_grass_edge, {.36F, .50F, .26F, 1}, {.34F, .50F, .22F, 1}},
    {Look::boundary_gravel_edge, {.56F, .54F, .50F, 1}, {.56F, .53F, .48F, 1}},
    {Look::boundary_soil_edge, {.50F, .38F, .26F, 1}, {.50F, .36F, .22F, 1}},
    {Look::sign, {.96F, .96F, .94F, 1}, {.98F, .98F, .96F, 1}},
    {Look::sign_red, {.80F, .10F, .12F, 1}, {.78F, .08F, .10F, 1}},
    {Look::sign_blue, {.10F, .32F, .72F, 1}, {.08F, .30F, .70F, 1}},
    {Look::sign_yellow, {.98F, .80F, .10F, 1}, {.98F, .78F, .05F, 1}},
    {Look::sign_black, {.05F, .05F, .06F, 1}, {.05F, .05F, .06F, 1}},
    {Look::sign_grey, {.55F, .55F, .55F, 1}, {.55F, .55F, .55F, 1}},
    {Look::sign_back, {.42F, .43F, .45F, 1}, {.50F, .51F, .53F, 1}},
    {Look::marking, {.90F, .90F, .90F, .9F}, {1, 1, 1, .95F}},
    {Look::light_housing, {.16F, .17F, .19F, 1}, {.20F, .21F, .23F, 1}},
    {Look::light_red, {1, .18F, .16F, 1}, {.95F, .10F, .08F, 1}},
    {Look::light_yellow, {1, .80F, .10F, 1}, {1, .76F, 0, 1}},
    {Look::light_green, {.16F, .92F, .40F, 1}, {.05F, .78F, .28F, 1}},
    {Look::light_blue, {.30F, .55F, 1, 1}, {.15F, .40F, .95F, 1}},
    {Look::light_white, {1, 1, 1, 1}, {1, 1, 1, 1}},
    {Look::light_off, {.32F, .32F, .34F, 1}, {.36F, .36F, .38F, 1}},
    {Look::brake_off, {.36F, .06F, .06F, 1}, {.36F, .06F, .06F, 1}},
    {Look::brake_on, {.95F, .10F, .08F, 1}, {.90F, .06F, .05F, 1}},
    {Look::brake_strong, {1, .22F, .30F, 1}, {1, .10F, .20F, 1}},
    {Look::indicator_off, {.46F, .36F, .06F, 1}, {.46F, .36F, .06F, 1}},
    {Look::indicator_on, {1, .78F, .05F, 1}, {1, .74F, 0, 1}},
    {Look::velocity, {.62F, .94F, .50F, 1}, {.20F, .56F, .12F, 1}},
    {Look::detected, {.98F, .45F, .95F, 1}, {.75F, .10F, .72F, 1}},
    {Look::field_of_view, {1, .88F, .35F, .16F}, {.80F, .60F, 0, .22F}},
    {Look::palette_red, {.84F, .26F, .24F, .6F}, {.80F, .20F, .18F, .6F}},
    {Look::palette_yellow, {.92F, .80F, .28F, .6F}, {.90F, .74F, .10F, .6F}},
    {Look::palette_green, {.36F, .68F, .36F, .6F}, {.24F, .58F, .26F, .6F}},
    {Look::palette_blue, {.34F, .50F, .84F, .6F}, {.22F, .40F, .78F, .6F}},
    {Look::palette_violet, {.66F, .42F, .80F, .6F}, {.58F, .30F, .74F, .6F}},
    {Look::palette_orange, {.94F, .58F, .24F, .6F}, {.92F, .50F, .12F, .6F}},
    {Look::palette_black, {.05F, .05F, .06F, .7F}, {.10F, .10F, .11F, .6F}},
    {Look::palette_grey, {.55F, .57F, .60F, .55F}, {.78F, .78F, .80F, .5F}},
    {Look::trajectory, {.45F, .86F, .80F, .9F}, {.05F, .52F, .48F, .9F}},
    {Look::ultrasonic, {.80F, .62F, .96F, .8F}, {.52F, .26F, .74F, .8F}},
    {Look::palette_white, {.92F, .92F, .92F, .6F}, {.98F, .98F, .98F, .7F}},
};

static_assert(std::size(palette) == look_count);

struct CategoryRow {
    Category category;
    Look look;
};

constexpr CategoryRow category_looks[] = {
    {Category::host, Look::host},
    {Category::moving_object, Look::car},
    {Category::stationary_object, Look::palette_grey},
    {Category::lane, Look::lane_driving},
    {Category::lane_boundary, Look::boundary_white},
    {Category::logical_lane, Look::logical_lane},
    {Category::logical_lane_boundary, Look::logical_lane_boundary},
    {Category::reference_line, Look::reference_line},
    {Category::traffic_sign, Look::sign},
    {Category::traffic_light, Look::light_green},
    {Category::road_marking, Look::marking},
    {Category::detected_moving_object, Look::detected},
    {Category::detected_stationary_object, Look::detected},
    {Category::detected_lane, Look::detected},
    {Category::detected_lane_boundary, Look::detected},
    {Category::detected_traffic_sign, Look::detected},
    {Category::detected_traffic_light, Look::detected},
    {Category::detected_road_marking, Look::detected},
    {Category::lidar_reflection, Look::other},
    {Category::lidar_detection, Look::bicycle},
    {Category::radar_detection, Look::motorbike},
    {Category::ultrasonic_detection, Look::bus},
    {Category::camera_detection, Look::animal},
    {Category::field_of_view, Look::field_of_view},
    {Category::radar_reflection, Look::motorbike},
    {Category::trajectory, Look::trajectory},
    {Category::logical_detection, Look::train},
};
static_assert(std::size(category_looks) == category_count);

}  // namespace

Colour background_of(Theme theme) noexcept
{
    return theme == Theme::dark ? Colour{0.09F, 0.10F, 0.12F, 1} : Colour{0.69F, 0.73F, 0.68F, 1};
}

Colour grid_of(Theme theme) noexcept { return theme == Theme::dark ? Colour{1, 1, 1, .11F} : Colour{0, 0, 0, .13F}; }

Colour highlight_of(Theme theme) noexcept
{
    return theme == Theme::dark ? Colour{1, .95F, .30F, 1} : Colour{1, .86F, 0, 1};
}

Colour colour_of(Look look, Theme theme) noexcept
{
    static const auto by_look = [] {
        std::array<const PaletteRow*, look_count> rows{};
        for (const auto& row : palette) rows[static_cast<std::size_t>(row.look)] = &row;
        return rows;
    }();
    const auto& row = *by_look[static_cast<std::size_t>(look)];
    return theme == Theme::dark ? row.dark : row.light;
}

Colour colour_of(Category category, Theme theme) noexcept
{
    return colour_of(category_looks[static_cast<std::size_t>(category)].look, theme);
}

Colour turbo(float value) noexcept
{
    if (!std::isfinite(value)) return {.5F, .5F, .5F, 1};
    const float x = std::clamp(value, 0.F, 1.F);
    // A. Mikhailov, "Turbo, An Improved Rainbow Colormap": the polynomial of degree 5.
    const float r =
        .13572138F +
        x * (4.61539260F + x * (-42.66032258F + x * (132.13108234F + x * (-152.94239396F + x * 59.28637943F))));
    const float g =
        .09140261F + x * (2.19418839F + x * (4.84296658F + x * (-14.18503333F + x * (4.27729857F + x * 2.82956604F))));
    const float b =
        .10667330F +
        x * (12.64194608F + x * (-60.58204836F + x * (110.36276771F + x * (-89.90310912F + x * 27.34824973F))));
    return {std::clamp(r, 0.F, 1.F), std::clamp(g, 0.F, 1.F), std::clamp(b, 0.F, 1.F), 1};
}

std::array<std::uint8_t, 4> bytes_of(const Colour& colour) noexcept
{
    std::array<std::uint8_t, 4> bytes{};
    for (std::size_t i = 0; i < 4; ++i)
        bytes[i] = static_cast<std::uint8_t>(std::lround(std::clamp(colour[i], 0.F, 1.F) * 255));
    return bytes;
}

bool is_lamp(Look look) noexcept
{
    return (look >= Look::light_red && look <= Look::light_off) ||
           (look >= Look::brake_off && look <= Look::indicator_on);
}

bool shines(Look look) noexcept
{
    return (look >= Look::light_red && look <= Look::light_white) || look == Look::brake_on ||
           look == Look::brake_strong || look == Look::indicator_on;
}

}  // namespace ositrace
