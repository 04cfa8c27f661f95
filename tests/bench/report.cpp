// SPDX-License-Identifier: MPL-2.0
#include "tests/bench/report.hpp"

#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <ostream>
#include <thread>
#include <utility>

#include <flatbuffers/base.h>
#include <google/protobuf/stubs/common.h>

#include <ositrace/version.hpp>

#include "tests/bench/conversions.hpp"

namespace bench {

namespace {

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...)
{
    char line[256];
    std::va_list values;
    va_start(values, format);
    std::vsnprintf(line, sizeof line, format, values);
    va_end(values);
    return line;
}

std::string processor_name()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
    return "unknown processor";
}

std::string ratio(const Timing* of, const Timing* to)
{
    return of == nullptr || to == nullptr ? "" : text("%.2f", of->quantile(0.5) / to->quantile(0.5));
}

void print_round(std::ostream& out, const Round& round)
{
    const auto* copy = round.timing(copy_variant);
    const auto* naive = round.timing(naive_variant);
    out << '\n' << round.sample << ", " << round.direction << ", " << text("%.1f", static_cast<double>(copy->bytes) / 1e6) << " MB flat\n"
        << text("  %-30s %11s %11s %11s %9s %9s\n", "", "median us", "minimum us", ("ns/" + round.thing).c_str(), "x memcpy", "x naive");
    for (const auto& timing : round.timings)
        out << text("  %-30s %11.1f %11.1f %11.1f %9s %9s\n", timing.variant.c_str(), timing.quantile(0.5) / 1e3, timing.quantile(0) / 1e3,
                    timing.quantile(0.5) / static_cast<double>(round.things), ratio(&timing, copy).c_str(), ratio(&timing, naive).c_str());
    for (const auto& target : round.targets)
        out << text("  %.1fx as fast as %s, wanted: %gx%s\n", round.speedup(target.against), target.against, target.times,
                    round.speedup(target.against) < target.times ? "  MISSED" : "");
}

std::string quoted(const std::string& plain)
{
    std::string json = "\"";
    for (const char c : plain) {
        if (c == '"' || c == '\\') json.push_back('\\');
        json.push_back(c);
    }
    return json + '"';
}

void print_row(std::ostream& out, const Round& round, const Timing& timing)
{
    out << "{\"name\":" << quoted(round.sample + ", " + round.direction) << ",\"variant\":" << quoted(timing.variant)
        << text(",\"median_ns\":%.0f,\"q1_ns\":%.0f,\"q3_ns\":%.0f,\"min_ns\":%.0f,\"bytes\":%zu", timing.quantile(0.5), timing.quantile(0.25),
                timing.quantile(0.75), timing.quantile(0), timing.bytes)
        << ",\"ratio_to_memcpy\":" << ratio(&timing, round.timing(copy_variant)) << ",\"ratio_to_naive\":"
        << ratio(&timing, round.timing(naive_variant)) << ",\"samples\":[";
    for (const auto& sample : timing.samples) out << (&sample == timing.samples.data() ? "" : ",") << text("%.0f", sample);
    out << "]}";
}

}  // namespace

const Timing* Round::timing(const std::string& variant) const
{
    for (const auto& timing : timings)
        if (timing.variant == variant) return &timing;
    return nullptr;
}

double Round::speedup(const std::string& against) const { return timing(against)->quantile(0.5) / timing(our_variant)->quantile(0.5); }

Machine this_machine()
{
    return {processor_name(), std::thread::hardware_concurrency(),
            std::string("ositrace ") + std::string(ositrace::version()) + ", libprotobuf "
                + google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION) + ", flatbuffers "
                + text("%d.%d.%d", FLATBUFFERS_VERSION_MAJOR, FLATBUFFERS_VERSION_MINOR, FLATBUFFERS_VERSION_REVISION) + ", compiler " __VERSION__,
            clock_overhead()};
}

void print_table(std::ostream& out, const Machine& machine, const std::vector<Round>& rounds)
{
    out << machine.processor << ", " << machine.cores << " cores; " << machine.versions << text("; clock overhead %.0f ns\n", machine.clock_overhead_ns)
        << "naive = generated accessor code of protoc and flatc, message and builder reused. Times are processor times of one thread; smaller is better.\n";
    for (const auto& round : rounds) print_round(out, round);
}

void print_json(std::ostream& out, const Machine& machine, const std::vector<Round>& rounds)
{
    out << "{\"format\":1,\"machine\":" << quoted(machine.processor + ", " + std::to_string(machine.cores) + " cores") << ",\"versions\":"
        << quoted(machine.versions) << text(",\"clock_overhead_ns\":%.0f,\"rows\":[", machine.clock_overhead_ns);
    const char* separator = "\n";
    for (const auto& round : rounds)
        for (const auto& timing : round.timings) {
            out << std::exchange(separator, ",\n");
            print_row(out, round, timing);
        }
    separator = "\n";
    out << "],\n\"targets\":[";
    for (const auto& round : rounds)
        for (const auto& target : round.targets)
            out << std::exchange(separator, ",\n") << "{\"name\":" << quoted(round.sample + ", " + round.direction) << ",\"against\":"
                << quoted(target.against) << text(",\"wanted\":%g,\"reached\":%.2f}", target.times, round.speedup(target.against));
    out << "]}\n";
}

}  // namespace bench
