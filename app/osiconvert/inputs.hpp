// SPDX-License-Identifier: MPL-2.0
// Opening inputs: the selected part of a trace, and warnings about its name.
#pragma once

#include <filesystem>
#include <memory>

#include <ositrace/edit/cut.hpp>
#include <ositrace/trace.hpp>

#include "app/terminal/common_options.hpp"
#include "app/terminal/messages.hpp"

namespace ositrace::app {

/// The part of a trace that --time, --frames and --topic select.
[[nodiscard]] CutOptions cut_options(const SelectionOptions& selection);

/// Opens a part of a file; with an index for MCAP files, for a range from the end, and to skip frames before the part.
/// Warns of damage after the part. Throws Error (usage) for a range from the end of standard input.
[[nodiscard]] std::unique_ptr<FrameSource> selected_frames(const std::filesystem::path& file, const OpenOptions& open,
                                                           CutOptions options, Messages& messages);

/// Is a trace damaged at a place, so that it cannot be opened? False where the file may be no trace at all.
[[nodiscard]] bool is_damage_of_trace(const Error& error);

/// Warns of a file whose name states another message type than its content. The content decides.
void warn_if_misnamed(const TraceInfo& info, Messages& messages);
/// Warns of a file whose name has digits that are not the Protobuf version of a release.
void warn_of_unread_version(const std::filesystem::path& file, Messages& messages);

}  // namespace ositrace::app
