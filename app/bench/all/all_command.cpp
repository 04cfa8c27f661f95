// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <span>

#include "app/bench/columns/elements.hpp"
#include "app/bench/core/report.hpp"
#include "app/bench/core/sample.hpp"
#include "app/bench/verbs.hpp"
#include "app/terminal/quantity.hpp"
#ifdef OSITRACE_BENCH_MODELS
#include "app/bench/core/scratch_folder.hpp"
#include "app/bench/replay/replay_variants.hpp"
#endif

namespace ositrace::bench {
namespace {

/// The variant of a round whose name begins like this; null: there is none.
struct Place {
    const char *round, *variant;
};

/// A row: the variants with Protobuf, FlatBuffers, FlatBuffers verified, and ositrace on both encodings.
struct Question {
    const char* title;
    bool time;  ///< else bytes
    std::array<Place, 5> places;
};
constexpr const char *to_flat = "Protobuf to FlatBuffers, frames", *to_protobuf = "FlatBuffers to Protobuf, frames",
                     *into_sensor = "every 18th reflection into the sensor, warm", *into_arrays = "lidar ";
constexpr Place none{};
constexpr std::array questions{
    Question{"bytes a frame, zstd 3",
             false,
             {{{"Protobuf, compressing", "zstd 3"}, {"FlatBuffers, compressing", "zstd 3"}, none, none, none}}},
    Question{"from file to the dummy sensor's result, a frame",
             true,
             {{{into_sensor, "Protobuf, reused"},
               {into_sensor, "FlatBuffers"},
               {into_sensor, "FlatBuffers, verified"},
               {into_sensor, "ositrace, Protobuf"},
               {into_sensor, "ositrace, FlatBuffers"}}}},
    Question{
        "... with new messages for every frame", true, {{{into_sensor, "Protobuf, fresh"}, none, none, none, none}}},
    Question{"an element into arrays, from memory",
             true,
             {{{into_arrays, "libprotobuf"},
               {into_arrays, "flatbuffers"},
               {into_arrays, "flatbuffers, verified"},
               {into_arrays, "ositrace, of Protobuf"},
               {into_arrays, "ositrace, of FlatBuffers"}}}},
    Question{"parsing a frame into objects", true, {{{to_flat, "libprotobuf, parse alone"}, none, none, none, none}}},
    Question{"converting a frame into the other encoding",
             true,
             {{{to_flat, "naive"},
               {to_protobuf, "naive"},
               {to_protobuf, "naive, verified"},
               {to_flat, "ositrace"},
               {to_protobuf, "ositrace"}}}},
};

using Cells = std::array<std::optional<double>, 5>;

const RoundResult* round_named(std::span<const RoundResult> rounds, std::string_view begin)
{
    const auto found =
        std::ranges::find_if(rounds, [&](const RoundResult& round) { return round.name.starts_with(begin); });
    return found == rounds.end() ? nullptr : &*found;
}

/// Per thing.
std::optional<double> found(std::span<const RoundResult> rounds, const Place& place, bool time)
{
    if (place.round == nullptr) return std::nullopt;
    const auto* const round = round_named(rounds, place.round);
    if (round == nullptr) return std::nullopt;
    const auto timing = std::ranges::find(round->timings, std::string_view(place.variant), &Timing::name);
    if (timing == round->timings.end()) return std::nullopt;
    return (time ? timing->median() : static_cast<double>(timing->bytes)) / static_cast<double>(round->things);
}

Cells cells_of(std::span<const RoundResult> rounds, const Question& question)
{
    Cells cells;
    std::ranges::transform(question.places, cells.begin(),
                           [&](const Place& place) { return found(rounds, place, question.time); });
    return cells;
}

void add_row(Table& table, const char* title, const Cells& cells, bool time)
{
    std::vector<std::string> row{title};
    for (const auto& cell : cells)
        row.push_back(!cell ? "" : time ? time_text(*cell) : app::bytes_text(static_cast<std::uint64_t>(*cell)));
    table.rows.push_back(std::move(row));
}

std::string times(double ratio) { return ratio_text(ratio) + " times"; }

/// A note about reading, if all five variants were measured.
void add_sentences(Table& table, const char* title, const Cells& cells)
{
    if (!std::ranges::all_of(cells, [](const auto& cell) { return cell.has_value(); })) return;
    const double protobuf = *cells[0];
    table.notes.push_back(
        std::string(title) + ": beside libprotobuf with messages that are reused, FlatBuffers takes " +
        times(*cells[1] / protobuf) + " as long where the file is trusted, " + times(*cells[2] / protobuf) +
        " after its Verifier; ositrace takes " + times(*cells[3] / protobuf) + " as long on Protobuf and " +
        times(*cells[4] / protobuf) + " on FlatBuffers, every access checked.");
}

/// Protobuf or FlatBuffers? The results of the other verbs on a sample, as a table and some sentences.
Table short_answer(const Sample& sample, std::span<const RoundResult> rounds)
{
    const double frames = static_cast<double>(sample.protobuf.size());
    const double protobuf = static_cast<double>(sample.protobuf_bytes), flat = static_cast<double>(sample.flat_bytes);
    Table table{"Protobuf or FlatBuffers? In short",
                {"FlatBuffers takes " + times(flat / protobuf) + " the bytes of Protobuf."},
                {}};
    table.rows.push_back(
        {"", "Protobuf", "FlatBuffers", "FlatBuffers, verified", "ositrace on Protobuf", "ositrace on FlatBuffers"});
    add_row(table, "bytes a frame", {protobuf / frames, flat / frames}, false);
    for (const auto& question : questions) {
        const auto cells = cells_of(rounds, question);
        if (std::ranges::none_of(cells, [](const auto& cell) { return cell.has_value(); })) continue;
        add_row(table, question.title, cells, question.time);
        if (question.time && question.places[2].round != to_protobuf) add_sentences(table, question.title, cells);
    }
    return table;
}

/// A bar for every variant of a round, the limit included.
std::vector<Bar> bars_of_all(const RoundResult& round)
{
    std::vector<Bar> bars;
    const auto things = static_cast<double>(round.things);
    for (const auto& timing : round.timings) {
        const double time = timing.median() / things;
        bars.push_back({timing.name, timing.role, time, time_text(time)});
    }
    return bars;
}

/// Reading is the question if it was measured in all five ways; else converting is.
std::string sentence_of(std::optional<Cells> reading, const std::string& thing, double growth, double converting,
                        double naive)
{
    const auto bytes = "FlatBuffers take " + times(growth) + " the bytes";
    if (!reading)
        return "Stay with Protobuf: " + bytes + ", and ositrace converts a frame in " + time_text(converting) +
               " where a program needs them (generated code: " + time_text(naive) + ").";
    const double ours = *(*reading)[3], ours_flat = *(*reading)[4], verified = *(*reading)[2];
    constexpr double hardly_slower = 1.25;
    if (ours <= hardly_slower * std::min(ours_flat, verified))
        return "Stay with Protobuf and read it with ositrace: " + time_text(ours) + " a " + thing +
               ", where libprotobuf takes " + time_text(*(*reading)[0]) + " and verified FlatBuffers take " +
               time_text(verified) + "; " + bytes + ".";
    return "Convert to FlatBuffers if you read a trace often: " + time_text(std::min(ours_flat, verified)) + " a " +
           thing + " instead of " + time_text(ours) + " from Protobuf with ositrace and " + time_text(*(*reading)[0]) +
           " with libprotobuf; " + bytes + ".";
}

/// What follows from the measured ratios; what was not measured is left out.
std::vector<std::string> advice_of(std::span<const RoundResult> rounds)
{
    const auto time = [&](const char* round, const char* variant) { return found(rounds, {round, variant}, true); };
    std::vector<std::string> advice;
    const auto reused = time(into_sensor, "Protobuf, reused"), fresh = time(into_sensor, "Protobuf, fresh");
    if (reused && fresh)
        advice.push_back("With libprotobuf, reuse messages: new ones for every frame take " + times(*fresh / *reused) +
                         " as long.");
    const auto trusted = time(into_sensor, "FlatBuffers"), verified = time(into_sensor, "FlatBuffers, verified"),
               checked = time(into_sensor, "ositrace, FlatBuffers");
    if (trusted && verified && checked)
        advice.push_back("Verify FlatBuffers that others wrote. The Verifier makes reading take " +
                         times(*verified / *trusted) + " as long; ositrace checks what it reads and takes " +
                         times(*checked / *trusted) + " as long.");
    const auto objects = time(into_arrays, "libprotobuf"), arrays = time(into_arrays, "ositrace, of Protobuf");
    if (objects && arrays)
        advice.push_back("Read columns instead of objects: an element takes " + time_text(*arrays) +
                         " with ColumnReader, " + time_text(*objects) + " with libprotobuf.");
    const auto ours = time(to_flat, "ositrace"), naive = time(to_flat, "naive");
    if (ours && naive)
        advice.push_back("Convert for programs that read FlatBuffers with 'osiconvert proto2flat': " +
                         time_text(*ours) + " a frame, generated code takes " + time_text(*naive) + ".");
    const auto zstd = found(rounds, {"Protobuf, compressing", "zstd 3"}, false),
               plain = found(rounds, {"Protobuf, compressing", "none"}, false);
    if (zstd && plain) advice.push_back("Store traces as .mcap with zstd: " + times(*zstd / *plain) + " the bytes.");
    return advice;
}

/// The answer, from the first of these rounds that was measured in all ways.
Headline headline_of(const Sample& sample, std::span<const RoundResult> rounds)
{
    const double growth = static_cast<double>(sample.flat_bytes) / static_cast<double>(sample.protobuf_bytes);
    const auto converting = found(rounds, {to_flat, "ositrace"}, true), naive = found(rounds, {to_flat, "naive"}, true);
    const auto* shown = round_named(rounds, to_flat);
    std::optional<Cells> reading;
    for (const auto& question : questions) {
        if (question.places[4].round != into_sensor && question.places[4].round != into_arrays) continue;
        const auto cells = cells_of(rounds, question);
        if (reading || !std::ranges::all_of(cells, [](const auto& cell) { return cell.has_value(); })) continue;
        reading = cells;
        shown = round_named(rounds, question.places[4].round);
    }
    return {sentence_of(reading, shown->thing, growth, converting.value_or(0), naive.value_or(0)),
            "Time of a " + shown->thing + ": " + shown->name, bars_of_all(*shown), advice_of(rounds)};
}

/// Runs the other verbs for traces on one sample, and draws conclusions.
class AllBench final : public TraceBenchCommand {
public:
    app::CommandText text() const override
    {
        return {
            .name = "all",
            .summary = "Protobuf or FlatBuffers? All that can be measured on one trace, and the answer in short",
            .usage = {"all TRACE [--quick] [--json] [--html REPORT] [--repetitions N]"},
            .notes = {"The measurements of convert and size; of columns where there are reflections or detections; of "
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
    bench.answer(headline_of(sample, results));
    bench.show(short_answer(sample, results));
}

}  // namespace

std::unique_ptr<app::Command> all_bench() { return std::make_unique<AllBench>(); }

}  // namespace ositrace::bench
