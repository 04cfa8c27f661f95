// SPDX-License-Identifier: MPL-2.0
#include <ositrace/traffic_table.hpp>

#include <algorithm>
#include <array>

#include "lib/traffic/tables.hpp"

namespace ositrace {

namespace {

constexpr std::array table_rows{
    &traffic::interactions_table, &traffic::encounters_table,      &traffic::events_table, &traffic::quality_table,
    &traffic::matches_table,      &traffic::matches_summary_table, &traffic::find_table};

}  // namespace

std::span<const TrafficTableRow* const> traffic_tables() noexcept { return table_rows; }

const TrafficTableRow* find_traffic_table(std::string_view name) noexcept
{
    const auto found = std::ranges::find(table_rows, name, [](const auto* row) { return row->name; });
    return found == table_rows.end() ? nullptr : *found;
}

}  // namespace ositrace
