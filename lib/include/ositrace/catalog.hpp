// SPDX-License-Identifier: MPL-2.0
// The entry of a trace in a catalog of many traces.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/export.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// The area that the positions of moving objects lie in, in metres, in the coordinates of the ground truth.
struct PositionBounds {
    double x_min = 0, x_max = 0, y_min = 0, y_max = 0;
    friend bool operator==(const PositionBounds&, const PositionBounds&) = default;
};

/// A channel of a trace. Of a file with an index of times (MCAP) no frame is read: its times are log times, and host,
/// bounds and static data are not known. Of other files the first and the last frame are read.
struct CatalogChannel {
    Channel channel;
    std::uint64_t frames = 0;  ///< those before the first damage
    /// See Trace::indexed_times(); of other containers the times of the first and the last frame.
    std::optional<TimeBounds> times;
    std::optional<double> rate_hz;         ///< frames per second of these times
    std::vector<OsiVersion> osi_versions;  ///< ascending, each once; of MCAP as the channel states it
    std::optional<std::uint64_t> host;     ///< id of the host vehicle in the first frame
    std::optional<PositionBounds> bounds;  ///< of the moving objects in the first and the last frame
    std::optional<bool> static_data;       ///< does the first frame have a part of the map
};

struct CatalogEntry {
    std::vector<CatalogChannel> channels;
    std::vector<TracePlace> places;     ///< see Trace::places()
    std::optional<std::string> damage;  ///< why the trace ends before its file does, or a frame cannot be read
};

/// The distance of the places of an entry.
inline constexpr std::uint64_t catalog_place_bytes = std::uint64_t{16} << 20;

/// The entry of a trace. Cost: the index of the trace (see Trace::frame_count()), two frames of each channel of a trace
/// without an index of times, and 8 KB for each place. Throws Error (io, cancelled).
[[nodiscard]] OSITRACE_API CatalogEntry catalog_entry(const Trace& trace, std::stop_token stop = {});

/// The facts in the path of a file: a date, `2024-06-18`, of a name as the OSI standard has it
/// (`20240618T122540Z_sv_...`) or of a folder or file name that begins with a date (`2024-06-18`, `20240618`); and a
/// campaign, which is the last folder that is not a date. Empty if there is none.
struct PathFacts {
    std::string campaign;
    std::string date;
};
[[nodiscard]] OSITRACE_API PathFacts facts_of_path(const std::filesystem::path& file);

/// Is the file a table that `osiconvert catalog` or Python's `ositrace.catalog()` has written as JSON lines? Its first
/// bytes decide, as for a trace. False for what cannot be read.
[[nodiscard]] OSITRACE_API bool is_catalog_table(const std::filesystem::path& file);

/// The same of a file that begins like this: of at least `catalog_begin_bytes`, or of the whole file.
[[nodiscard]] OSITRACE_API bool begins_catalog_table(std::string_view begin);

/// The path that a row begins with, of the longest one with escaped characters, and what is after it.
inline constexpr std::size_t catalog_begin_bytes = (std::size_t{6} << 12) + 100;

}  // namespace ositrace
