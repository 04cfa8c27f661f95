// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include <QByteArray>

#include <ositrace/timeline.hpp>

#include "gui/plot/plot_data.hpp"

namespace ositrace::gui {

/// The values of curves as comma-separated text: a column of the session time in seconds and one per curve, a row per
/// time at which one of them has a sample, from `section.from` to `section.to`. A curve without a sample at this time,
/// and one in a gap, has an empty field. Passes it on piece by piece; false from `write` ends it, as a stop does.
/// Any thread.
void write_csv(const std::vector<PlotLine>& lines, const TimeSection& section,
               const std::function<bool(const QByteArray&)>& write, const std::stop_token& stop = {});

}  // namespace ositrace::gui
