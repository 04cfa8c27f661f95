// SPDX-License-Identifier: MPL-2.0
#include "lib/web_page/page_head.hpp"

#include <array>
#include <span>
#include <string>

#include <ositrace/body_meshes.hpp>
#include <ositrace/palette.hpp>
#include <ositrace/version.hpp>

namespace ositrace::web_page {

namespace {

void write_colour(PageData& to, const Colour& colour)
{
    for (const auto level : bytes_of(colour)) to.number(level);
}

void write_theme(PageData& to, Theme theme)
{
    write_colour(to, background_of(theme));
    write_colour(to, grid_of(theme));
    write_colour(to, highlight_of(theme));
    for (std::size_t i = 0; i < look_count; ++i) write_colour(to, colour_of(static_cast<Look>(i), theme));
    for (std::size_t i = 0; i < category_count; ++i) write_colour(to, colour_of(static_cast<Category>(i), theme));
}

/// What a category is drawn as: CategoryKind in lib/web_page/player/data.js.
void write_category(PageData& to, Category category)
{
    const bool is_host = category == Category::host;
    const bool has_body = is_host || category == Category::moving_object || category == Category::stationary_object;
    const bool is_over = is_road_user(category) || category == Category::trajectory;
    to.text(name_of(category));
    for (const bool each : {is_hidden_at_first(category), is_lane(category), has_face(category), has_body,
                            is_road_user(category), is_over, category == Category::field_of_view, is_host})
        to.number(each);
}

/// Vertices in thousandths: columns of place, offset, normal, paint, steers.
void write_body(PageData& to, std::span<const BodyVertex> body)
{
    constexpr double thousandth = 0.001;
    std::array<Steps, 11> columns;
    for (const auto& vertex : body) {
        std::size_t column = 0;
        for (const auto* const point : {&vertex.place, &vertex.offset, &vertex.normal})
            for (const float value : *point)
                columns[column++].push_back(steps_of(static_cast<double>(value), thousandth));
        columns[column++].push_back(static_cast<std::int64_t>(vertex.paint));
        columns[column].push_back(vertex.steers > 0);
    }
    for (const auto& column : columns) to.block(column, Order::similar);
}

void write_style(PageData& to, const std::set<BodyShape>& shapes)
{
    to.number(look_count);
    for (std::size_t i = 0; i < look_count; ++i) {
        const auto look = static_cast<Look>(i);
        to.text(name_of(look));
        to.number(is_lamp(look));
        to.number(shines(look));
    }
    to.number(static_cast<std::uint64_t>(Look::velocity));
    to.number(category_count);
    for (std::size_t i = 0; i < category_count; ++i) write_category(to, static_cast<Category>(i));
    write_theme(to, Theme::dark);
    write_theme(to, Theme::light);
    to.number(shapes.size());
    for (const auto shape : shapes) {
        const auto& [first, count] = body_meshes().ranges[static_cast<std::size_t>(shape)];
        to.number(static_cast<std::uint64_t>(shape));
        write_body(to, std::span(body_meshes().vertices).subspan(first, count));
    }
}

}  // namespace

void write_head(PageData& to, const PageFacts& facts, const GlobalPoint& origin, const std::set<BodyShape>& shapes)
{
    to.text(version());
    to.text(facts.title);
    to.number(facts.dark);
    to.number(facts.sources.size());
    for (const auto& source : facts.sources) to.text(source);
    for (const auto value : origin) to.text(std::to_string(value));
    write_style(to, shapes);
}

}  // namespace ositrace::web_page
