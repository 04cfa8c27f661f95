// SPDX-License-Identifier: MPL-2.0
// Lossless or loud: what of an input is not in the output ends the program with 3, whatever the verb.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <ositrace/convert.hpp>

#include "app/terminal/about_output.hpp"
#include "app/terminal/json.hpp"
#include "app/terminal/messages.hpp"

namespace ositrace::app {

struct Loss {
    std::uint64_t skipped_frames = 0, skipped_bytes = 0;  ///< damaged places passed over
    std::vector<std::string> left_out_topics;             ///< channels for which the output has no place

    /// Counts a place and tells it; of very many, those behind the first to who asked for details.
    void add(const SkippedBytes& skipped, Messages& messages);
    /// In words; empty when everything is there.
    [[nodiscard]] std::string text(const ConvertResult& result) const;
};

/// Says on standard error what is not in the output; true: something is not. Times alone that it does not keep are
/// told, too, and messages that are not what they are said to be.
bool tell_left_out(const std::filesystem::path& output, const Loss& loss, const ConvertResult& result,
                   Messages& messages);
/// The same for scripts: members of the object of a file.
void add_left_out(JsonWriter& json, const ConvertResult& result);

/// The zero times that records state, each once.
[[nodiscard]] std::set<std::string> zero_times_of(const std::vector<MetadataRecord>& metadata);
/// Warns where they are several: times of the inputs then do not mean the same. `advice` says what can be done.
void tell_zero_times(const std::set<std::string>& times, const std::string& advice, Messages& messages);

}  // namespace ositrace::app
