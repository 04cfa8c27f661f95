// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/about_output.hpp"

#include "app/terminal/quantity.hpp"

namespace ositrace::app {

bool tell_about(const TraceWriter& out, const std::filesystem::path& file, Messages& messages, bool order_counts)
{
    for (const auto& topic : out.assumed_versions())
        messages.warning(file.string() + ": the messages of '" + topic +
                         "' state no OSI version: the channel has that of the schema");
    for (const auto& each : out.replaced_versions())
        messages.warning(
            file.string() + ": the channel '" + each.topic + "' stated " + each.key + " = '" + each.stated +
            "', which is no major.minor.patch: " +
            (each.written.empty() ? "it is left out" : "it is " + each.written + " now, that of the data"));
    for (const auto& each : out.version_channels())
        messages.warning(file.string() + ": '" + each.of_topic + "' has messages of OSI " + each.of_version +
                         " and of " + each.version + ", and a channel is of one: the latter are the channel '" +
                         each.topic + "'");
    if (const auto messages_without = out.untimed_messages(); messages_without != 0)
        messages.warning(file.string() + ": " + count_text(messages_without, "message") +
                         (messages_without == 1 ? " has" : " have") + " no timestamp and stand" +
                         (messages_without == 1 ? "s" : "") + " with the message in front, the first at 0 s");
    const auto other_order = out.backward_times();
    for (const auto& topic : other_order) {
        const auto line =
            file.string() + ": the times of '" + topic +
            "' go backward, and an MCAP file is read in the order of its times: its frames will come in another order";
        order_counts ? messages.error(line) : messages.warning(line);
    }
    return order_counts && !other_order.empty();
}

}  // namespace ositrace::app
