// SPDX-License-Identifier: MPL-2.0
#include "gui/render/colours.hpp"

namespace ositrace::gui {

Colour background_of(Theme theme) noexcept
{
    return theme == Theme::dark ? Colour{0.11F, 0.12F, 0.14F, 1} : Colour{0.96F, 0.96F, 0.95F, 1};
}

}  // namespace ositrace::gui
