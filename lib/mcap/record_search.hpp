// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <stop_token>

#include "lib/io/windowed_input.hpp"
#include "lib/mcap/mcap_channels.hpp"

namespace ositrace {

/// Moves the input to the next place where a record could begin, `from` bytes from here or further. False: there is
/// none, and the input is at its end, or a stop was requested.
[[nodiscard]] bool find_record(WindowedInput& input, std::size_t from, const McapChannels& channels,
                               const std::stop_token& stop);

}  // namespace ositrace
