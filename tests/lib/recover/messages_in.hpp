// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <ositrace/trace.hpp>

/// The payloads of a file, in its order.
inline std::vector<std::string> messages_in(const std::filesystem::path& file)
{
    std::vector<std::string> messages;
    const auto source = ositrace::open_stream(file);
    for (ositrace::Frame frame; source->read(frame);) messages.emplace_back(ositrace::text_of(frame.bytes));
    return messages;
}
