// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <span>
#include <string_view>

#include "app/bench/core/report.hpp"
#include "app/terminal/xml.hpp"

namespace ositrace::bench {

/// A round as an <svg>: a line per variant, with its samples as points, a box from quartile to quartile, a bar at the
/// median and whiskers to the minimum and the maximum, on one time axis from 0. Colours come from the page's style
/// sheet by class: the roles' names.
enum class Points : bool { none, samples };
void put_box_plot(app::XmlWriter& xml, const RoundResult& round, Points points);

/// Bars as an <svg> that can be read at a width of 400 pixels: each below its name and value.
void put_bars(app::XmlWriter& xml, std::span<const Bar> bars, std::string_view name);

/// A chart as an <svg>: a line per series over a logarithmic axis, values from 0. Ours, the naive way and the limit are
/// named at their ends, the others by their <title>.
void put_lines(app::XmlWriter& xml, const Chart& chart);

}  // namespace ositrace::bench
