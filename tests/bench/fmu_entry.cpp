// SPDX-License-Identifier: MPL-2.0
#include "tests/bench/fmu_entry.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/clock.hpp>
#include <ositrace/fmu_model.hpp>

namespace ositrace {

namespace {

using namespace std::chrono_literals;

struct Pace {
    const char* name;
    Nanoseconds period;
    std::size_t payload_bytes;
};

constexpr Pace paces[] = {{"100 Hz, frames of 1 kB", 10ms, 1'000},
                          {"1 kHz, frames of 1 kB", 1ms, 1'000},
                          {"10 Hz, frames of 16 MB", 100ms, 16'000'000}};

TraceInfo sensor_views()
{
    Channel channel{.topic = "trace",
                    .type = MessageType::sensor_view,
                    .type_name = "osi3.SensorView",
                    .schema = Schema::built_in()};
    channel.root = &channel.schema->root(MessageType::sensor_view);
    TraceInfo info;
    info.channels.push_back(channel);
    return info;
}

/// SensorView { timestamp {}, generic_sensor_view of so many bytes } that nobody looks into
Frame sensor_view(std::size_t bytes)
{
    auto payload = std::make_shared<std::string>("\x12\x00", 2);
    for (const char part : std::string("\x82\x80\x80\x80\x7c")) payload->push_back(part);  // an unknown field
    auto length = bytes;
    for (; length >= 128; length >>= 7) payload->push_back(static_cast<char>(length | 128));
    payload->push_back(static_cast<char>(length));
    payload->append(bytes, 'x');
    return {.bytes = bytes_of(*payload), .owner = payload};
}

/// Of one deadline: until the step was called, which is the scheduler's part, and from there to its entry, which is
/// ours.
struct Sample {
    Nanoseconds call, entry;
};

double microseconds(Nanoseconds time) { return static_cast<double>(time.count()) / 1e3; }

double quantile(const std::vector<Sample>& samples, double share, Nanoseconds (*of)(const Sample&))
{
    std::vector<Nanoseconds> times;
    for (const auto& sample : samples) times.push_back(of(sample));
    std::ranges::sort(times);
    return microseconds(times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))]);
}

Nanoseconds whole_of(const Sample& sample) { return sample.call + sample.entry; }
Nanoseconds entry_of(const Sample& sample) { return sample.entry; }

void print_row(const char* name, const std::vector<Sample>& samples)
{
    std::printf("  %-42s  %9.2f %9.2f %9.1f %15.2f %9.2f\n", name, quantile(samples, 0.5, whole_of),
                quantile(samples, 0.99, whole_of), quantile(samples, 1, whole_of), quantile(samples, 0.5, entry_of),
                quantile(samples, 0.99, entry_of));
}

/// What a step needs is prepared long before its deadline and again shortly before, as the player does; `act` returns
/// when what is measured happened, counted from its call.
struct Measured {
    std::function<void()> prepare;
    std::function<Nanoseconds(std::int64_t step)> act;
};

std::vector<Sample> lateness_of(const Pace& pace, Nanoseconds seconds, const Measured& measured)
{
    const auto clock = monotonic_clock();
    const auto steps = std::max<std::int64_t>(seconds / pace.period, 20);
    std::vector<Sample> samples;
    auto deadline = clock->now() + pace.period;
    for (std::int64_t i = 0; i < steps; ++i, deadline += pace.period) {
        measured.prepare();
        clock->wait_until(deadline - 50us, {});
        measured.prepare();
        clock->wait_until(deadline, {});
        const auto called = clock->now();
        const auto later = measured.act(i);
        if (i >= 5) samples.push_back({called - deadline, later});  // the first ones touch fresh memory
    }
    return samples;
}

FmuOptions options_for(bool in_process)
{
    FmuOptions options;
    options.parameters = {{"behaviour", "nothing"}};
    options.in_process = in_process;
    options.host_program = OSITRACE_FMU_HOST_PROGRAM;
    return options;
}

std::vector<Sample> entries_of(bool in_process, const Pace& pace, Nanoseconds seconds)
{
    const auto model = open_fmu(OSITRACE_TEST_MODEL, options_for(in_process));
    const auto info = sensor_views();
    const std::vector frames{sensor_view(pace.payload_bytes)};
    model->initialize(info, {{}, pace.period, frames});
    auto samples = lateness_of(pace, seconds,
                               {[&] { model->prepare(frames); },
                                [&](std::int64_t i) {
                                    static_cast<void>(model->step(frames, pace.period * i, pace.period));
                                    return model->last_step_entry();
                                }});
    model->finish();
    return samples;
}

const char* verdict(bool reached) { return reached ? "reached" : "NOT reached"; }

void entry_at(const Pace& pace, Nanoseconds seconds)
{
    std::printf("%-44s  %9s %9s %9s   from the call: p50 us    p99 us\n", pace.name, "p50 us", "p99 us", "max us");
    print_row("empty loop", lateness_of(pace, seconds, {[] {}, [](std::int64_t) { return Nanoseconds(0); }}));
    const auto inside = entries_of(true, pace, seconds);
    print_row("FMU in process, deadline to entry", inside);
    const auto child = entries_of(false, pace, seconds);
    print_row("FMU in a child process, deadline to entry", child);
    const auto half_inside = quantile(inside, 0.5, whole_of);
    const auto half_child = quantile(child, 0.5, whole_of);
    std::printf(
        "  half of the steps in process within %.2f us (at most 5): %s; in a child within %.2f us (at most 50): %s\n\n",
        half_inside, verdict(half_inside < 5), half_child, verdict(half_child < 50));
}

/// Median gigabytes per second of a copy.
double speed_of(std::size_t bytes, int times, const std::function<void()>& copy, const std::function<void()>& between)
{
    const auto clock = monotonic_clock();
    std::vector<Nanoseconds> taken;
    for (int i = 0; i < times; ++i) {
        const auto before = clock->now();
        copy();
        taken.push_back(clock->now() - before);
        between();
    }
    std::ranges::sort(taken);
    return static_cast<double>(bytes) / static_cast<double>(taken[taken.size() / 2].count());
}

void large_frames_into_a_child(int times)
{
    const auto model = open_fmu(OSITRACE_TEST_MODEL, options_for(false));
    const auto info = sensor_views();
    const std::vector frames{sensor_view(16'000'000)};
    const auto bytes = frames[0].bytes.size();
    model->initialize(info, {{}, 100ms, frames});
    std::int64_t step = 0;
    const auto take_step = [&] { static_cast<void>(model->step(frames, 100ms * step++, 100ms)); };
    for (int i = 0; i < 3; ++i) take_step();  // fresh memory, in both windows
    const auto into_child = speed_of(bytes, times, [&] { model->prepare(frames); }, take_step);
    model->finish();
    std::vector<std::byte> to[2]{std::vector<std::byte>(bytes),
                                 std::vector<std::byte>(bytes)};  // as many places as there are windows
    int turn = 0;
    const auto copied =
        speed_of(bytes, times, [&] { std::memcpy(to[turn ^= 1].data(), frames[0].bytes.data(), bytes); }, [] {});
    std::printf(
        "frames of 16 MB into a child process, before they are due: %.1f GB/s, memcpy of as much %.1f GB/s: %.2f times "
        "its time\n\n",
        into_child, copied, copied / into_child);
}

}  // namespace

void measure_fmu_entry(bool quick)
{
    for (const auto& pace : paces) entry_at(pace, quick ? 1s : 5s);
    large_frames_into_a_child(quick ? 11 : 51);
}

}  // namespace ositrace
