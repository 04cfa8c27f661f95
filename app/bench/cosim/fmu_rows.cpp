// SPDX-License-Identifier: MPL-2.0
// FMI 2.0, like the studies: each FMU in a process of its own, messages by address.
#include "app/bench/cosim/cosim_variants.hpp"

#ifdef OSITRACE_BENCH_TO_FMUS
#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>

#include <ositrace/fmu_model.hpp>

#include "app/bench/cosim/coupling.hpp"
#endif

namespace ositrace::bench {

#ifdef OSITRACE_BENCH_TO_FMUS
namespace {

namespace fs = std::filesystem;

FmuOptions options_with(std::map<std::string, std::string> parameters, const fs::path& log)
{
    FmuOptions options;
    options.parameters = std::move(parameters);
    if (!log.empty()) options.parameters["performance_log"] = fs::absolute(log).string();
    options.timeout = std::chrono::minutes(1);
    return options;
}
const char* text(bool flag) { return flag ? "true" : "false"; }

struct Event {
    unsigned id;
    double nanoseconds;  ///< since the log's first second
};

/// A line of our logs is an event: `[0, 1648482698.771000000, ...`.
std::vector<Event> events_of(const fs::path& log)
{
    std::ifstream in(log);
    std::vector<Event> events;
    long long first = 0;
    for (std::string line; std::getline(in, line);) {
        Event event{};
        long long seconds = 0, rest = 0;
        if (std::sscanf(line.c_str(), " [%u, %lld.%9lld,", &event.id, &seconds, &rest) != 3) continue;
        if (events.empty()) first = seconds;
        event.nanoseconds = static_cast<double>((seconds - first) * 1'000'000'000 + rest);
        events.push_back(event);
    }
    return events;
}

/// The time between two consecutive events. The first steps, which allocate memory, are left out.
StageTiming stage_of(const std::vector<Event>& events, StageClock::Interval interval, PerformanceEvent from,
                     PerformanceEvent to)
{
    StageTiming stage{StageClock::names[interval], {}};
    constexpr std::size_t warm_up = 2;
    std::size_t seen = 0;
    for (std::size_t i = 1; i < events.size(); ++i) {
        if (events[i - 1].id != static_cast<unsigned>(from) || events[i].id != static_cast<unsigned>(to)) continue;
        if (++seen > warm_up) stage.samples.push_back(events[i].nanoseconds - events[i - 1].nanoseconds);
    }
    return stage;
}

std::vector<StageTiming> stages_of(const fs::path& source_log, const fs::path& sensor_log)
{
    using enum PerformanceEvent;
    const auto source = events_of(source_log), sensor = events_of(sensor_log);
    return {stage_of(source, StageClock::generate, start_source_calculation, start_serialize),
            stage_of(source, StageClock::source_serialize, start_serialize, stop_serialize),
            stage_of(sensor, StageClock::deserialize, start_deserialize, stop_deserialize),
            stage_of(sensor, StageClock::calculate, stop_deserialize, start_serialize),
            stage_of(sensor, StageClock::sensor_serialize, start_serialize, stop_serialize)};
}

/// `log`: file for its performance log; empty: it writes none.
std::unique_ptr<FmuModel> fmu_source(const fs::path& file, const DummySourceOptions& options, const fs::path& log = {})
{
    return open_fmu(file, options_with({{"objects", std::to_string(options.moving_objects)},
                                        {"reflections", std::to_string(options.reflections)},
                                        {"ray_scene", text(options.ray_scene)}},
                                       log));
}

std::unique_ptr<FmuModel> fmu_sensor(const fs::path& file, const DummySensorOptions& options, const fs::path& log = {})
{
    return open_fmu(file, options_with({{"carry_input", text(options.carry_input)}}, log));
}

/// CosimRow::costs for a pair.
decltype(CosimRow::costs) costs_of_fmus(std::string name, fs::path source, fs::path sensor)
{
    return [=](const CosimCase& simulated, int steps, const fs::path& folder) {
        const auto source_log = folder / (name + " source.json"), sensor_log = folder / (name + " sensor.json");
        const auto of_source = fmu_source(source,
                                          {.moving_objects = simulated.objects,
                                           .reflections = simulated.reflections,
                                           .ray_scene = simulated.ray_scene},
                                          source_log);
        const auto of_sensor =
            fmu_sensor(sensor, {.carry_input = simulated.carry_input, .encoding = {}, .observer = {}}, sensor_log);
        of_source->initialize({}, {.now = {}, .step = period, .first = {}});
        of_sensor->initialize(of_source->outputs(), {.now = {}, .step = period, .first = {}});
        for (int i = 1; i <= steps; ++i)
            static_cast<void>(of_sensor->step(of_source->step({}, i * period, period), i * period, period));
        FmuCosts costs;
        costs.process_bytes = of_source->peak_process_bytes() + of_sensor->peak_process_bytes();
        of_source->finish();
        of_sensor->finish();
        costs.stages = stages_of(source_log, sensor_log);
        return costs;
    };
}

/// The folder of the FMUs: in the build that contains this program, or installed.
std::optional<fs::path> find(const std::string& name)
{
    const auto folder = fs::read_symlink("/proc/self/exe").parent_path();
    for (const auto& place :
         {folder / "../fmu/fmi2", folder / "../bench-fmu/fmi2", folder / OSITRACE_BENCH_TO_FMUS, folder / "fmu"})
        if (fs::exists(place / (name + ".fmu"))) return place / (name + ".fmu");
    return std::nullopt;
}

/// The row that the FMUs belong to, and their names.
struct Pair {
    const char *row, *what, *source, *sensor;
    Role role;
    SensorDataForm form;
};
constexpr std::array pairs{
    Pair{"Protobuf, fresh", "on libprotobuf.so", "BenchProtobufSource", "BenchProtobufSensor", Role::naive,
         SensorDataForm::protobuf},
    Pair{"ositrace, Protobuf", "ours", "DummySource", "DummySensor", Role::ours, SensorDataForm::protobuf},
    Pair{"FlatBuffers, numbered", "on flatc's code", "BenchFlatBuffersSource", "BenchFlatBuffersSensor", Role::other,
         SensorDataForm::numbered},
    Pair{"ositrace, FlatBuffers", "ours", "DummySourceFlatBuffers", "DummySensorFlatBuffers", Role::ours,
         SensorDataForm::numbered},
};

}  // namespace

std::vector<CosimRow> fmu_rows(std::vector<std::string>& missing)
{
    std::vector<CosimRow> rows;
    for (const auto& pair : pairs) {
        const auto of_source = find(pair.source), of_sensor = find(pair.sensor);
        if (!of_source || !of_sensor) {
            missing.push_back(std::string((of_source ? pair.sensor : pair.source)) + ".fmu");
            continue;
        }
        const auto name = std::string(pair.row) + ", FMUs";
        rows.push_back({.name = name,
                        .what = std::string("two FMUs ") + pair.what + ", each in a process of its own",
                        .role = pair.role,
                        .form = pair.form,
                        .source = [file = *of_source](const auto& options) { return fmu_source(file, options); },
                        .sensor = [file = *of_sensor](const auto& options) { return fmu_sensor(file, options); },
                        .lines = std::ranges::find(cosim_rows(), pair.row, &CosimRow::name)->lines,
                        .costs = costs_of_fmus(name, *of_source, *of_sensor)});
    }
    return rows;
}
#else
std::vector<CosimRow> fmu_rows(std::vector<std::string>& missing)
{
    missing.emplace_back("The way through FMUs");
    return {};
}
#endif

}  // namespace ositrace::bench
