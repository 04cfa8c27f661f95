// SPDX-License-Identifier: MPL-2.0
// Inline, as ositrace_net, a library of its own, uses it, too.
#pragma once

#include <memory>
#include <utility>

#include <ositrace/frame.hpp>
#include <ositrace/recognize.hpp>

namespace ositrace {

/// A channel of recognised messages; its topic is the name of their type.
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

}  // namespace ositrace
