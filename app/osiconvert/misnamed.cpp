// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/misnamed.hpp"

#include <algorithm>

#include <ositrace/trace_name.hpp>

namespace ositrace::app {

void tell_misnamed(const TraceInfo& info, Messages& messages)
{
    const auto file_name = info.file.filename().string();
    const auto name = parse_trace_name(file_name);
    if (!name || !name->type) return;
    const auto is_named = [&](const Channel& channel) { return channel.type == name->type; };
    const auto found =
        std::ranges::find_if(info.channels, [](const Channel& channel) { return channel.type.has_value(); });
    if (found == info.channels.end() || std::ranges::any_of(info.channels, is_named)) return;
    messages.warning(info.file.string() + ": the name says " + std::string(row_of(*name->type).name) +
                     ", the messages are " + std::string(row_of(*found->type).name) +
                     " ('osiconvert rename' names a file by its content)");
}

}  // namespace ositrace::app
