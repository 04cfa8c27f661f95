// SPDX-License-Identifier: MPL-2.0
#include "lib/web_page/page_clouds.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <ositrace/web_page.hpp>

namespace ositrace::web_page {

namespace {

constexpr std::int64_t colour_levels = 255;

/// From 0, the smallest value, to 255.
std::int64_t level_of(const CloudField& field, std::size_t element)
{
    const float range = field.largest - field.smallest;
    if (element >= field.values.size() || !(range > 0)) return 0;
    const auto share = static_cast<double>((field.values[element] - field.smallest) / range);
    return std::clamp(steps_of(share, 1.0 / colour_levels), std::int64_t{0}, colour_levels);
}

}  // namespace

void Clouds::add(std::size_t frame, const Picture& picture, const Pose& origin)
{
    if (most_points_ == 0) {
        if (!picture.clouds.empty()) left_out_ = true;
        return;
    }
    for (const auto& cloud : picture.clouds)
        if (!cloud->points.empty()) add(frame, *cloud, origin);
}

void Clouds::write(PageData& to) const
{
    to.number(left_out_);
    to.number(count_);
    to.append(data_);
}

void Clouds::add(std::size_t frame, const Cloud& cloud, const Pose& origin)
{
    const auto all = cloud.points.size();
    const auto count = std::min(all, most_points_);
    const auto* const field = cloud.fields.empty() ? nullptr : &cloud.fields.front();
    std::array<Steps, 3> places;
    Steps levels;
    for (std::size_t i = 0; i < count; ++i) {
        const auto element = i * all / count;
        for (std::size_t k = 0; k < 3; ++k)
            places[k].push_back(
                steps_of(static_cast<double>(cloud.points[element][k]) + origin.centre[k], page_metres));
        if (field != nullptr) levels.push_back(level_of(*field, element));
    }
    ++count_;
    data_.number(frame);
    data_.number(cloud.key.source);
    data_.number(static_cast<std::uint64_t>(cloud.key.category));
    data_.text(cloud.name);
    data_.text(field != nullptr ? field->name : std::string());
    for (const auto& column : places) data_.block(column, Order::similar);
    data_.block(levels, Order::similar);
}

}  // namespace ositrace::web_page
