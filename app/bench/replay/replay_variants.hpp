// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "app/bench/replay/played_files.hpp"
#include "app/bench/replay/replay_rows.hpp"

namespace ositrace::bench {

/// Plays a file into the dummy sensor, which takes every 18th reflection, until its results are serialized. Two stages:
/// source and model.
[[nodiscard]] Variant sensor_variant(const ReplayRow& row, const PlayedFiles& files);
/// Plays a file into arrays of all its reflections.
[[nodiscard]] Variant arrays_variant(const ReplayRow& row, const PlayedFiles& files, const Elements& elements);
/// Plays a file into the dummy sensor and writes the performance log of player and sensor: `FOLDER/NAME player.json`,
/// `FOLDER/NAME sensor.json`. What the player generates is the frame that it has read; it has nothing to serialize.
void log_performance(const ReplayRow& row, const PlayedFiles& files, const std::filesystem::path& folder);
/// The yardstick.
[[nodiscard]] Variant read_of_protobuf_file(const PlayedFiles& files);

}  // namespace ositrace::bench
