// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/stats.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/output.hpp"

namespace ositrace::app {

namespace {

void add_field(JsonWriter& json, const FieldCount& count, std::uint64_t frames)
{
    json.begin_object()
        .member("path", std::string_view(count.path))
        .member("repeated", count.field->repeated)
        .member("count", count.count)
        .member("bytes", count.bytes)
        .member("frames", count.messages)
        .key("per_frame")
        .begin_object()
        .member("min", count.least)
        .member("mean", static_cast<double>(count.count) / static_cast<double>(frames))
        .member("max", count.most)
        .end_object()
        .end_object();
}

void add_channel(JsonWriter& json, const ChannelStats& stats)
{
    const auto& [channel, census] = stats;
    json.begin_object()
        .member("topic", std::string_view(channel.topic))
        .member("type", std::string_view(channel.type_name))
        .member("encoding", row_of(channel.format.encoding).name)
        .member("frames", census.messages())
        .member("bytes", census.bytes())
        .member("unknown_fields", census.unknown().count)
        .key("fields")
        .begin_array();
    for (const auto& count : census.counts()) add_field(json, count, census.messages());
    json.end_array().end_object();
}

}  // namespace

void print_json(const std::vector<StatsReport>& reports)
{
    JsonWriter json(print);
    json.begin_object().member("format", std::uint64_t{1}).key("files").begin_array();
    for (const auto& report : reports) {
        json.begin_object().member("path", std::string_view(report.path));
        if (report.error)
            json.member("error", std::string_view(*report.error));
        else
            json.member("container", report.container.name);
        json.key("channels").begin_array();
        for (const auto& channel : report.channels) add_channel(json, channel);
        json.end_array().end_object();
    }
    json.end_array().end_object().print_end();
}

}  // namespace ositrace::app
