// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>

#include <ositrace/edit_cut.hpp>
#include <ositrace/trace.hpp>

#include "app/terminal/common_options.hpp"

namespace ositrace::app {

/// The part of a trace that --time, --frames and --topic mean.
[[nodiscard]] CutOptions cut_options(const SelectionOptions& selection);

/// Opens a file and takes a part of it; through an index where it is MCAP, and where the part is counted from the end
/// or what is in front of it is passed over. Warns of damage behind the part. Throws Error (usage) for a range from the
/// end of standard input.
[[nodiscard]] std::unique_ptr<FrameSource> selected_frames(const std::filesystem::path& file, const OpenOptions& open,
                                                           CutOptions options, Messages& messages);

}  // namespace ositrace::app
