// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <thread>

#include "app/bench/convert/convert_variants.hpp"
#include "app/bench/core/scratch_folder.hpp"
#include "app/bench/verbs.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

using MakeVariant = Variant (*)(const Sample&);
constexpr std::array rows_to_flat{memcpy_of_flat, libprotobuf_parse, naive_to_flat, naive_to_flat_fresh, ours_to_flat};
constexpr std::array rows_to_protobuf{memcpy_of_protobuf, naive_to_protobuf, naive_to_protobuf_verified,
                                      ours_to_protobuf};

void measure_frames(const Sample& sample, const Bench& bench, const char* name, std::span<const MakeVariant> rows)
{
    Round round{name, sample.protobuf.size(), "frame", Clock::thread, {}};
    round.question = "How long does converting a frame take?";
    for (const auto make : rows) round.variants.push_back(make(sample));
    bench.measure(round);
}

/// 1, 2, 4 ... and the most.
std::vector<unsigned> thread_counts(unsigned most)
{
    std::vector<unsigned> counts;
    for (unsigned count = 1; count < most; count *= 2) counts.push_back(count);
    counts.push_back(most);
    return counts;
}

class ConvertBench final : public TraceBenchCommand {
public:
    app::CommandText text() const override
    {
        return {.name = "convert",
                .summary = "Protobuf to FlatBuffers and back: ours, generated code, memcpy and cp",
                .usage = {"convert TRACE [--quick] [--json] [--html REPORT] [--repetitions N]"},
                .notes = {"Frames in memory, one by one, and whole files on 1 to N threads. Every way's result is read "
                          "by the other side's code and",
                          "compared before anything is timed."},
                .examples = {"convert drive.osi", "convert drive.mcap --html report.html",
                             "convert drive.osi --json >result.json"}};
    }

protected:
    std::string title() const override { return "Converting between Protobuf and FlatBuffers"; }
    void declare_of_verb(app::Options& options) override;
    void measure(const Sample& sample, const Bench& bench) override;

private:
    void measure_files(const Sample& sample, const Bench& bench, const char* name, const Format& from,
                       const Format& to) const;

    unsigned threads_ = 0;
};

void ConvertBench::declare_of_verb(app::Options& options) { app::declare_threads(options, threads_); }

void ConvertBench::measure(const Sample& sample, const Bench& bench)
{
    bench.say("Naive is what one would write with the code that protoc and flatc generate for all messages.");
    measure_frames(sample, bench, "Protobuf to FlatBuffers, frames in memory", rows_to_flat);
    measure_frames(sample, bench, "FlatBuffers to Protobuf, frames in memory", rows_to_protobuf);
    bench.say("Whole files are read from the page cache and written without a sync, as cp does it.");
    const Format protobuf, flat{Encoding::flatbuffers};
    measure_files(sample, bench, "Protobuf to FlatBuffers, a whole file", protobuf, flat);
    measure_files(sample, bench, "FlatBuffers to Protobuf, a whole file", flat, protobuf);
}

void ConvertBench::measure_files(const Sample& sample, const Bench& bench, const char* name, const Format& from,
                                 const Format& to) const
{
    const ScratchFolder folder(bench.scratch);
    const auto in = folder.path() / (from.encoding == Encoding::flatbuffers ? "in.osifb" : "in.osi");
    const FileTask task{sample, from, to, write_frames(in, sample, from), folder.path()};
    Round round{name, sample.protobuf.size(), "frame", Clock::wall, {copy_file_by_cp(task), naive_file(task)}};
    round.question = "How long does converting a file take?";
    const auto most = threads_ != 0 ? threads_ : std::max(1u, std::thread::hardware_concurrency());
    for (const auto threads : thread_counts(most)) round.variants.push_back(our_file(task, threads));
    bench.measure(round);
}

}  // namespace

std::unique_ptr<TraceBenchCommand> convert_bench() { return std::make_unique<ConvertBench>(); }

}  // namespace ositrace::bench
