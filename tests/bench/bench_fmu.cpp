// SPDX-License-Identifier: MPL-2.0
// From a frame's deadline to the entry of an FMU's step, in a child process and in this one, next to what an empty loop is late by in the
// same run. usage: bench_fmu MODEL.fmu HOST-PROGRAM [SECONDS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ositrace/clock.hpp>
#include <ositrace/fmu.hpp>

namespace ositrace {

namespace {

using namespace std::chrono_literals;

struct Pace {
    const char* name;
    Nanoseconds period;
    std::size_t payload_bytes;
};

constexpr Pace paces[] = {{"10 Hz, 1 kB", 100ms, 1'000},     {"100 Hz, 1 kB", 10ms, 1'000},     {"1 kHz, 1 kB", 1ms, 1'000},
                          {"100 Hz, 100 kB", 10ms, 100'000}, {"10 Hz, 1 MB", 100ms, 1'000'000}, {"10 Hz, 16 MB", 100ms, 16'000'000}};

TraceInfo sensor_views()
{
    Channel channel{.topic = "trace", .type = MessageType::sensor_view, .type_name = "osi3.SensorView", .schema = Schema::built_in()};
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

/// Of one deadline: until the step was called, which is the scheduler's part, and from there to its entry, which is ours.
struct Sample {
    Nanoseconds call, entry;
};

double quantile(const std::vector<Sample>& samples, double share, Nanoseconds (*of)(const Sample&))
{
    std::vector<Nanoseconds> times;
    for (const auto& sample : samples) times.push_back(of(sample));
    std::ranges::sort(times);
    return static_cast<double>(times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))].count()) / 1000;
}

void print_row(const char* name, const std::vector<Sample>& samples)
{
    constexpr auto whole = [](const Sample& sample) { return sample.call + sample.entry; };
    constexpr auto entry = [](const Sample& sample) { return sample.entry; };
    std::printf("  %-14s %9.1f %9.1f %9.1f us %15.1f %9.1f us\n", name, quantile(samples, 0.5, whole), quantile(samples, 0.99, whole),
                quantile(samples, 1, whole), quantile(samples, 0.5, entry), quantile(samples, 0.99, entry));
}

/// `prepare` long before and `act` at every deadline; it returns when what is measured happened.
template <class Act>
std::vector<Sample> lateness_of(const Pace& pace, Nanoseconds seconds, const std::function<void()>& prepare, Act&& act)
{
    const auto clock = monotonic_clock();
    const auto steps = std::max<std::int64_t>(seconds / pace.period, 20);
    std::vector<Sample> samples;
    auto deadline = clock->now() + pace.period;
    for (std::int64_t i = 0; i < steps; ++i, deadline += pace.period) {
        prepare();
        clock->wait_until(deadline, {});
        const auto called = clock->now();
        const auto later = act(i);
        if (i >= 5) samples.push_back({called - deadline, later});  // the first ones touch fresh memory
    }
    return samples;
}

void measure(const char* name, const std::filesystem::path& fmu, FmuOptions options, const Pace& pace, Nanoseconds seconds)
{
    options.parameters = {{"behaviour", "nothing"}};
    FmuModel model(fmu, std::move(options));
    const auto info = sensor_views();
    const std::vector frames{sensor_view(pace.payload_bytes)};
    model.initialize(info, {{}, pace.period, frames});
    print_row(name, lateness_of(pace, seconds, [&] { model.prepare(frames); }, [&](std::int64_t i) {
                  static_cast<void>(model.step(frames, pace.period * i, pace.period));
                  return model.last_step_entry();
              }));
    model.finish();
}

}  // namespace

}  // namespace ositrace

int main(int count, char** words)
{
    using namespace ositrace;
    if (count < 3) {
        std::fprintf(stderr, "usage: bench_fmu MODEL.fmu HOST-PROGRAM [SECONDS]\n");
        return 2;
    }
    const auto seconds = std::chrono::seconds(count > 3 ? std::atoi(words[3]) : 3);
    FmuOptions child, in_process;
    child.host_program = words[2];
    in_process.in_process = true;
    std::printf("deadline -> entry of the model's step    p50       p99       max    of it from the call: p50       p99\n");
    for (const auto& pace : paces) {
        std::printf("%s\n", pace.name);
        print_row("empty loop", lateness_of(pace, seconds, [] {}, [](std::int64_t) { return Nanoseconds(0); }));
        measure("in process", words[1], in_process, pace, seconds);
        measure("child process", words[1], child, pace, seconds);
    }
}
