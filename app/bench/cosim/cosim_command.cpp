// SPDX-License-Identifier: MPL-2.0
#include <filesystem>

#include "app/bench/core/scratch_folder.hpp"
#include "app/bench/cosim/published.hpp"
#include "app/bench/verbs.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

constexpr int lidar_steps = 100, object_steps = 5000;  ///< of the studies: in total, and in a performance log

/// Steps in one run: with the default repetitions, as many as in the studies.
constexpr int steps_per_run(bool lidar) { return (lidar ? lidar_steps : object_steps) / 20; }

/// The cases of the reports, named by their figures.
std::vector<CosimCase> published_cases()
{
    return {{.figure = 1, .reflections = 829'440, .objects = 10},
            {.figure = 2, .reflections = 400'000, .objects = 10},
            {.figure = 3, .reflections = 100'000, .objects = 10},
            {.figure = 4, .objects = 10},
            {.figure = 5, .objects = 200},
            {.figure = 6, .objects = 500}};
}

std::string name_of(const CosimCase& simulated)
{
    auto name = app::count_text(simulated.objects, "object");
    if (simulated.reflections != 0)
        name = app::count_text(simulated.reflections, simulated.ray_scene ? "ray" : "equal reflection") + ", " + name;
    return name + (simulated.carry_input ? "; all models copy the input" : "; no model copies the input");
}

Round round_of(const CosimCase& simulated, std::string name, Clock clock)
{
    return {
        std::move(name), static_cast<std::size_t>(simulated.steps), "step", clock, {memcpy_of_sensor_view(simulated)}};
}

class CosimBench final : public BenchCommand {
public:
    app::CommandText text() const override
    {
        return {.name = "cosim",
                .summary = "a dummy source and a dummy sensor, coupled, as in the published studies: five stages timed",
                .usage = {"cosim [--quick] [--json] [--html REPORT] [--repetitions N] [--rays] [--reflections N "
                          "--objects N] [--steps N] [--logs DIR]"},
                .notes = {"The published sensors did unequal work: that of Protobuf copied its input into its output, "
                          "that of FlatBuffers did not.",
                          "Every case is measured with no model copying the input, with all models copying it, and "
                          "through FMUs; "
                          "the largest, with none, also with",
                          "rays that hit a scene instead of equal reflections. Without --quick it takes a quarter of "
                          "an hour; --quick takes a hundredth of the",
                          "reflections, a tenth of the objects and two steps."},
                .examples = {"cosim --quick", "cosim --html report.html",
                             "cosim --reflections 50000 --objects 30 --logs logs"}};
    }

protected:
    void declare_more(app::Options& options) override;
    std::string title() const override { return "A source and a sensor model, coupled"; }
    void measure_all(const Bench& bench) override;
    void conclude(const EarlierRun& earlier, const Bench& bench) override
    {
        if (results_.front().simulated.figure == 1) bench.show(beside_published_growth(results_, earlier));
    }

private:
    [[nodiscard]] std::vector<CosimCase> cases(bool quick) const;
    void explain(const Bench& bench) const;
    void measure_in_process(const CosimCase& simulated, const Bench& bench);
    static void measure_fmus(std::span<const CosimRow> fmus, const CosimCase& simulated, const Bench& bench);
    void write_logs(std::span<const CosimRow> fmus, const CosimCase& simulated, bool quick) const;

    std::optional<std::uint32_t> reflections_, objects_;
    std::optional<int> steps_;
    std::optional<std::filesystem::path> logs_;
    bool rays_ = false;
    std::vector<CosimResult> results_;
};

void CosimBench::declare_more(app::Options& options)
{
    const auto count = [](std::optional<std::uint32_t>& to) {
        return
            [&to](const std::string& text) { to = static_cast<std::uint32_t>(app::parse_count(text, 0, 100'000'000)); };
    };
    options.flag("--rays", rays_,
                 "use the reflections of rays that hit a scene, instead of equal dummies as published");
    options.option("--reflections", "N", "a case of your own instead of those published", count(reflections_));
    options.option("--objects", "N", "its moving objects; default 10", count(objects_));
    options.option(
        "--steps", "N", "steps in one run; default a 20th of those of the studies: 5 with reflections, else 250",
        [this](const std::string& text) { steps_ = static_cast<int>(app::parse_count(text, 1, 1'000'000)); });
    options.option("--logs", "DIR",
                   "also step every variant as often as the studies did, and write the performance logs of both models",
                   [this](const std::string& name) { logs_ = name; });
}

std::vector<CosimCase> CosimBench::cases(bool quick) const
{
    auto cases = published_cases();
    const auto largest = cases.front();
    cases.push_back({.reflections = largest.reflections, .objects = largest.objects, .ray_scene = true});
    if (rays_) cases.pop_back();  // all are
    if (reflections_ || objects_) cases = {{.reflections = reflections_.value_or(0), .objects = objects_.value_or(10)}};
    for (const auto& published : published_cases())  // a case of the user that equals a published one
        if (cases.size() == 1 && published.reflections == cases[0].reflections && published.objects == cases[0].objects)
            cases[0] = published;
    for (auto& simulated : cases) {
        simulated.steps = steps_.value_or(quick ? 2 : steps_per_run(simulated.reflections != 0));
        const bool own = (reflections_ || objects_) && simulated.figure == 0;
        simulated.ray_scene = (rays_ || simulated.ray_scene) && simulated.reflections != 0;
        if (simulated.ray_scene) simulated.figure = 0;  // those of the reports are equal dummies
        if (!quick || own) continue;
        simulated.reflections /= 100;
        simulated.objects = std::max(simulated.objects / 10, 10u);
    }
    return cases;
}

/// The pairs that were built, for the whole run.
std::vector<CosimRow> rows_of_fmus(const Bench& bench)
{
    std::vector<std::string> missing;
    auto rows = fmu_rows(missing);
    for (const auto& name : missing) bench.say(name + " was not measured: it was not built.");
    return rows;
}

void CosimBench::explain(const Bench& bench) const
{
    bench.say(
        "generate and serialize are the source's stages; deserialize, calculate and serialize result the sensor's, by "
        "the wall clock, "
        "medians. Bytes are those of the SensorView; peak heap is that of both models, allocations those of one step; "
        "lines are those of "
        "both models. Every result is compared in Protobuf, where zeros are not written without them.");
    bench.say(
        "Through FMUs: source and sensor are their steps as the caller sees them, the stages before them what the "
        "models say themselves: of "
        "FMUs the medians of their performance logs of further steps. Process memory is the most that both processes "
        "of a pair held, "
        "libraries and messages shared with the caller included; their heap is not this process's and cannot be "
        "watched from here, so there is a "
        "dash, as there is where a variant has no process of its own.");
    if (bench.quick)
        bench.say(
            "--quick: a hundredth of the reflections and a tenth of the objects, so 'here' beside published figures "
            "means nothing.");
}

void CosimBench::measure_all(const Bench& bench)
{
    if (logs_) make_folder(*logs_);
    explain(bench);
    const auto fmus = rows_of_fmus(bench);
    for (auto simulated : cases(bench.quick)) {
        measure_in_process(simulated, bench);
        if (simulated.ray_scene && !rays_) continue;  // it is measured only to be compared with equal reflections
        simulated.carry_input = true;
        measure_in_process(simulated, bench);
        simulated.carry_input = false;
        measure_fmus(fmus, simulated, bench);
        if (logs_) write_logs(fmus, simulated, bench.quick);
    }
    if (results_.front().simulated.figure == 0) return;  // a case of the user has no counterpart
    bench.show(beside_published_figures(results_));
    bench.show(beside_published_conclusions(results_));
}

void CosimBench::measure_in_process(const CosimCase& simulated, const Bench& bench)
{
    auto round = round_of(simulated, name_of(simulated), Clock::thread);
    for (const auto& row : cosim_rows()) round.variants.push_back(cosim_variant(row, simulated));
    results_.push_back({simulated, bench.measure(round)});
}

/// Measures the pairs that were built as FMUs, and the same pairs in this process.
void CosimBench::measure_fmus(std::span<const CosimRow> fmus, const CosimCase& simulated, const Bench& bench)
{
    if (fmus.empty()) return;
    auto round = round_of(simulated, name_of(simulated) + "; through FMUs", Clock::wall);
    for (const auto& fmu : fmus) {
        for (const auto& row : cosim_rows())
            if (fmu.name == row.name + ", FMUs")
                round.variants.push_back(cosim_variant_seen_from_outside(row, simulated, bench.scratch));
        round.variants.push_back(cosim_variant_seen_from_outside(fmu, simulated, bench.scratch));
    }
    bench.measure(round);
}

void CosimBench::write_logs(std::span<const CosimRow> fmus, const CosimCase& simulated, bool quick) const
{
    const auto folder = *logs_ / name_of(simulated);
    make_folder(folder);
    const int steps = simulated.reflections != 0 ? lidar_steps : object_steps;
    for (const auto rows : {cosim_rows(), fmus})
        for (const auto& row : rows) log_performance(row, simulated, quick ? steps / 20 : steps, folder);
}

}  // namespace

std::unique_ptr<app::Command> cosim_bench() { return std::make_unique<CosimBench>(); }

}  // namespace ositrace::bench
