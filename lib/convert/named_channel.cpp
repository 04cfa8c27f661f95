// SPDX-License-Identifier: MPL-2.0
#include "lib/convert/named_channel.hpp"

#include <optional>

#include <ositrace/trace_name.hpp>

#include "lib/mcap/osi_names.hpp"
#include "lib/trace/ground_truths.hpp"

namespace ositrace {

namespace {

std::string stem_of(const std::string& file_name)
{
    const auto extension = trace_extension(file_name);
    return extension ? file_name.substr(0, file_name.size() - extension->text.size())
                     : std::filesystem::path(file_name).stem().string();
}

}  // namespace

std::string topic_from_name(const std::filesystem::path& file, const Channel& channel)
{
    const auto file_name = file.filename().string();
    const auto name = parse_trace_name(file_name);
    auto topic = name ? name->custom : stem_of(file_name);
    return topic.empty() ? channel.topic : topic;
}

void add_versions_from_name(Channel& channel, const std::filesystem::path& file, Bytes first_payload)
{
    const auto name = parse_trace_name(file.filename().string());
    if (!name || !channel.type) return;
    const auto osi = osi_version_from_digits(name->osi_version);
    if (osi && !claimed_osi_version(first_payload, channel))
        channel.metadata.emplace(mcap::osi::channel_osi_version_key, osi->to_string());
    const auto protobuf = protobuf_version_from_digits(name->protobuf_version);
    if (protobuf && channel.format.encoding == Encoding::protobuf)
        channel.metadata.emplace(mcap::osi::channel_protobuf_version_key, *protobuf);
}

}  // namespace ositrace
