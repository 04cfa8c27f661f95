// SPDX-License-Identifier: MPL-2.0
// The layers of maps.
#pragma once

#include <ositrace/picture.hpp>

#include "lib/web_page/page_data.hpp"
#include "lib/web_page/page_shapes.hpp"

namespace ositrace::web_page {

/// A layer of the map: its things, then its shapes. `origin`: that of the picture relative to that of the page.
[[nodiscard]] PageData packed(const Layer& layer, const Pose& origin);

}  // namespace ositrace::web_page
