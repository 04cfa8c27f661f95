// SPDX-License-Identifier: MPL-2.0
// The players with their consumers, and the rounds that compare them.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include <ositrace/dummy_sensor.hpp>

#include "app/bench/columns/column_variants.hpp"
#include "app/bench/core/bench_command.hpp"
#include "app/bench/replay/played_files.hpp"

namespace ositrace::bench {

/// Calls visit(bytes) with every frame of a length-prefixed file.
using VisitFrame = std::function<void(Bytes)>;
using ReadFile = void (*)(const std::filesystem::path& file, const VisitFrame& visit);

/// A player and its consumer.
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

/// Plays a file into the dummy sensor, which uses every 18th reflection, until its results are serialized. Two stages:
/// source and model.
[[nodiscard]] Variant sensor_variant(const ReplayRow& row, const PlayedFiles& files);
/// Plays a file into arrays of all its reflections.
[[nodiscard]] Variant arrays_variant(const ReplayRow& row, const PlayedFiles& files, const Elements& elements);
/// Plays a file into the dummy sensor and writes the performance log of player and sensor: `FOLDER/NAME player.json`,
/// `FOLDER/NAME sensor.json`. The player generates the frame that it has read; it has nothing to serialize.
void log_performance(const ReplayRow& row, const PlayedFiles& files, const std::filesystem::path& folder);
/// The yardstick.
[[nodiscard]] Variant read_of_protobuf_file(const PlayedFiles& files);

enum class PageCache : std::uint8_t { warm, dropped };

/// The round from the file to the dummy sensor's result.
RoundResult measure_sensor(const PlayedFiles& files, const Bench& bench, PageCache cache);
/// The round from the file to arrays of all elements.
void measure_arrays(const PlayedFiles& files, const Bench& bench, PageCache cache, const Elements& elements);

}  // namespace ositrace::bench
