// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/output_check.hpp"

#include <array>
#include <optional>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/recognize.hpp>

namespace ositrace::fmu {

namespace {

/// The type that the bytes have instead, if it is recognised.
std::optional<Recognition> recognized(Bytes message, const Schema& schema)
{
    try {
        return recognize(std::array{message}, schema);
    } catch (const Error&) {
        return std::nullopt;
    }
}

[[noreturn]] void fail(Bytes message, const Channel& channel, const std::string& variable, const std::string& why)
{
    const auto expected = std::string(row_of(*channel.type).name);
    auto text = "returned " + std::to_string(message.size()) + " bytes in " + variable + " that are not " + expected;
    const auto found = recognized(message, *channel.schema);
    if (found && found->format.encoding != channel.format.encoding)
        text += " in " + std::string(row_of(channel.format.encoding).name) + " but " +
                std::string(row_of(found->type).name) + " in " + std::string(row_of(found->format.encoding).name);
    else if (found && found->type != channel.type)
        text += " but " + std::string(row_of(found->type).name);
    else if (!why.empty())
        text += ": " + why;
    throw Error(Cause::mismatch, text);
}

}  // namespace

void check_output(Bytes message, const Channel& channel, const std::string& variable)
{
    if (!plausible_start(message, *channel.root, channel.format)) fail(message, channel, variable, {});
    try {
        static_cast<void>(
            recognize(std::array{message}, *channel.schema,
                      {.type = channel.type, .encoding = channel.format.encoding, .layout = channel.format.layout}));
        static_cast<void>(MessageView(message, *channel.root, channel.format).unknown_fields());  // walks the top level
    } catch (const Error& e) {
        fail(message, channel, variable, e.reason());
    }
}

}  // namespace ositrace::fmu
