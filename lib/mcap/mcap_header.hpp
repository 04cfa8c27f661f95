// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "lib/io/windowed_input.hpp"

namespace ositrace {

/// What begins a file.
struct McapHeader {
    std::string profile, library;
};

/// Takes the magic and the Header from the start of the input. nullopt: a stop was requested, and nothing was taken.
/// Throws Error (malformed, truncated, unsupported) with the offset.
[[nodiscard]] std::optional<McapHeader> read_mcap_header(WindowedInput& input, const std::stop_token& stop);

}  // namespace ositrace
