// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cstring>

#include "app/bench/columns/column_variants.hpp"
#include "app/bench/core/verdict.hpp"
#include "app/bench/size/compression_variants.hpp"
#include "app/bench/size/plain_column_variants.hpp"
#include "app/bench/verbs.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

void measure_compression(const std::vector<FrameBytes>& frames, const char* encoding, const Bench& bench)
{
    const auto blocks = blocks_of(frames);
    for (const bool compress : {true, false}) {
        Round round{std::string(encoding) + (compress ? ", compressing" : ", decompressing"),
                    frames.size(),
                    "frame",
                    Clock::thread,
                    {}};
        for (const auto& codec : codecs())
            round.variants.push_back((compress ? compress_variant : decompress_variant)(codec, blocks));
        bench.measure(round);
    }
}

/// The reflections of the first frame that has some, of all its sensors.
ReflectionArrays arrays_of(const Sample& sample, const Elements& elements)
{
    const auto read = our_reader(*sample.table, elements, Format{});
    ReflectionArrays arrays;
    for (const auto& frame : sample.protobuf) {
        std::size_t column = 0;
        read(frame, [&](std::span<const double> numbers) {
            auto& to = column++ % 2 == 0 ? arrays.signal_strength : arrays.time_of_flight;
            to.insert(to.end(), numbers.begin(), numbers.end());
        });
        if (arrays.size() != 0) break;
    }
    return arrays;
}

Variant copy_of_arrays(const ReflectionArrays& arrays)
{
    const auto copy = std::make_shared<std::vector<double>>(2 * arrays.size());
    const auto run = [copy, &arrays] {
        const auto bytes = arrays.size() * sizeof(double);
        std::memcpy(copy->data(), arrays.signal_strength.data(), bytes);
        std::memcpy(copy->data() + arrays.size(), arrays.time_of_flight.data(), bytes);
        return 2 * bytes;
    };
    return {.name = "memcpy of the arrays",
            .what = "two columns of doubles: what memory allows",
            .role = Role::yardstick,
            .run = run};
}

/// What the first report expects of plain columns: less of everything. Doubles, not compressed.
Table published(const RoundResult& writing, const RoundResult& reading)
{
    const auto of = [](const RoundResult& round, const char* variant) -> const Timing& {
        return *std::ranges::find(round.timings, std::string_view(variant), &Timing::name);
    };
    auto table = verdict_table();
    const auto add = [&](const char* what, const RoundResult& round, auto&& value) {
        for (const char* other : {"FlatBuffers", "Protobuf"})
            add_claim(table, std::string(what) + " than " + other, "less",
                      value(of(round, "columns of doubles")) / value(of(round, other)));
    };
    const auto bytes = [](const Timing& timing) { return static_cast<double>(timing.bytes); };
    const auto median = [](const Timing& timing) { return timing.median(); };
    add("reflections as plain columns in one field are more promising: fewer bytes", writing, bytes);
    add("... less time to write", writing, median);
    add("... less time to read", reading, median);
    return table;
}

void measure_plain_columns(const ReflectionArrays& arrays, const Bench& bench)
{
    std::vector<RoundResult> results;
    for (const bool write : {true, false}) {
        Round round{write ? "writing reflections" : "reading reflections",
                    arrays.size(),
                    "reflection",
                    Clock::thread,
                    {copy_of_arrays(arrays)}};
        for (const auto& codec : codecs()) {
            if (codec.level > 3) continue;
            for (const auto& form : stored_forms())
                round.variants.push_back((write ? write_variant : read_variant)(form, codec, arrays));
        }
        results.push_back(bench.measure(round));
    }
    bench.show(published(results[0], results[1]));
}

class SizeBench final : public TraceBenchCommand {
public:
    app::CommandText text() const override
    {
        return {.name = "size",
                .summary = "bytes per frame by encoding and compression, and what compressing costs",
                .usage = {"size TRACE [--quick] [--json] [--html REPORT] [--repetitions N]"},
                .notes = {"Where there are lidar reflections, also the experiment that a study recommended: "
                          "reflections as plain columns in one bytes",
                          "field of the same message. It is a measurement, not a format."},
                .examples = {"size drive.osi", "size lidar.osi --html report.html"}};
    }

protected:
    std::string title() const override { return "What a trace weighs"; }
    void measure(const Sample& sample, const Bench& bench) override;
};

void SizeBench::measure(const Sample& sample, const Bench& bench)
{
    bench.say("Frames are compressed as in MCAP chunks, joined up to 4 MiB; MB/s are those of the uncompressed side.");
    measure_compression(sample.protobuf, "Protobuf", bench);
    measure_compression(sample.flat, "FlatBuffers", bench);
    const auto* const elements = elements_in(sample);
    if (elements == nullptr || elements->kind != ElementKind::reflections) return;
    const auto arrays = arrays_of(sample, *elements);
    bench.say("Writing and reading: signal_strength and time_of_flight of " +
              app::count_text(arrays.size(), "reflection") +
              " from arrays to a message and back. Floats are compared as floats: they hold 7 digits.");
    measure_plain_columns(arrays, bench);
}

}  // namespace

std::unique_ptr<TraceBenchCommand> size_bench() { return std::make_unique<SizeBench>(); }

}  // namespace ositrace::bench
