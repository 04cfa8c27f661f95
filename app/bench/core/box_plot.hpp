// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "app/bench/core/round.hpp"
#include "app/terminal/xml.hpp"

namespace ositrace::bench {

/// A round as an <svg>: a line per variant with all its samples as points, a box from quartile to quartile, a bar at
/// the median and whiskers to the minimum and the maximum, on one time axis from 0. Colours come from the page's style
/// sheet by class: the roles' names.
void put_box_plot(app::XmlWriter& xml, const RoundResult& round);

}  // namespace ositrace::bench
