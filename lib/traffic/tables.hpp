// SPDX-License-Identifier: MPL-2.0
// The tables; each is defined in a file of its name. A new one is a declaration here and a row in traffic_tables.cpp.
#pragma once

#include <ositrace/traffic_table.hpp>

namespace ositrace::traffic {

extern const TrafficTableRow encounters_table;
extern const TrafficTableRow events_table;
extern const TrafficTableRow find_table;
extern const TrafficTableRow interactions_table;
extern const TrafficTableRow matches_summary_table;
extern const TrafficTableRow matches_table;
extern const TrafficTableRow quality_table;

}  // namespace ositrace::traffic
