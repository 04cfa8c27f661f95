// SPDX-License-Identifier: MPL-2.0
// The shoot-out of serialisers of a published report: a small C struct, alone, between two threads, between processes.
#include <algorithm>
#include <array>
#include <chrono>

#include <ositrace/error.hpp>

#include "app/bench/structs/paced_exchange.hpp"
#include "app/bench/structs/process_exchange.hpp"
#include "app/bench/structs/structs_results.hpp"
#include "app/bench/verbs.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

constexpr std::array frequencies{1'000, 2'000, 5'000, 10'000, 20'000, 50'000, 100'000};  ///< Hz

using Structs = std::vector<SensorData>;

void add_answer(Answer& answer, std::span<const SensorData> structs)
{
    for (const auto& data : structs) answer.add(numbers_of(data));
}

/// The work of a row within one thread.
class Work {
public:
    Work(const StructRow& row, const Structs& structs)
        : structs_(structs), writer_(row.make()), reader_(row.make()), parsed_(structs.size()), leaves_(row.leaves)
    {
    }

    std::size_t write(std::size_t passes)
    {
        std::size_t bytes = 0;
        for (std::size_t pass = 0; pass < passes; ++pass)
            for (const auto& data : structs_) bytes += writer_->write(data, buffer_.data());
        return bytes;
    }
    /// Of what encode() has written.
    std::size_t read(std::size_t passes)
    {
        for (std::size_t pass = 0; pass < passes; ++pass)
            for (std::size_t i = 0; i < structs_.size(); ++i) reader_->read(encoded(i), parsed_[i]);
        return passes * encoded_bytes_;
    }
    std::size_t write_and_read(std::size_t passes)
    {
        std::size_t bytes = 0;
        for (std::size_t pass = 0; pass < passes; ++pass)
            for (std::size_t i = 0; i < structs_.size(); ++i) {
                const auto size = writer_->write(structs_[i], buffer_.data());
                reader_->read({buffer_.data(), size}, parsed_[i]);
                bytes += size;
            }
        return leaves_ == Leaves::bytes ? bytes : 0;
    }

    /// All structs, one after the other, each aligned.
    void encode()
    {
        constexpr std::size_t alignment = 16;
        encoded_.clear();
        places_.clear();
        encoded_bytes_ = 0;
        for (const auto& data : structs_) {
            const auto size = writer_->write(data, buffer_.data());
            places_.push_back({encoded_.size(), size});
            encoded_.insert(encoded_.end(), buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(size));
            encoded_.resize((encoded_.size() + alignment - 1) / alignment * alignment);
            encoded_bytes_ += size;
        }
    }
    void add_parsed(Answer& answer) const { add_answer(answer, parsed_); }
    /// What the last write() wrote, parsed.
    void add_written(Answer& answer)
    {
        encode();
        read(1);
        add_parsed(answer);
    }
    /// Of one struct, after everything has been used once.
    template <class One>
    std::optional<HeapUse> heap_of(One&& one)
    {
        one();
        return heap_use_of(one);
    }
    std::size_t write_one() { return writer_->write(structs_[0], buffer_.data()); }
    void read_one() { reader_->read(encoded(0), parsed_[0]); }
    void write_and_read_one() { reader_->read({buffer_.data(), write_one()}, parsed_[0]); }

private:
    struct Place {
        std::size_t at, size;
    };
    [[nodiscard]] Bytes encoded(std::size_t i) const { return {encoded_.data() + places_[i].at, places_[i].size}; }

    const Structs& structs_;
    std::unique_ptr<StructCodec> writer_, reader_;
    Structs parsed_;
    Leaves leaves_;
    alignas(64) std::array<std::byte, StructCodec::max_bytes> buffer_{};
    std::vector<std::byte> encoded_;
    std::vector<Place> places_;
    std::size_t encoded_bytes_ = 0;
};

Variant variant_of(const StructRow& row) { return {.name = row.name, .what = row.what, .role = row.role}; }

enum class StructTask : std::uint8_t { write, read, both };
constexpr std::array task_names{"serialising", "parsing", "serialising and parsing"};

Variant work_variant(const StructRow& row, StructTask task, const Structs& structs, std::size_t passes)
{
    const auto work = std::make_shared<Work>(row, structs);
    auto variant = variant_of(row);
    switch (task) {
    case StructTask::write:
        variant.heap = work->heap_of([&] { work->write_one(); });
        variant.run = [work, passes] { return work->write(passes); };
        variant.answer = [work](Answer& answer) { work->add_written(answer); };
        break;
    case StructTask::read:
        work->encode();
        variant.heap = work->heap_of([&] { work->read_one(); });
        variant.run = [work, passes] { return work->read(passes); };
        variant.answer = [work](Answer& answer) { work->add_parsed(answer); };
        break;
    case StructTask::both:
        variant.heap = work->heap_of([&] { work->write_and_read_one(); });
        variant.run = [work, passes] { return work->write_and_read(passes); };
        variant.answer = [work](Answer& answer) { work->add_parsed(answer); };
        break;
    }
    return variant;
}

/// Two threads; the answer is what their codecs make of every struct, in this thread.
Variant paced_variant(const StructRow& row, const Structs& structs, std::size_t count,
                      const std::shared_ptr<PacedSeries>& series)
{
    struct Pair {
        std::unique_ptr<StructCodec> writer, reader;
    };
    const auto pair = std::make_shared<Pair>(row.make(), row.make());
    const auto period = std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 / series->frequency));
    auto variant = variant_of(row);
    variant.run = [pair, series, &structs, count, period] {
        series->runs.push_back(exchange_paced(*pair->writer, *pair->reader, structs, count, period));
        return std::size_t{0};
    };
    variant.measured = [series] { return series->runs.back().user + series->runs.back().system; };
    variant.stages = [series] {
        return std::vector<Stage>{{"user", series->runs.back().user}, {"system", series->runs.back().system}};
    };
    variant.answer = [pair, &structs](Answer& answer) {
        Structs parsed(structs.size());
        alignas(64) std::array<std::byte, StructCodec::max_bytes> buffer{};
        for (std::size_t i = 0; i < structs.size(); ++i) {
            const auto size = pair->writer->write(structs[i], buffer.data());
            pair->reader->read({buffer.data(), size}, parsed[i]);
        }
        add_answer(answer, parsed);
    };
    return variant;
}

Variant process_variant(const StructRow& row, Transport transport, const Structs& structs, std::size_t passes)
{
    const auto exchange = std::make_shared<ProcessExchange>(row, transport, structs);
    auto variant = variant_of(row);
    variant.run = [exchange, passes] { return exchange->run(passes); };
    variant.stages = [exchange] {
        return std::vector<Stage>{{"sender", exchange->sender_time()}, {"receiver", exchange->receiver_time()}};
    };
    variant.answer = [exchange](Answer& answer) { add_answer(answer, exchange->received()); };
    return variant;
}

class StructsBench final : public BenchCommand {
public:
    app::CommandText text() const override
    {
        return {.name = "structs",
                .summary = "a small C struct, serialised and parsed: JSON, CBOR, Protobuf, XDR, FlatBuffers, ours",
                .usage = {"structs [--quick] [--json] [--html REPORT] [--repetitions N]"},
                .notes = {"The shoot-out of a published report: 1 000 000 structs within a thread; a producer and a "
                          "consumer thread at 1 to 100 kHz, their processor",
                          "time and the share of structs lost; two processes with a pipe and with shared memory. "
                          "Every published figure and conclusion is shown",
                          "beside ours. Takes several minutes."},
                .examples = {"structs --quick", "structs --html report.html"}};
    }

protected:
    std::string title() const override { return "A small C struct, serialised and parsed"; }
    int default_repetitions() const override { return 10; }
    void measure_all(const Bench& bench) override;

private:
    RoundResult measure_work(StructTask task, const Bench& bench) const;
    void measure_paced(double frequency, const Bench& bench);
    void measure_processes(Transport transport, const Bench& bench) const;

    Structs structs_;
    StructsResults results_;
};

RoundResult StructsBench::measure_work(StructTask task, const Bench& bench) const
{
    const std::size_t passes = bench.quick ? 1 : 100;
    Round round{task_names[static_cast<std::size_t>(task)], passes * structs_.size(), "struct", Clock::thread, {}};
    round.question = "How long does one struct take?";
    for (const auto& row : struct_rows())
        if (row.leaves == Leaves::bytes || task == StructTask::both)
            round.variants.push_back(work_variant(row, task, structs_, passes));
    return bench.measure(round);
}

/// As many structs as in the report, in 10 repetitions; fewer at frequencies that it did not measure.
std::size_t structs_per_run(double frequency, bool quick)
{
    if (quick) return static_cast<std::size_t>(std::max(frequency / 500, 4.0));
    return static_cast<std::size_t>(frequency < 50'000 ? frequency / 10 : 10'000);
}

void StructsBench::measure_paced(double frequency, const Bench& bench)
{
    const auto count = structs_per_run(frequency, bench.quick);
    const auto name = "two threads, every " + app::decimal_text(1e6 / frequency, 0) + " us";
    Round round{name, count, "struct", Clock::threads, {}};
    round.question = "What does a stream of structs cost between two threads?";
    std::vector<std::shared_ptr<PacedSeries>> all;
    for (const auto& row : struct_rows()) {
        const auto& series = all.emplace_back(std::make_shared<PacedSeries>(frequency, row.name));
        round.variants.push_back(paced_variant(row, structs_, count, series));
    }
    const auto result = bench.measure(round);
    for (auto& series : all) {  // the runs before the timed ones only warm up
        const auto timed = result.timings.front().samples.size();
        series->runs.erase(series->runs.begin(), series->runs.end() - static_cast<std::ptrdiff_t>(timed));
        results_.paced.push_back(std::move(series));
    }
}

void StructsBench::measure_processes(Transport transport, const Bench& bench) const
{
    const std::size_t passes = bench.quick ? 1 : 20;
    Round round{transport == Transport::pipe ? "two processes, pipe" : "two processes, shared memory",
                passes * structs_.size(),
                "struct",
                Clock::wall,
                {}};
    round.question = "How long does a struct take between two processes?";
    for (const auto& row : struct_rows())
        if (row.leaves == Leaves::bytes) round.variants.push_back(process_variant(row, transport, structs_, passes));
    bench.measure(round);
}

void StructsBench::measure_all(const Bench& bench)
{
    structs_ = sample_structs(bench.quick ? 100 : 1000);
    results_.serialising = measure_work(StructTask::write, bench);
    results_.parsing = measure_work(StructTask::read, bench);
    results_.together = measure_work(StructTask::both, bench);
    for (const double frequency : frequencies)
        if (!bench.quick || frequency == frequencies.front() || frequency >= 50'000) measure_paced(frequency, bench);
    for (const auto transport : {Transport::pipe, Transport::shared_memory}) measure_processes(transport, bench);

    bench.say("The struct is that of a radar, 18 values in " + std::to_string(sizeof(SensorData)) + " bytes; " +
              std::to_string(structs_.size()) +
              " different ones. Allocations are those of one struct. Every struct that another thread or process "
              "parsed was compared.");
    bench.say(
        "Two threads sleep with a timer slack of 1 ns; the published program with the default of 50 us, so that its "
        "periods of 10 and 20 us were longer.");
    bench.say(
        "Two processes: as fast as the receiver parses, the wall clock; sender and receiver are processor times.");
    for (const auto& library : missing_libraries())
        bench.say(library + " was not measured: it was missing when this program was built.");
    if (bench.quick) bench.say("--quick: so few structs that 'here' beside published figures means nothing.");
    bench.show(million_structs(results_));
    bench.show(paced_figures(results_));
    bench.show(processor_curve(results_));
    auto conclusions = structs_conclusions(results_);
    bench.answer(structs_headline(results_, conclusions));
    bench.show(std::move(conclusions));
}

}  // namespace

std::unique_ptr<app::Command> structs_bench() { return std::make_unique<StructsBench>(); }

}  // namespace ositrace::bench
