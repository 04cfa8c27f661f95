// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/contest.hpp"

namespace bench {

/// A figure the project wants to reach: how many times faster than another variant.
struct Target {
    const char* against;
    double times;
};

/// One sample in one direction.
struct Round {
    std::string sample;
    std::string direction;  ///< `proto to flat`, `flat to proto`
    std::size_t things;
    std::string thing;
    std::vector<Timing> timings;
    std::vector<Target> targets;

    [[nodiscard]] const Timing* timing(const std::string& variant) const;
    /// How many times faster our median is than a variant's.
    [[nodiscard]] double speedup(const std::string& against) const;
};

struct Machine {
    std::string processor;
    unsigned cores;
    std::string versions;  ///< compiler, protobuf, flatbuffers, ours
    double clock_overhead_ns;
};
Machine this_machine();

void print_table(std::ostream& out, const Machine& machine, const std::vector<Round>& rounds);
void print_json(std::ostream& out, const Machine& machine, const std::vector<Round>& rounds);

}  // namespace bench
