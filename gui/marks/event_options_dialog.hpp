// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <ositrace/traffic_table.hpp>

class QWidget;

namespace ositrace::gui {

/// Asks for the options of the table `events`, a field for each of its rows; empty: the user cancelled.
[[nodiscard]] std::optional<TrafficOptions> ask_for_event_options(const TrafficOptions& now, QWidget* parent);

}  // namespace ositrace::gui
