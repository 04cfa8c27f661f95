// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include <ositrace/trace_summary.hpp>

namespace ositrace::gui {

/// A line of the statistics of a channel.
struct Fact {
    QString name;
    QString value;
    QString tip;
    std::optional<Nanoseconds> time = {};  ///< of the trace: where a click leads
    bool is_odd = false;                   ///< what one looks at first: gaps, times that go backward
};

/// What is known of a channel, from a summary: count, times, rate, sizes, gaps, jitter.
[[nodiscard]] std::vector<Fact> facts_of(const ChannelSummary& channel);
/// Its gaps: a click leads to each.
[[nodiscard]] std::vector<Fact> gaps_of(const ChannelSummary& channel);

}  // namespace ositrace::gui
