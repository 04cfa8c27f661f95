// SPDX-License-Identifier: MPL-2.0
#include "gui/render/options.hpp"

namespace ositrace::gui {

/// Only the opacity of a lamp follows its channel: its colour says something.
Colour RenderOptions::colour(const ThingKey& key, Look look, float strength) const noexcept
{
    auto of_look = colour_of(look, theme);
    of_look[3] *= strength;
    if (styles.empty() && tints.empty()) return of_look;
    const auto styled_look = styled(key, of_look);
    if (is_lamp(look)) return {of_look[0], of_look[1], of_look[2], styled_look[3]};
    const auto tint = std::ranges::lower_bound(tints, key, {}, &ThingTint::key);
    if (tint == tints.end() || tint->key != key) return styled_look;
    const auto paint = colour_of(tint->look, theme);
    return {paint[0], paint[1], paint[2], styled_look[3]};
}

Colour RenderOptions::plain_colour(const ThingKey& key) const noexcept
{
    return styled(key, colour_of(key.category, theme));
}

Colour RenderOptions::styled(const ThingKey& key, Colour colour) const noexcept
{
    const auto style = std::ranges::find(styles, key.source, &SourceStyle::source);
    if (style == styles.end()) return colour;
    if (style->colour) std::ranges::copy(*style->colour, colour.begin());
    colour[3] *= std::clamp(style->opacity, 0.F, 1.F);
    return colour;
}

}  // namespace ositrace::gui
