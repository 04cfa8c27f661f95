// SPDX-License-Identifier: MPL-2.0
#include "lib/web_page/page_layers.hpp"

#include <array>
#include <string>

#include <ositrace/web_page.hpp>

namespace ositrace::web_page {

PageData packed(const Layer& layer, const Pose& origin)
{
    PageData data;
    data.number(layer.things.size());
    Steps sources, categories, looks;
    std::array<Steps, 3> centres;
    for (const auto& thing : layer.things) {
        sources.push_back(thing.key.source);
        categories.push_back(static_cast<std::int64_t>(thing.key.category));
        looks.push_back(static_cast<std::int64_t>(thing.look));
        for (std::size_t k = 0; k < 3; ++k)
            centres[k].push_back(steps_of(static_cast<double>(thing.centre[k]) + origin.centre[k], page_metres));
    }
    for (const auto* const column : {&sources, &categories, &looks}) data.block(*column, Order::similar);
    for (const auto& column : centres) data.block(column, Order::similar);
    for (const auto& thing : layer.things) {
        data.text(thing.has_id ? std::to_string(thing.key.id) : std::string());
        data.text(thing.label);
    }
    const Pose page;
    Shapes shapes;
    const auto count = layer.things.size();
    for (const auto& box : layer.boxes)
        if (box.thing < count) shapes.add(box, box.thing, origin, page);
    for (const auto& line : layer.lines)
        if (line.thing < count) shapes.add(line, line.thing, points_of(layer, line.first, line.count), origin, page);
    for (const auto& strip : layer.strips)
        if (strip.thing < count)
            shapes.add(strip, strip.thing, points_of(layer, strip.first, strip.count), origin, page);
    shapes.write(data);
    return data;
}

}  // namespace ositrace::web_page
