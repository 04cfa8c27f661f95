// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <utility>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/recognize.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// A channel of recognised messages; its topic is the name of their type. Inline, as ositrace_net and ositrace_fmu,
/// libraries of their own, use it, too.
inline Channel recognized_channel(const Recognition& recognized, std::shared_ptr<const Schema> schema)
{
    const auto& row = row_of(recognized.type);
    Channel channel;
    channel.type = recognized.type;
    channel.format = recognized.format;
    channel.root = &schema->root(recognized.type);
    channel.type_name = row.full_name;
    channel.topic = row.name;
    channel.schema = std::move(schema);
    return channel;
}

/// The channel of a file whose frames all have one type, recognised by its first payloads, its name and the options.
/// Throws Error naming the file.
[[nodiscard]] Channel recognize_channel(const std::filesystem::path& file, std::span<const Bytes> first_payloads,
                                        const OpenOptions& options);

}  // namespace ositrace
