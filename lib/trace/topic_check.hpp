// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

namespace ositrace {

/// Throws Error (usage) that lists the topics.
[[noreturn]] inline void throw_no_match(const TraceInfo& info, const TopicPattern& wanted)
{
    std::string known;
    for (const auto& channel : info.channels)
        known.append(known.empty() ? "'" : ", '").append(channel.topic).append("'");
    throw Error(Cause::mismatch, {.file = info.file},
                "no topic matches '" + wanted.text() + "' (topics: " + known + ")");
}

/// Throws Error (usage) where no channel matches. Without a pattern all match.
inline void check_topic(const TraceInfo& info, const std::optional<TopicPattern>& wanted)
{
    const auto has_match = [&](const Channel& channel) { return wanted->matches(channel.topic); };
    if (wanted && std::ranges::none_of(info.channels, has_match)) throw_no_match(info, *wanted);
}

}  // namespace ositrace
