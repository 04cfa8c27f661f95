// SPDX-License-Identifier: MPL-2.0
#include <array>
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
    json.member("processor", machine.processor)
        .member("cores", std::uint64_t{machine.cores})
        .member("memory_bytes", machine.memory_bytes);
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
    json.member("name", round.name)
        .member("variant", timing.name)
        .member("what", timing.what)
        .member("role", name_of(timing.role));
    constexpr std::array clocks{"thread", "wall", "threads"};
    json.member("clock", clocks[static_cast<std::size_t>(round.clock)]);
    json.member("things", std::uint64_t{round.things}).member("thing", round.thing);
    put_nanoseconds(json, "median_ns", timing.median());
    put_nanoseconds(json, "q1_ns", timing.quantile(0.25));
    put_nanoseconds(json, "q3_ns", timing.quantile(0.75));
    put_nanoseconds(json, "min_ns", timing.quantile(0));
    json.member("bytes", std::uint64_t{timing.bytes});
    if (timing.bytes_in != 0) json.member("bytes_in", std::uint64_t{timing.bytes_in});
    json.member("ratio_to_memcpy", round.ratio_to(Role::yardstick, timing))
        .member("ratio_to_naive", round.ratio_to(Role::naive, timing));
    json.key("samples").begin_array();
    for (const double sample : timing.samples) json.nanoseconds(std::llround(sample));
    json.end_array();
    if (timing.heap) {
        json.member("allocations", std::uint64_t{timing.heap->allocations})
            .member("peak_heap_bytes", std::uint64_t{timing.heap->peak_bytes});
    }
    if (timing.process_bytes) json.member("peak_process_bytes", std::uint64_t{*timing.process_bytes});
    if (timing.lines) json.member("lines_of_code", std::uint64_t{*timing.lines});
    if (!timing.stages.empty()) put_stages(json, timing);
    json.end_object();
}

void put_cells(app::JsonWriter& json, const std::vector<std::string>& cells)
{
    json.begin_array();
    for (const auto& cell : cells) json.value(cell);
    json.end_array();
}

void put_table(app::JsonWriter& json, const Table& table)
{
    json.begin_object().member("name", table.name).key("notes");
    put_cells(json, table.notes);
    json.key("columns");
    put_cells(json, table.rows.front());
    json.key("rows").begin_array();
    for (std::size_t i = 1; i < table.rows.size(); ++i) put_cells(json, table.rows[i]);
    json.end_array().end_object();
}

}  // namespace

std::string json_of(const Report& report)
{
    app::JsonWriter json;
    json.begin_object()
        .member("format", std::uint64_t{1})
        .member("title", report.title)
        .member("command", report.command);
    json.key("facts");
    put_cells(json, report.facts);
    put_machine(json, report.machine);
    if (report.headline) {
        json.key("answer").begin_object().member("sentence", report.headline->sentence).key("advice");
        put_cells(json, report.headline->advice);
        json.end_object();
    }
    json.member("repetitions", static_cast<std::uint64_t>(report.repetitions));
    json.key("rows").begin_array();
    for (const auto& round : report.rounds)
        for (const auto& timing : round.timings) put_row(json, round, timing);
    json.end_array();
    json.key("tables").begin_array();
    for (const auto& table : report.tables) put_table(json, table);
    json.end_array();
    return json.end_object().text();
}

}  // namespace ositrace::bench
