// SPDX-License-Identifier: MPL-2.0
#include <cmath>

#include "app/bench/core/report.hpp"
#include "app/terminal/json.hpp"

namespace ositrace::bench {
namespace {

void put_nanoseconds(app::JsonWriter& json, std::string_view key, double nanoseconds)
{
    json.key(key).nanoseconds(std::llround(nanoseconds));
}

void put_machine(app::JsonWriter& json, const Machine& machine)
{
    json.key("machine").begin_object();
    json.member("processor", machine.processor).member("cores", std::uint64_t{machine.cores}).member("memory_bytes", machine.memory_bytes);
    json.member("system", machine.system).member("load", machine.load);
    put_nanoseconds(json, "thread_clock_overhead_ns", machine.thread_clock_overhead_ns);
    put_nanoseconds(json, "wall_clock_overhead_ns", machine.wall_clock_overhead_ns);
    json.end_object();
    json.key("versions").begin_object();
    for (const auto& [name, version] : machine.versions) json.member(name, version);
    json.end_object();
}

void put_stages(app::JsonWriter& json, const Timing& timing)
{
    json.key("stages").begin_array();
    for (const auto& [name, samples] : timing.stages) {
        json.begin_object().member("name", name);
        put_nanoseconds(json, "median_ns", quantile_of(samples, 0.5));
        put_nanoseconds(json, "min_ns", quantile_of(samples, 0));
        json.key("samples").begin_array();
        for (const double sample : samples) json.nanoseconds(std::llround(sample));
        json.end_array().end_object();
    }
    json.end_array();
}

void put_row(app::JsonWriter& json, const RoundResult& round, const Timing& timing)
{
    json.begin_object();
    json.member("name", round.name).member("variant", timing.name).member("what", timing.what).member("role", name_of(timing.role));
    json.member("clock", round.clock == Clock::thread ? "thread" : "wall");
    json.member("things", std::uint64_t{round.things}).member("thing", round.thing);
    put_nanoseconds(json, "median_ns", timing.median());
    put_nanoseconds(json, "q1_ns", timing.quantile(0.25));
    put_nanoseconds(json, "q3_ns", timing.quantile(0.75));
    put_nanoseconds(json, "min_ns", timing.quantile(0));
    json.member("bytes", std::uint64_t{timing.bytes});
    if (timing.bytes_in != 0) json.member("bytes_in", std::uint64_t{timing.bytes_in});
    json.member("ratio_to_memcpy", round.ratio_to(Role::yardstick, timing)).member("ratio_to_naive", round.ratio_to(Role::naive, timing));
    json.key("samples").begin_array();
    for (const double sample : timing.samples) json.nanoseconds(std::llround(sample));
    json.end_array();
    if (!timing.stages.empty()) put_stages(json, timing);
    json.end_object();
}

}  // namespace

std::string json_of(const Report& report)
{
    app::JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1}).member("title", report.title).member("command", report.command);
    json.key("facts").begin_array();
    for (const auto& fact : report.facts) json.value(fact);
    json.end_array();
    put_machine(json, report.machine);
    json.member("repetitions", static_cast<std::uint64_t>(report.repetitions));
    json.key("rows").begin_array();
    for (const auto& round : report.rounds)
        for (const auto& timing : round.timings) put_row(json, round, timing);
    json.end_array();
    return json.end_object().text();
}

}  // namespace ositrace::bench
