// SPDX-License-Identifier: MPL-2.0
#pragma once

#include "app/bench/columns/elements.hpp"
#include "app/bench/core/bench_command.hpp"
#include "app/bench/replay/played_files.hpp"

namespace ositrace::bench {

enum class PageCache : std::uint8_t { warm, dropped };

/// The round from the file to the dummy sensor's result.
RoundResult measure_sensor(const PlayedFiles& files, const Bench& bench, PageCache cache);
/// The round from the file to arrays of all elements.
void measure_arrays(const PlayedFiles& files, const Bench& bench, PageCache cache, const Elements& elements);

}  // namespace ositrace::bench
