// SPDX-License-Identifier: MPL-2.0
#include "app/bench/cosim/cosim_variants.hpp"
#include "app/bench/verbs.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

/// The published cases. Steps in one run: few where a step is long.
std::vector<CosimCase> published_cases(bool quick)
{
    if (quick) return {{.reflections = 2'000, .objects = 10}, {.objects = 20, .steps = 5}};
    return {{.reflections = 100'000, .objects = 10},      {.reflections = 400'000, .objects = 10}, {.reflections = 829'440, .objects = 10},
            {.objects = 10, .steps = 100},                {.objects = 200, .steps = 20},           {.objects = 500, .steps = 10}};
}

std::string name_of(const CosimCase& simulated)
{
    auto name = app::count_text(simulated.objects, "object");
    if (simulated.reflections != 0) name = app::count_text(simulated.reflections, simulated.ray_scene ? "ray" : "equal reflection") + ", " + name;
    return name + (simulated.carry_input ? "; everybody carries the input" : "; nobody carries the input");
}

void measure_case(const CosimCase& simulated, const Bench& bench)
{
    Round round{name_of(simulated), static_cast<std::size_t>(simulated.steps), "step", Clock::thread, {memcpy_of_sensor_view(simulated)}};
    for (const auto& row : cosim_rows()) round.variants.push_back(cosim_variant(row, simulated));
    bench.measure(round);
}

class CosimBench final : public BenchCommand {
public:
    app::CommandText text() const override
    {
        return {.name = "cosim",
                .summary = "a dummy source and a dummy sensor, coupled, as in the published studies: five stages timed",
                .usage = {"cosim [--quick] [--json] [--html REPORT] [--repetitions N] [--rays]"},
                .notes = {"The published sensors did unequal work: that of Protobuf copied its input into its output, that of FlatBuffers did not.",
                          "Every case is measured with everybody carrying the input and with nobody. Without --quick it takes some minutes."},
                .examples = {"cosim --quick", "cosim --html report.html"}};
    }

protected:
    void declare_more(app::Options& options) override
    {
        options.flag("--rays", rays_, "reflections are those of rays that hit a scene, instead of equal dummies as published");
    }
    std::string title() const override { return "A source and a sensor model, coupled"; }
    std::string arguments() const override { return rays_ ? " --rays" : ""; }
    void measure_all(const Bench& bench) override
    {
        bench.say("generate and serialize are the source's stages; deserialize, calculate and serialize result the sensor's, by the wall clock, "
                  "medians. The models call each other in one process; every result is compared in Protobuf.");
        for (auto simulated : published_cases(bench.quick))
            for (const bool carry : {false, true}) {
                simulated.carry_input = carry;
                simulated.ray_scene = rays_ && simulated.reflections != 0;
                measure_case(simulated, bench);
            }
    }

private:
    bool rays_ = false;
};

}  // namespace

std::unique_ptr<app::Command> cosim_bench() { return std::make_unique<CosimBench>(); }

}  // namespace ositrace::bench
