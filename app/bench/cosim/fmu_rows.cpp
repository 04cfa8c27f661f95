// SPDX-License-Identifier: MPL-2.0
// FMI 2.0, as the studies: each FMU in a process of its own, messages by address.
#include "app/bench/cosim/cosim_variants.hpp"

#ifdef OSITRACE_BENCH_TO_FMUS
#include <algorithm>
#include <array>

#include "app/bench/cosim/fmu_models.hpp"
#endif

namespace ositrace::bench {

#ifdef OSITRACE_BENCH_TO_FMUS
namespace {

namespace fs = std::filesystem;

/// Of the build that this program is in, or where it was installed.
std::optional<fs::path> find(const std::string& name)
{
    const auto folder = fs::read_symlink("/proc/self/exe").parent_path();
    for (const auto& place :
         {folder / "../fmu/fmi2", folder / "../bench-fmu/fmi2", folder / OSITRACE_BENCH_TO_FMUS, folder / "fmu"})
        if (fs::exists(place / (name + ".fmu"))) return place / (name + ".fmu");
    return std::nullopt;
}

/// The row of which the FMUs are, and their names.
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
