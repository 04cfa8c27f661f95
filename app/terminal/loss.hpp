// SPDX-License-Identifier: MPL-2.0
// Lossless or loud: every verb reports what of its input is not in the output, and ends with exit code 3.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

#include "app/terminal/json.hpp"
#include "app/terminal/messages.hpp"

namespace ositrace::app {

struct Loss {
    std::uint64_t skipped_frames = 0, skipped_bytes = 0;  ///< at damaged places
    LostFrames lost_frames;                               ///< in them
    std::uint64_t kept_unproven = 0;                      ///< frames that no checksum confirms
    std::vector<std::string> left_out_topics;             ///< channels that the output format does not support

    /// Counts a damaged place and prints it; after the first few only with --verbose.
    void add(const SkippedBytes& skipped, Messages& messages);
    /// As text: `dropped: 1 channel (/camera)`; empty if nothing is lost.
    [[nodiscard]] std::string text(const ConvertResult& result) const;
};

/// Prints what is not in the output; returns whether there is a loss. Also warns of times that the output does not keep
/// and of messages of another type than their channel, which are no loss.
bool report_loss(const std::filesystem::path& output, const Loss& loss, const ConvertResult& result,
                 Messages& messages);
/// The same for scripts: members of the JSON object of a file.
void add_left_out(JsonWriter& json, const ConvertResult& result);

/// The zero times that records state, each once.
[[nodiscard]] std::set<std::string> zero_times_of(const std::vector<MetadataRecord>& metadata);
/// Warns if there are several: the times of the inputs then have different origins. `advice` follows the warning.
void report_zero_times(const std::set<std::string>& times, const std::string& advice, Messages& messages);

/// Warns of channels whose OSI version the data do not state or change, of messages without times, and of channels that
/// will be read in another order than they were written. Returns whether the order differs and `order_counts`: it does
/// for a recording, whose original order is in no other file.
bool report_output(const TraceWriter& out, const std::filesystem::path& file, Messages& messages,
                   bool order_counts = false);

/// For CutOptions: damage after the part is a warning, not an error. `messages` must outlive the result.
[[nodiscard]] std::function<void(const Error&)> warn_of_damage_after(Messages& messages);

}  // namespace ositrace::app
