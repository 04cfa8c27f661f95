// SPDX-License-Identifier: MPL-2.0
// Descriptions of projections, compared by their parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <ositrace/trace_map.hpp>

namespace ositrace {

enum class ProjectionMatch : std::uint8_t {
    same,
    other,
    unknown,  ///< one of them is not known, or incomplete
};

/// Compares PROJ strings, EPSG codes (`EPSG:25832`, as URN, URL or `+init=`) and WKT that ends with its code or has a
/// known name. Known codes: 326xx, 327xx, 258xx, 4326, 3857. What a description leaves out has PROJ's default. WGS84
/// and GRS80 count as one ellipsoid, as they differ by 0.1 mm. Heights (`geoidgrids`, `vunits`) do not matter.
[[nodiscard]] ProjectionMatch compare_projections(std::string_view a, std::string_view b);

/// Is this a projection, and not the name of a map?
[[nodiscard]] bool is_projection(std::string_view text);

/// The projection that a ground truth states: `proj_string`, or a map_reference that is one, as some simulators write
/// it; empty: none.
[[nodiscard]] std::string_view projection_of(const MapFrame& trace);

/// What is to be said about the projections and offsets of a map and a trace.
struct ProjectionNote {
    bool is_other = false;  ///< they differ; else they cannot be compared
    std::string text;
};
[[nodiscard]] std::optional<ProjectionNote> projection_note(const GroundTruthMap& map, const MapFrame& trace);

}  // namespace ositrace
