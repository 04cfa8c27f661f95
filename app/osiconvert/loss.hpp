// SPDX-License-Identifier: MPL-2.0
// Lossless or loud: what of an input is not in the output ends the program with 3, whatever the verb.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <ositrace/convert.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/terminal/messages.hpp"

namespace ositrace::app {

struct Loss {
    std::uint64_t skipped_frames = 0, skipped_bytes = 0;  ///< damaged places passed over
    std::vector<std::string> left_out_topics;  ///< channels for which the output has no place

    /// In words; empty when everything is there.
    [[nodiscard]] std::string text(const ConvertResult& result) const;
};

/// Warns of channels whose OSI version the data do not state.
void tell_assumed_versions(const TraceWriter& out, const std::filesystem::path& file, Messages& messages);

}  // namespace ositrace::app
