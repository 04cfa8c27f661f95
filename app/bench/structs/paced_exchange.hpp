// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <span>

#include "app/bench/structs/struct_codec.hpp"

namespace ositrace::bench {

/// What one run of two threads took, both together.
struct PacedRun {
    double user = 0, system = 0;  ///< processor time in nanoseconds
    double elapsed = 0;           ///< nanoseconds
    std::size_t due = 0;          ///< periods
    std::size_t sent = 0;         ///< structs, the lost ones included: fewer than due if the machine wakes threads late
    std::size_t lost = 0;         ///< the one before was not parsed yet
};

/// A thread serialises a struct at every period into one buffer, another parses it from there; semaphores wake them, as
/// in the published program. A struct is lost if the one before is not parsed when it is due. If the thread wakes up
/// more than a period late, it continues with the struct that is due then. Timer slack is 1 ns. Throws Error (mismatch)
/// if a struct arrives changed, and those of the codecs.
[[nodiscard]] PacedRun exchange_paced(StructCodec& writer, StructCodec& reader, std::span<const SensorData> structs,
                                      std::size_t count, std::chrono::nanoseconds period);

/// How long a relative sleep takes with this timer slack: median of some, in nanoseconds.
[[nodiscard]] double sleep_with_slack(std::chrono::nanoseconds sleep, std::chrono::nanoseconds slack);

}  // namespace ositrace::bench
