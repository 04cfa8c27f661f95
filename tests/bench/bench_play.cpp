// SPDX-License-Identifier: MPL-2.0
// How punctual the player is, beside an empty loop that does nothing but wait, in turns in the same run: the machine's
// share of the lateness is in both; with the FMU host built, how soon an FMU's step is entered, too. Every limit is
// printed with what was reached. usage: ositrace-bench-play [--quick] [--only objects|small|fmu|lidar|memory] [FOLDER
// for traces, 400 MB]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/prctl.h>
#include <time.h>

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/error.hpp>
#include <ositrace/model_sink.hpp>
#include <ositrace/player.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/trace_writer.hpp>

#ifdef OSITRACE_TEST_MODEL
#include "tests/bench/fmu_entry.hpp"
#endif

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

/// How late each step came, and how many never did.
struct Outcome {
    std::vector<Nanoseconds> late;
    std::uint64_t due = 0;
    std::uint64_t lost = 0;

    /// So many can be noted in memory that is there already: fresh pages cost more than a period.
    explicit Outcome(std::uint64_t deadlines = 0) : late(deadlines), due(deadlines) { late.clear(); }

    void add(const Outcome& other)
    {
        late.insert(late.end(), other.late.begin(), other.late.end());
        due += other.due;
        lost += other.lost;
    }
    [[nodiscard]] double quantile_us(double share) const
    {
        if (late.empty()) return 0;
        auto sorted = late;
        std::ranges::sort(sorted);
        return static_cast<double>(sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(
                                                                          share * static_cast<double>(sorted.size())))]
                                       .count()) /
               1e3;
    }
    [[nodiscard]] double lost_percent() const
    {
        return due == 0 ? 0 : 100.0 * static_cast<double>(lost) / static_cast<double>(due);
    }
};

/// The best waiter: sleeps to shortly before the deadline with the finest timer slack, and spins over the rest. A
/// deadline is lost when the next one has come already, as with `--late drop`.
Outcome empty_loop(const Clock& clock, Nanoseconds period, std::uint64_t deadlines)
{
    constexpr auto spin = 100us;
    ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    Outcome outcome(deadlines);
    const auto start = clock.now();
    for (std::uint64_t i = 0; i < deadlines; ++i) {
        const auto deadline = start + static_cast<std::int64_t>(i) * period;
        if (const auto until = deadline - spin; until > clock.now()) {
            const timespec at{static_cast<time_t>(until.count() / 1'000'000'000),
                              static_cast<long>(until.count() % 1'000'000'000)};
            while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) != 0) {
            }
        }
        auto now = clock.now();
        while (now < deadline) now = clock.now();
        if (i + 1 < deadlines && now >= deadline + period)
            ++outcome.lost;
        else
            outcome.late.push_back(now - deadline);
    }
    return outcome;
}

/// A model that notes when its step is entered and does nothing; in front of another one, where there is one.
class EntryNoted final : public SensorModel {
public:
    EntryNoted(const Clock& clock, std::uint64_t deadlines, SensorModel* behind)
        : outcome(deadlines), clock_(clock), behind_(behind)
    {
    }
    void initialize(const TraceInfo& inputs, const PlayStart& start) override
    {
        if (behind_) behind_->initialize(inputs, start);
    }
    const TraceInfo& outputs() const noexcept override { return behind_ ? behind_->outputs() : none_; }
    std::span<const Frame> step(std::span<const Frame> inputs, Nanoseconds now, Nanoseconds length) override
    {
        outcome.late.push_back(clock_.now() - deadline);
        return behind_ ? behind_->step(inputs, now, length) : std::span<const Frame>();
    }
    void finish() override
    {
        if (behind_) behind_->finish();
    }

    Nanoseconds deadline{};
    Outcome outcome;

private:
    const Clock& clock_;
    SensorModel* behind_;
    TraceInfo none_;
};

Outcome play(const std::shared_ptr<const Trace>& trace, Clock& clock, PlayOptions options, SensorModel* model = nullptr)
{
    EntryNoted noted(clock, trace->frame_count() * options.rounds, model);
    const auto sink = step_models({{&noted, "noted"}}, {});
    FrameSink* const sinks[] = {sink.get()};
    options.rate = 1;
    options.drop_late = true;
    options.on_due = [&](const PlayStatus& status) { noted.deadline = clock.now() - status.late; };
    const auto report = Player(trace, sinks, clock, std::move(options)).run();
    noted.outcome.due = report.frames + report.lost;
    noted.outcome.lost = report.lost;
    return std::move(noted.outcome);
}

std::shared_ptr<const Trace> scene(const std::filesystem::path& file, const SceneOptions& options)
{
    SceneSource source(options);
    const auto writer = create_trace(file, source.info(), {.overwrite = true, .sync = false});
    for (Frame frame; source.read(frame);) writer->write(frame);
    writer->close();
    return open_trace(file);
}

long resident_kilobytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmRSS:")) return std::strtol(line.c_str() + 6, nullptr, 10);
    return 0;
}

void print_row(const char* name, const Outcome& ours, const Outcome& empty)
{
    std::printf("%-44s  %9s %9s %9s %9s  %7s\n", name, "p50 us", "p99 us", "max us", "lost", "lost %");
    for (const auto& [who, outcome] :
         {std::pair("empty loop", &empty), std::pair("ositrace, deadline to entry of the step", &ours)})
        std::printf("  %-42s  %9.2f %9.2f %9.1f %9llu  %7.3f\n", who, outcome->quantile_us(0.5),
                    outcome->quantile_us(0.99), outcome->quantile_us(1), static_cast<unsigned long long>(outcome->lost),
                    outcome->lost_percent());
}

const char* verdict(bool reached) { return reached ? "reached" : "NOT reached"; }

/// Runs both in turns, now the one first and now the other, so that what else the machine does meets both.
std::pair<Outcome, Outcome> in_turns(int turns, const std::function<Outcome()>& ours,
                                     const std::function<Outcome()>& empty)
{
    std::pair<Outcome, Outcome> sums;
    for (int turn = 0; turn < turns; ++turn) {
        if (turn % 2 == 0) sums.first.add(ours());
        sums.second.add(empty());
        if (turn % 2 != 0) sums.first.add(ours());
    }
    return sums;
}

void objects_at_100_hz(const std::filesystem::path& folder, Clock& clock, bool quick)
{
    constexpr std::uint64_t frames_a_turn = 250;
    const auto trace = scene(folder / "objects.osi", {.frames = frames_a_turn,
                                                      .period = 10ms,
                                                      .moving_objects = 50,
                                                      .reflections = 0,
                                                      .static_data = StaticData::first_frame});
    const auto [ours, empty] = in_turns(
        quick ? 2 : 12, [&] { return play(trace, clock, {}); }, [&] { return empty_loop(clock, 10ms, frames_a_turn); });
    print_row(quick ? "50 objects, 100 Hz, 5 s" : "50 objects, 100 Hz, 30 s", ours, empty);
    const auto ratio = ours.quantile_us(0.99) / empty.quantile_us(0.99);
    std::printf("  no frame lost: %s. p99 %.2f times that of the empty loop (at most 2): %s\n", verdict(ours.lost == 0),
                ratio, verdict(ratio <= 2));
    std::printf("  half of the steps are entered %.2f us after their deadline (at most 5): %s\n\n",
                ours.quantile_us(0.5), verdict(ours.quantile_us(0.5) < 5));
}

void small_frames_at_50_khz(const std::filesystem::path& folder, Clock& clock, bool quick)
{
    constexpr std::uint64_t frames_a_turn =
        10'000;  // 0.2 s: a shared machine is now fast and now slow, for tenths of a second
    const auto trace = scene(folder / "small.osi", {.type = MessageType::ground_truth,
                                                    .frames = frames_a_turn,
                                                    .period = 20us,
                                                    .moving_objects = 0,
                                                    .reflections = 0,
                                                    .static_data = StaticData::never});
    const auto [ours, empty] = in_turns(
        quick ? 2 : 10, [&] { return play(trace, clock, {}); }, [&] { return empty_loop(clock, 20us, frames_a_turn); });
    print_row(quick ? "small frames, period 20 us, 25 000" : "small frames, period 20 us, 100 000", ours, empty);
    const auto allowed = 2 * empty.lost_percent() + 0.1;
    std::printf("  %.3f %% lost (at most twice the empty loop's + 0.1 %% = %.3f %%): %s\n\n", ours.lost_percent(),
                allowed, verdict(ours.lost_percent() <= allowed));
}

std::shared_ptr<const Trace> lidar(const std::filesystem::path& folder)
{
    return scene(folder / "lidar.osi", {.frames = 20, .moving_objects = 10, .reflections = 829'440});
}

void lidar_at_10_hz(const std::filesystem::path& folder, Clock& clock, bool quick)
{
    const auto trace = lidar(folder);
    const auto turn = [&] {
        const auto model = dummy_sensor();
        return play(trace, clock, {.rounds = 2}, model.get());
    };
    const auto [ours, empty] =
        in_turns(quick ? 1 : 3, turn, [&] { return empty_loop(clock, 100ms, 2 * trace->frame_count()); });
    print_row("829 440 reflections, 10 Hz, dummy sensor", ours, empty);
    std::printf("  no frame lost: %s\n\n", verdict(ours.lost == 0));
}

void memory_over_a_long_replay(const std::filesystem::path& folder, Clock& clock, bool quick)
{
    const auto trace = lidar(folder);
    const std::uint64_t wanted = quick ? 1'000'000'000 : 10'000'000'000;
    const auto round = trace->frame_sizes().total;
    std::vector<long> at_rounds;
    std::uint64_t last_round = UINT64_MAX;
    PlayOptions options{.rounds = wanted / round + 1};
    options.on_status = [&](const PlayStatus& status) {
        if (std::exchange(last_round, status.position.round) != status.position.round)
            at_rounds.push_back(resident_kilobytes());
    };
    struct Taken final : FrameSink {
        void take(std::span<const Frame>, Nanoseconds, const TraceInfo&) override {}
    } taken;
    FrameSink* const sinks[] = {&taken};
    const auto report = Player(trace, sinks, clock, std::move(options)).run();
    const auto most_at_first =
        *std::max_element(at_rounds.begin(), at_rounds.begin() + static_cast<std::ptrdiff_t>(at_rounds.size() / 2));
    const auto most_at_last =
        *std::max_element(at_rounds.begin() + static_cast<std::ptrdiff_t>(at_rounds.size() / 2), at_rounds.end());
    std::printf(
        "%.1f GB at max in %.1f s: at most %ld MB resident in its first half, %ld MB in its second (no more than "
        "10 %% apart): %s\n",
        static_cast<double>(at_rounds.size() * round) / 1e9, std::chrono::duration<double>(report.played).count(),
        most_at_first / 1000, most_at_last / 1000,
        verdict(static_cast<double>(most_at_last) <= 1.1 * static_cast<double>(most_at_first)));
}

#ifdef OSITRACE_TEST_MODEL
void entry_of_fmus(const std::filesystem::path&, Clock&, bool quick) { measure_fmu_entry(quick); }
#endif

struct Measurement {
    std::string_view name;
    void (*run)(const std::filesystem::path& folder, Clock& clock, bool quick);
};

constexpr Measurement measurements[] = {
    {"objects", objects_at_100_hz}, {"small", small_frames_at_50_khz},
#ifdef OSITRACE_TEST_MODEL
    {"fmu", entry_of_fmus},
#endif
    {"lidar", lidar_at_10_hz},      {"memory", memory_over_a_long_replay},
};

}  // namespace

int main(int argc, char** argv)
try {
    bool quick = false;
    std::string_view only;
    auto folder = std::filesystem::temp_directory_path();
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--quick")
            quick = true;
        else if (word == "--only" && i + 1 < argc)
            only = argv[++i];
        else
            folder = word;
    }
    if (!only.empty() && std::ranges::find(measurements, only, &Measurement::name) == std::end(measurements))
        throw Error(Cause::usage, "no measurement is named '" + std::string(only) + "'");
    folder /= "ositrace-bench-play";
    std::filesystem::create_directories(folder);
    const auto clock = monotonic_clock();
    for (const auto& measurement : measurements)
        if (only.empty() || only == measurement.name) measurement.run(folder, *clock, quick);
    std::filesystem::remove_all(folder);
} catch (const std::exception& e) {
    std::fprintf(stderr, "ositrace-bench-play: %s\n", e.what());
    return 1;
}
