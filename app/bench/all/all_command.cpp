// SPDX-License-Identifier: MPL-2.0
#include "app/bench/all/short_answer.hpp"
#include "app/bench/columns/elements.hpp"
#include "app/bench/verbs.hpp"
#ifdef OSITRACE_BENCH_MODELS
#include "app/bench/core/scratch_folder.hpp"
#include "app/bench/replay/replay_rounds.hpp"
#endif

namespace ositrace::bench {
namespace {

/// The other verbs that take a trace, on one sample, and what follows.
class AllBench final : public TraceBenchCommand {
public:
    app::CommandText text() const override
    {
        return {.name = "all",
                .summary = "Protobuf or FlatBuffers? All that can be measured on one trace, and the answer in short",
                .usage = {"all TRACE [--quick] [--json] [--html REPORT] [--repetitions N]"},
                .notes = {"The rounds of convert and size; of columns where there are reflections or detections; of "
                          "replay, with files in the page cache,",
                          "where the trace is one of SensorView. Takes minutes."},
                .examples = {"all drive.osi --html report.html", "all drive.osi --quick"}};
    }
    void declare_of_verb(app::Options& options) override
    {
        convert_->declare_of_verb(options);
        columns_->declare_of_verb(options);
    }
    void measure(const Sample& sample, const Bench& bench) override;

protected:
    std::string title() const override { return "Protobuf or FlatBuffers?"; }
    int default_repetitions() const override { return 7; }

private:
    std::unique_ptr<TraceBenchCommand> convert_ = convert_bench(), columns_ = columns_bench(), size_ = size_bench();
};

#ifdef OSITRACE_BENCH_MODELS
void measure_replay(const Sample& sample, const Bench& bench)
{
    const ScratchFolder folder(bench.scratch);
    const PlayedFiles files{write_frames(folder.path() / "played.osi", sample, {}),
                            write_frames(folder.path() / "played.osifb", sample, {Encoding::flatbuffers}),
                            sample.protobuf.size()};
    measure_sensor(files, bench, PageCache::warm);
    if (const auto* const elements = elements_in(sample)) measure_arrays(files, bench, PageCache::warm, *elements);
}
#endif

void AllBench::measure(const Sample& sample, const Bench& bench)
{
    std::vector<RoundResult> results;
    auto noting = bench;
    noting.measure = [&](const Round& round) { return results.emplace_back(bench.measure(round)); };
    convert_->measure(sample, noting);
    size_->measure(sample, noting);
    if (elements_in(sample) != nullptr) columns_->measure(sample, noting);
#ifdef OSITRACE_BENCH_MODELS
    if (sample.type == MessageType::sensor_view) measure_replay(sample, noting);
#endif
    bench.show(short_answer(sample, results));
}

}  // namespace

std::unique_ptr<app::Command> all_bench() { return std::make_unique<AllBench>(); }

}  // namespace ositrace::bench
