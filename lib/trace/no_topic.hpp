// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

namespace ositrace {

/// Throws Error (usage) with the topics that there are.
[[noreturn]] inline void throw_no_topic(const TraceInfo& info, const TopicPattern& wanted)
{
    std::string known;
    for (const auto& channel : info.channels)
        known.append(known.empty() ? "'" : ", '").append(channel.topic).append("'");
    throw Error(Cause::usage, {.file = info.file},
                "no topic has a match of '" + wanted.text() + "' (topics: " + known + ")");
}

/// Throws that where no channel has a match. Without a pattern all have.
inline void check_topic(const TraceInfo& info, const std::optional<TopicPattern>& wanted)
{
    const auto has_match = [&](const Channel& channel) { return wanted->matches(channel.topic); };
    if (wanted && std::ranges::none_of(info.channels, has_match)) throw_no_topic(info, *wanted);
}

}  // namespace ositrace
