// SPDX-License-Identifier: MPL-2.0
// How fast are the conversions, next to generated accessor code and to memcpy, on this machine?
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <utility>

#include "tests/bench/conversions.hpp"
#include "tests/bench/report.hpp"

namespace {

struct Options {
    bool json = false;
    bool quick = false;
    int repetitions = 21;
};

constexpr const char* usage =
    "usage: ositrace-bench-convert [--quick] [--json] [--repetitions N]\n"
    "\n"
    "Converts samples in both directions: ours, generated accessor code of protoc and flatc, memcpy. The results of all ways are compared\n"
    "first. Prints medians of interleaved repetitions in one process, and ratios: read those.\n"
    "\n"
    "  --quick          smaller samples, 5 repetitions: does it run at all?\n"
    "  --json           the table with all samples, for programs\n"
    "  --repetitions N  default 21\n";

bool parse(int argc, char** argv, Options& options)
{
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--json") == 0) options.json = true;
        else if (std::strcmp(argv[i], "--quick") == 0) options.quick = true, options.repetitions = 5;
        else if (std::strcmp(argv[i], "--repetitions") == 0 && i + 1 < argc) options.repetitions = std::max(1, std::atoi(argv[++i]));
        else return false;
    }
    return true;
}

struct Wanted {
    std::vector<bench::Target> to_flat, to_proto;
};

void compete(const bench::Sample& sample, const Wanted& wanted, const Options& options, std::vector<bench::Round>& rounds)
{
    if (!options.json) std::cerr << sample.name << "...\n";
    const auto targets = [&](const std::vector<bench::Target>& of_full_samples) {
        return options.quick ? std::vector<bench::Target>() : of_full_samples;
    };
    bench::Conversions conversions(sample);
    rounds.push_back({sample.name, "proto to flat", sample.things, std::string(sample.thing),
                      bench::contest(conversions.proto_to_flat(), options.repetitions), targets(wanted.to_flat)});
    rounds.push_back({sample.name, "flat to proto", sample.things, std::string(sample.thing),
                      bench::contest(conversions.flat_to_proto(), options.repetitions), targets(wanted.to_proto)});
}

std::vector<bench::Round> run(const Options& options)
{
    using namespace bench;
    const auto rays = options.quick ? 20'000u : 829'440u;
    std::vector<Round> rounds;
    compete(reflections(rays, 2), {{{naive_variant, 8}, {parse_variant, 4}}, {{naive_variant, 6}}}, options, rounds);
    compete(reflections(rays, 5), {}, options, rounds);
    compete(moving_objects(500), {{{naive_variant, 7}}, {{verified_variant, 2}}}, options, rounds);
    for (const auto& trace : real_traces()) compete(trace, {{{naive_variant, 1}}, {{naive_variant, 1}}}, options, rounds);
    return rounds;
}

}  // namespace

int main(int argc, char** argv)
try {
    Options options;
    if (argc == 2 && std::strcmp(argv[1], "--help") == 0) return std::cout << usage, 0;
    if (!parse(argc, argv, options)) return std::cerr << usage, 2;
    const auto rounds = run(options);
    (options.json ? bench::print_json : bench::print_table)(std::cout, bench::this_machine(), rounds);
    return 0;
} catch (const std::exception& error) {
    std::cerr << "ositrace-bench-convert: " << error.what() << '\n';
    return 1;
}
