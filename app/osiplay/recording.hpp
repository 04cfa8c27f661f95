// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string>

#include "app/osiplay/sink_kinds.hpp"

namespace ositrace::app {

/// `record:FILE?inputs`
struct RecordWord {
    std::filesystem::path file;
    bool with_inputs = false;
};
[[nodiscard]] RecordWord parse_record(const std::string& rest);

/// A recording; says at the end what it had no place for, and which channels will be read in another order.
[[nodiscard]] MadeSink make_recording(const SinkRequest& request, const SinkSurroundings& around);

}  // namespace ositrace::app
