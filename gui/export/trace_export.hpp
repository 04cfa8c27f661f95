// SPDX-License-Identifier: MPL-2.0
// Parts of an open trace as files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include <QString>

#include <ositrace/trace.hpp>
#include <ositrace/trace_selection.hpp>

#include "gui/session/snapshot.hpp"

namespace ositrace::gui {

/// A fraction from 0 to 1; below 0: unknown.
using OnFraction = std::function<void(double)>;

/// Writes the frames of a trace, or of one of its channels, within `span` (OSI times of the trace; empty: all), as
/// `osiconvert cut` does: the static data of earlier frames is copied into the first one, and the extension of the name
/// selects container, encoding and compression. Replaces an existing file, but not one of `inputs`. Returns a summary.
/// Throws Error; a stop throws Error (cancelled). On an error nothing remains.
QString export_section(const Trace& trace, std::optional<std::uint32_t> channel, const std::optional<TimeSpan>& span,
                       const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs,
                       const std::stop_token& stop, const OnFraction& on_progress);

/// Writes a message as one line of JSON, as `osiconvert cat` prints it. Replaces an existing file. Returns a summary.
/// Throws Error.
QString export_json(const ShownFrame& shown, const std::filesystem::path& output);

}  // namespace ositrace::gui
