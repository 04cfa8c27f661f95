// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <utility>

#include <ositrace/picture.hpp>

#include "gui/render/colours.hpp"

namespace ositrace::gui {

/// How a picture is drawn.
struct RenderOptions {
    Theme theme = Theme::dark;
    /// By Category. What is drawn over lanes and boundaries is asked for.
    std::bitset<category_count> hidden{std::uint64_t{1} << static_cast<unsigned>(Category::logical_lane) |
                                       std::uint64_t{1} << static_cast<unsigned>(Category::logical_lane_boundary)};
    std::string cloud_field;  ///< that clouds are coloured by; empty: the first that varies in the largest cloud
    std::optional<std::pair<float, float>> range;  ///< of that field; empty: from its values
    float point_size = 2;                          ///< pixels
    float pixel_ratio = 1;                         ///< device pixels per pixel of the screen: widths follow it
    std::optional<ThingKey> selected;
    bool grid = true;
    bool axes = true;  ///< of the frames that OSI measures in
    [[nodiscard]] bool shows(Category category) const noexcept
    {
        return !hidden.test(static_cast<std::size_t>(category));
    }
    friend bool operator==(const RenderOptions&, const RenderOptions&) = default;
};

/// What colours a picture's clouds: a field and its range, the same for all clouds that have the field.
struct CloudColouring {
    std::string field;
    std::string unit;
    float from = 0;
    float to = 1;
    friend bool operator==(const CloudColouring&, const CloudColouring&) = default;
};

/// Empty where no shown cloud has such a field. The range leaves out the outermost hundredths, where a miss hides (-200
/// dB).
[[nodiscard]] std::optional<CloudColouring> colouring_of(const Picture& picture, const RenderOptions& options);
/// Why clouds are not coloured by a field that somebody asks for: `no cloud has a field 'rcs' (there are: distance,
/// intensity)`. Empty where one has it, and where there is no cloud.
[[nodiscard]] std::string why_not_coloured(const Picture& picture, const std::string& field);
/// The values of the field; null where the cloud has none of that name.
[[nodiscard]] const CloudField* field_of(const Cloud& cloud, const std::optional<CloudColouring>& colouring) noexcept;

}  // namespace ositrace::gui
