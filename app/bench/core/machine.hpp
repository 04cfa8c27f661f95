// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ositrace::bench {

#ifdef OSITRACE_BENCH_IS_DEBUG
inline constexpr bool is_debug_build = true;
#else
inline constexpr bool is_debug_build = false;
#endif

/// The machine and the versions of a measurement.
struct Machine {
    std::string processor;
    unsigned cores = 0;
    std::uint64_t memory_bytes = 0;
    std::string system;  ///< `Linux 6.1.0 x86_64`
    double load = 0;     ///< mean number of processes that needed a core in the last minute
    double thread_clock_overhead_ns = 0;
    double wall_clock_overhead_ns = 0;

    struct Version {
        std::string name, version;
    };
    std::vector<Version> versions;  ///< ours first, then libraries and compiler
};
[[nodiscard]] Machine this_machine();

/// The command line of this process, for a shell: `osiplay bench columns drive.osi --quick`.
[[nodiscard]] std::string own_command_line();

/// For the header of a report: `Intel Xeon, 2 cores, 8.2 GB`, `ositrace 0.2.0, libprotobuf ...`.
[[nodiscard]] std::string machine_text(const Machine& machine);
[[nodiscard]] std::string versions_text(const Machine& machine);
/// `clock overhead 300 ns (processor time), 25 ns (wall)`; with a warning if the machine was busy with other work.
[[nodiscard]] std::string conditions_text(const Machine& machine);

}  // namespace ositrace::bench
