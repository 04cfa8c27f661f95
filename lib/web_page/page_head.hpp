// SPDX-License-Identifier: MPL-2.0
// What the data of a page begins with.
#pragma once

#include <set>

#include <ositrace/picture.hpp>
#include <ositrace/web_page.hpp>

#include "lib/web_page/page_data.hpp"

namespace ositrace::web_page {

/// Names, the origin of all places, and how things are drawn: the same as in the window of osiview. `shapes`: those of
/// bodies that the page may show.
void write_head(PageData& to, const PageFacts& facts, const GlobalPoint& origin, const std::set<BodyShape>& shapes);

}  // namespace ositrace::web_page
