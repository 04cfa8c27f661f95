// SPDX-License-Identifier: MPL-2.0
#include <algorithm>

#include "app/bench/core/scratch_folder.hpp"
#include "app/bench/core/verdict.hpp"
#include "app/bench/replay/mapped_file.hpp"
#include "app/bench/replay/played_files.hpp"
#include "app/bench/replay/replay_variants.hpp"
#include "app/bench/verbs.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

class ReplayBench final : public BenchCommand {
public:
    app::CommandText text() const override
    {
        return {.name = "replay",
                .summary = "a trace player and a sensor model: from file to result, of Protobuf and of FlatBuffers",
                .usage = {"replay [TRACE] [--quick] [--json] [--html REPORT] [--repetitions N]"},
                .notes = {"Without TRACE that of the published study is made: 668 052 reflections with three doubles "
                          "in 50 frames, 2 GB in both",
                          "encodings. Every 18th reflection for the dummy sensor, and all of them into arrays; with "
                          "the files in the page cache,",
                          "and dropped from it before every run."},
                .examples = {"replay", "replay drive.osi --html report.html",
                             "replay --scratch /mnt/disk --repetitions 9", "replay drive.osi --logs logs"}};
    }

protected:
    void declare_more(app::Options& options) override;
    std::string title() const override { return "Playing a trace: from file to the sensor model's result"; }
    int default_repetitions() const override { return 7; }
    void measure_all(const Bench& bench) override;
    std::vector<std::filesystem::path> inputs() const override { return {words_.begin(), words_.end()}; }

private:
    [[nodiscard]] PlayedFiles played(const std::filesystem::path& folder, const Bench& bench) const;
    void write_logs(const PlayedFiles& files) const;

    std::vector<std::string> words_;
    app::InputOptions input_;
    PlayedPart part_;
    std::optional<std::filesystem::path> logs_;
};

void ReplayBench::declare_more(app::Options& options)
{
    options.words("TRACE", words_, 0, 1);
    options.option("--frames", "A:B", "frames from number A until before B, counted from 0",
                   [this](const std::string& text) { part_.frames = FrameRange::parse(text); });
    options.option("--topic", "REGEX",
                   "the first channel of SensorView whose topic has a match of this regular expression",
                   [this](const std::string& text) { part_.topic.emplace(text); });
    options.option("--logs", "DIR",
                   "also play once more with every variant, and write the performance log of player and sensor",
                   [this](const std::string& name) { logs_ = name; });
    input_.declare(options);
}

PlayedFiles ReplayBench::played(const std::filesystem::path& folder, const Bench& bench) const
{
    if (words_.empty()) return files_of_study(bench.quick, folder, bench.stop);
    auto open = input_.open_options();
    open.stop = bench.stop;
    return files_of_trace(words_.front(), open, part_, folder);
}

void ReplayBench::write_logs(const PlayedFiles& files) const
{
    for (const auto& row : replay_rows()) log_performance(row, files, *logs_);
}

bool can_be_dropped(const PlayedFiles& files)
{
    drop_from_page_cache(files.flat);
    constexpr double hardly_any = 0.05;
    const bool dropped = share_in_page_cache(files.flat) < hardly_any;
    static_cast<void>(read_all(files.flat));
    return dropped;
}

constexpr const char *as_published_protobuf = "Protobuf, fresh, carrying", *as_published_flat = "FlatBuffers";

/// Nanoseconds per frame: 0 for the source, 1 for the model.
double stage_of(const RoundResult& round, const char* variant, std::size_t i)
{
    return quantile_of(std::ranges::find(round.timings, std::string_view(variant), &Timing::name)->stages[i].samples,
                       0.5);
}

Table beside_published_figure(const RoundResult& warm)
{
    Table table{"Beside the published figure, milliseconds a frame",
                {"As published: the sensor of Protobuf carries its input, that of FlatBuffers does not. The second "
                 "report repeats the first's "
                 "figures."},
                {{"figure", "variant", "who", "source", "model"}}};
    const auto add = [&](const char* variant, const char* source, const char* model) {
        const std::string figure = "10: trace player, 668 052 reflections";
        const auto here = [&](std::size_t i) { return app::decimal_text(stage_of(warm, variant, i) / 1e6, 2); };
        table.rows.push_back({figure, variant, "first report", source, model});
        table.rows.push_back({figure, variant, "here", here(0), here(1)});
    };
    add(as_published_protobuf, "7", "49");
    add(as_published_flat, "1", "7");
    return table;
}

Table published_results(const RoundResult& warm, double growth)
{
    const auto sum = [&](const char* variant) { return stage_of(warm, variant, 0) + stage_of(warm, variant, 1); };
    auto table = verdict_table();
    add_verdict(table,
                "figure 10: replay is 7 times as fast with FlatBuffers (source 1, model 7 ms; Protobuf source 7, model "
                "49 ms, which "
                "carries its input)",
                8.0 / 56, sum(as_published_flat) / sum(as_published_protobuf));
    add_verdict(table, "... with equal work: no model copies it", 8.0 / 56,
                sum(as_published_flat) / sum("Protobuf, fresh"));
    add_verdict(table, "... beside ositrace on the same Protobuf file", 8.0 / 56,
                sum(as_published_flat) / sum("ositrace, Protobuf"));
    add_verdict(table, "figure 10: the FlatBuffers trace is 8 % larger", 1050.0 / 968, growth);
    return table;
}

void ReplayBench::measure_all(const Bench& bench)
{
    if (logs_) make_folder(*logs_);
    const ScratchFolder folder(bench.scratch);
    const auto files = played(folder.path(), bench);
    const auto protobuf = std::filesystem::file_size(files.protobuf), flat = std::filesystem::file_size(files.flat);
    const double growth = static_cast<double>(flat) / static_cast<double>(protobuf);
    bench.say((words_.empty() ? "The study's trace" : words_.front()) + ": " + app::count_text(files.frames, "frame") +
              " of osi3.SensorView, " + app::bytes_text(protobuf) + " in Protobuf, " + app::bytes_text(flat) +
              " in FlatBuffers (" + ratio_text(growth) + "x" +
              (words_.empty() ? "; published: 968 MB and 1.05 GB, 1.08x" : "") + ").");
    bench.say("Source is what comes before the model, model what the sensor does, means per frame.");
    if (bench.quick && words_.empty())
        bench.say(
            "--quick: a hundredth of the reflections in 5 frames, so 'here' beside published figures means nothing.");
    SampleOptions first;
    first.frames.to = 1;
    const auto sample = load_sample(files.protobuf, first);
    const auto* const elements = elements_in(sample);
    const bool droppable = can_be_dropped(files);
    if (!droppable)
        bench.say("The page cache cannot be dropped for files in " + bench.scratch.string() +
                  "; --scratch DIR on a disk can.");
    std::optional<RoundResult> warm;
    for (const auto cache : {PageCache::warm, PageCache::dropped}) {
        if (cache == PageCache::dropped && !droppable) break;
        auto result = measure_sensor(files, bench, cache);
        if (!warm) warm = std::move(result);
        if (elements != nullptr) measure_arrays(files, bench, cache, *elements);
    }
    if (logs_) write_logs(files);
    if (elements == nullptr) return;
    if (words_.empty()) bench.show(beside_published_figure(*warm));
    bench.show(published_results(*warm, growth));
}

}  // namespace

std::unique_ptr<app::Command> replay_bench() { return std::make_unique<ReplayBench>(); }

}  // namespace ositrace::bench
