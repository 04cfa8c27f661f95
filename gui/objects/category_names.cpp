// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/category_names.hpp"

#include <array>

namespace ositrace::gui {

namespace {

/// In the order of the enum.
constexpr std::array<const char*, category_count> names{
    "host", "moving object", "stationary object",
    "lane", "lane boundary", "logical lane", "logical lane boundary", "reference line",
    "traffic sign", "traffic light", "road marking",
    "detected moving object", "detected stationary object", "detected lane", "detected lane boundary",
    "detected traffic sign", "detected traffic light", "detected road marking",
    "lidar reflection", "lidar detection", "radar detection", "ultrasonic detection", "camera detection",
    "field of view",
};

}  // namespace

QString name_of(Category category)
{
    const auto place = static_cast<std::size_t>(category);
    return place < names.size() ? QString::fromLatin1(names[place]) : QString();
}

bool is_road_user(Category category) noexcept
{
    return category == Category::host || category == Category::moving_object || category == Category::detected_moving_object;
}

}  // namespace ositrace::gui
