// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <ositrace/frame.hpp>

/// What is not OSI in an MCAP file: speeds in JSON.
inline ositrace::Channel foreign_channel()
{
    ositrace::Channel channel;
    channel.topic = "speed";
    channel.type_name = "Speed";
    channel.message_encoding = "json";
    channel.schema_record =
        std::make_shared<const ositrace::SchemaRecord>(ositrace::SchemaRecord{"Speed", "jsonschema", {}});
    return channel;
}
