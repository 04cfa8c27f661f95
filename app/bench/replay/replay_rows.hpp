// SPDX-License-Identifier: MPL-2.0
// Who plays a file how: the rows are in replay_rows.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include <ositrace/dummy_sensor.hpp>

#include "app/bench/columns/column_variants.hpp"
#include "app/bench/core/round.hpp"

namespace ositrace::bench {

/// Calls visit(bytes) with every frame of a length-prefixed file.
using VisitFrame = std::function<void(Bytes)>;
using ReadFile = void (*)(const std::filesystem::path& file, const VisitFrame& visit);

/// A player and what it feeds.
struct ReplayRow {
    const char *name, *what;
    Role role;
    Encoding encoding;  ///< of the file
    ReadFile read;
    std::unique_ptr<SensorModel> (*sensor)(const DummySensorOptions& options);
    ReadColumns (*columns)(const Elements& elements);  ///< null: only with the sensor
    bool carry_input = false;
};
[[nodiscard]] std::span<const ReplayRow> replay_rows();

/// Reads a file in large blocks and does nothing with it.
std::size_t read_all(const std::filesystem::path& file);

}  // namespace ositrace::bench
