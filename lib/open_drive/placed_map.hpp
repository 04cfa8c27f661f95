// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <ositrace/trace_map.hpp>

#include "lib/open_drive/first_truth.hpp"

namespace ositrace {

/// Reads a document and places it where this ground truth is. Throws Error (malformed, limit) naming the document.
[[nodiscard]] std::shared_ptr<const TraceMap> placed_map(MapDocument document, const FirstTruth& truth,
                                                         std::size_t max_bytes,
                                                         double max_deviation = default_map_deviation);

/// `channel '/ground_truth_map'`, `attachment 'town.xodr'`
[[nodiscard]] std::string place_in_trace(const MapDocument& document);

/// Is this the name of a map?
[[nodiscard]] bool has_map_name(std::string_view name);
/// The document in a file beside a trace, by map_reference or by the name of the trace; empty where there is none.
/// Throws Error (io, limit) naming the document.
[[nodiscard]] std::optional<MapDocument> map_document_beside(const std::filesystem::path& trace, const MapFrame& frame,
                                                             std::size_t max_bytes);

}  // namespace ositrace
