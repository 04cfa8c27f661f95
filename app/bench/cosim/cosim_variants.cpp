// SPDX-License-Identifier: MPL-2.0
#include "app/bench/cosim/cosim_variants.hpp"

#include <algorithm>
#include <cstring>

#include "app/bench/core/scratch_folder.hpp"
#include "app/bench/cosim/coupling.hpp"

namespace ositrace::bench {
namespace {

using namespace std::chrono_literals;

constexpr int most_answered = 4;  ///< steps: converting large messages to Protobuf takes much longer than creating them

/// The heap use of new models; the allocations are those of one step after the first ones have allocated all memory.
std::optional<HeapUse> heap_of(const CosimRow& row, const CosimCase& simulated)
{
    std::optional<Coupling> coupling;
    const auto all = heap_use_of([&] { coupling.emplace(row, simulated).run(2); });
    const auto step = heap_use_of([&] { coupling->run(1); });
    if (!all) return std::nullopt;
    return HeapUse{step->allocations, all->peak_bytes};
}

Variant variant_with(const CosimRow& row, const CosimCase& simulated, StageClock::Interval from,
                     StageClock::Interval to)
{
    Variant variant{.name = row.name, .what = row.what, .role = row.role};
    const auto coupling = std::make_shared<Coupling>(row, simulated);
    variant.run = [coupling, steps = simulated.steps] { return coupling->run(steps); };
    variant.answer = [coupling, steps = std::min(simulated.steps, most_answered)](Answer& answer) {
        coupling->answer(answer, steps);
    };
    variant.stages = [coupling, from, to] { return coupling->stages(from, to); };
    variant.keeps_less = row.form == SensorDataForm::declared || row.form == SensorDataForm::structs;
    variant.lines = row.lines;
    if (!row.costs) variant.heap = heap_of(row, simulated);
    return variant;
}

}  // namespace

Variant cosim_variant(const CosimRow& row, const CosimCase& simulated)
{
    return variant_with(row, simulated, StageClock::generate, StageClock::source);
}

Variant cosim_variant_seen_from_outside(const CosimRow& row, const CosimCase& simulated,
                                        const std::filesystem::path& scratch)
{
    if (!row.costs) return variant_with(row, simulated, StageClock::generate, StageClock::count);
    const ScratchFolder folder(scratch);
    constexpr int further = 4;  // runs: enough steps for a median
    auto costs = row.costs(simulated, further * simulated.steps, folder.path());
    auto variant = variant_with(row, simulated, StageClock::source, StageClock::count);
    variant.logged = std::move(costs.stages);
    variant.process_bytes = costs.process_bytes;
    return variant;
}

Variant memcpy_of_sensor_view(const CosimCase& simulated)
{
    const auto source = dummy_source(
        {.moving_objects = simulated.objects, .reflections = simulated.reflections, .ray_scene = simulated.ray_scene});
    source->initialize({}, {});
    const auto bytes = source->step({}, 100ms, 100ms).front().bytes;
    const auto view = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
    const auto copy = std::make_shared<std::vector<std::byte>>(view->size());
    const auto run = [view, copy, steps = simulated.steps] {
        for (int i = 0; i < steps; ++i) std::memcpy(copy->data(), view->data(), view->size());
        return view->size() * static_cast<std::size_t>(steps);
    };
    return {.name = "memcpy of the SensorView",
            .what = "one copy of it in Protobuf: what memory allows",
            .role = Role::yardstick,
            .run = run};
}

void log_performance(const CosimRow& row, const CosimCase& simulated, int steps, const std::filesystem::path& folder)
{
    if (row.costs) return static_cast<void>(row.costs(simulated, steps, folder));
    Coupling coupling(row, simulated);
    coupling.run(1);
    coupling.log_to(folder / (row.name + " source.json"), folder / (row.name + " sensor.json"));
    coupling.run(steps);
    coupling.close_logs();
}

}  // namespace ositrace::bench
