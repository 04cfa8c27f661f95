// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/picture.hpp>

#include <ositrace/palette.hpp>

namespace ositrace::gui {

/// How the things of a channel are drawn, if not as those of all others.
struct SourceStyle {
    std::uint32_t source = 0;
    std::optional<std::array<float, 3>> colour;  ///< red, green, blue; lamps keep theirs
    float opacity = 1;
    friend bool operator==(const SourceStyle&, const SourceStyle&) = default;
};

/// The colour of a thing instead of its own, such as the result of a comparison.
struct ThingTint {
    ThingKey key;
    Look look{};
    friend bool operator==(const ThingTint&, const ThingTint&) = default;
};

[[nodiscard]] inline std::bitset<category_count> hidden_at_first() noexcept
{
    std::bitset<category_count> hidden;
    for (std::size_t i = 0; i < category_count; ++i) hidden[i] = is_hidden_at_first(static_cast<Category>(i));
    return hidden;
}

/// How a picture is drawn.
struct RenderOptions {
    Theme theme = Theme::dark;
    std::bitset<category_count> hidden = hidden_at_first();  ///< by Category
    std::vector<std::uint32_t> hidden_sources;               ///< channels that this view does not show
    std::vector<Look> hidden_lane_types;                     ///< of lanes
    std::vector<SourceStyle> styles;                         ///< at most one of a source
    std::vector<ThingTint> tints;  ///< by key, one of a thing; they go before the style of a source
    std::string cloud_field;       ///< field that colours clouds; empty: the first that varies in the largest cloud
    std::optional<std::pair<float, float>> range;  ///< of that field; empty: determined from its values
    float point_size = 2;                          ///< pixels
    float pixel_ratio = 1;                         ///< device pixels per logical pixel: scales line widths
    std::optional<ThingKey> selected;
    bool grid = true;
    bool axes = false;        ///< of the coordinate frames of the host and of sensors, with their names
    bool directions = false;  ///< arrows in the driving direction of lanes
    [[nodiscard]] bool shows(Category category) const noexcept
    {
        return !hidden.test(static_cast<std::size_t>(category));
    }
    [[nodiscard]] bool shows_source(std::uint32_t source) const noexcept
    {
        return std::ranges::find(hidden_sources, source) == hidden_sources.end();
    }
    [[nodiscard]] bool shows(const ThingKey& key) const noexcept
    {
        return shows(key.category) && shows_source(key.source);
    }
    [[nodiscard]] bool shows_lane_type(Look type) const noexcept
    {
        return std::ranges::find(hidden_lane_types, type) == hidden_lane_types.end();
    }
    [[nodiscard]] bool shows(const Thing& thing) const noexcept
    {
        return shows(thing.key) && (thing.key.category != Category::lane || shows_lane_type(thing.look));
    }
    /// Whether the arrows of a shown thing are shown, too.
    [[nodiscard]] bool shows_arrows(Category category) const noexcept { return directions || !is_lane(category); }
    /// Of a part of a thing that looks like `look`.
    [[nodiscard]] Colour colour(const ThingKey& key, Look look, float strength) const noexcept;
    /// Of the points of a cloud without a field.
    [[nodiscard]] Colour plain_colour(const ThingKey& key) const noexcept;
    friend bool operator==(const RenderOptions&, const RenderOptions&) = default;

private:
    [[nodiscard]] Colour styled(const ThingKey& key, Colour colour) const noexcept;
};

/// The field that colours the clouds of a picture, and its range; the same for all clouds that have the field.
struct CloudColouring {
    std::string field;
    std::string unit;
    float from = 0;
    float to = 1;
    friend bool operator==(const CloudColouring&, const CloudColouring&) = default;
};

/// Empty if no visible cloud has such a field. The range excludes the lowest and highest percent, which may be outliers
/// (-200 dB).
[[nodiscard]] std::optional<CloudColouring> colouring_of(const Picture& picture, const RenderOptions& options);
/// Why clouds are not coloured by a requested field: `no cloud has a field 'rcs' (known: distance, intensity)`. Empty
/// if a cloud has it, or if there is no cloud.
[[nodiscard]] std::string why_not_coloured(const Picture& picture, const std::string& field);
/// The values of the field; null if the cloud does not have the field.
[[nodiscard]] const CloudField* field_of(const Cloud& cloud, const std::optional<CloudColouring>& colouring) noexcept;

}  // namespace ositrace::gui
