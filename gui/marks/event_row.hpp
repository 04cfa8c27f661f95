// SPDX-License-Identifier: MPL-2.0
// The rows of the table `events`, as the viewer reads them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include <QString>

#include <ositrace/frame.hpp>
#include <ositrace/traffic_table.hpp>

#include "gui/text/value_text.hpp"

namespace ositrace::gui {

inline const TrafficTableRow& events_row() { return *find_traffic_table("events"); }

/// The value of a column; empty: null.
template <class T>
[[nodiscard]] std::optional<T> event_value(std::span<const TrafficCell> row, std::string_view column)
{
    const auto columns = events_row().columns;
    const auto place = std::ranges::find(columns, column, &TrafficColumn::name) - columns.begin();
    const auto* const value = std::get_if<T>(&row[static_cast<std::size_t>(place)]);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

/// `7 (Ego)`; empty: the row has no such object.
[[nodiscard]] inline QString who_of_event(std::span<const TrafficCell> row, std::string_view id, std::string_view name)
{
    const auto number = event_value<std::uint64_t>(row, id);
    if (!number) return {};
    const auto word = event_value<std::string_view>(row, name);
    return word ? QStringLiteral("%1 (%2)").arg(*number).arg(visible_text(*word, shown_characters))
                : QString::number(*number);
}

/// The times of the messages that were read.
class TimesRead {
public:
    /// In the order of the messages; a time that is not after those before is left out, as by the table.
    void add(std::optional<Nanoseconds> time)
    {
        if (time && (times_.empty() || *time > times_.back())) times_.push_back(*time);
    }
    /// Seconds since 1970 are exact to a microsecond: a message within it is the one that a row means.
    [[nodiscard]] Nanoseconds of(double seconds) const
    {
        constexpr Nanoseconds rounding = std::chrono::microseconds(1);
        constexpr double most = 9.2e18;
        const Nanoseconds time(static_cast<Nanoseconds::rep>(std::llround(std::clamp(seconds * 1e9, -most, most))));
        const auto near = std::ranges::lower_bound(times_, time - rounding);
        return near != times_.end() && *near <= time + rounding ? *near : time;
    }

private:
    std::vector<Nanoseconds> times_;  ///< ascending
};

}  // namespace ositrace::gui
