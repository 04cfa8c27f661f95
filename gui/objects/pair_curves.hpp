// SPDX-License-Identifier: MPL-2.0
// Two objects over time, for a plot.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/picture.hpp>

#include "gui/plot/plot_reader.hpp"

namespace ositrace::gui {

/// Gap and time to collision of two objects by their ids, as CurveExpressions.
using PairExpressions = std::array<std::string, 2>;
/// Empty if the objects are of different channels, or have no ids.
[[nodiscard]] std::optional<PairExpressions> pair_expressions(const Thing& thing, const Thing& other);
/// What is read of them; each curve names its least value. Empty: no message contains both objects.
[[nodiscard]] std::vector<PlotLine> pair_lines(const PlotUpdate& update, Nanoseconds shift);

}  // namespace ositrace::gui
