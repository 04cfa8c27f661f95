// SPDX-License-Identifier: MPL-2.0
// The dummy models in all their forms, side by side: the five stages of a step, in processor time, medians.
// usage: ositrace-bench-dummy [--quick] [OBJECTS REFLECTIONS [RAYS]]
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/dummy/opponents.hpp"

namespace {

using namespace ositrace;
using namespace ositrace::bench;

constexpr std::array stage_names{"generate", "serialize", "deserialize", "calculate", "serialize"};

double now_us()
{
    std::timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

/// Stage times of one form: its source and its sensor.
class Stages {
public:
    void note(PerformanceEvent event)
    {
        const auto now = now_us();
        switch (event) {
        case PerformanceEvent::start_source_calculation: source_ = true; break;
        case PerformanceEvent::start_deserialize: source_ = false; break;
        case PerformanceEvent::stop_deserialize: add(2, now); break;
        case PerformanceEvent::start_serialize: add(source_ ? 0 : 3, now); break;
        case PerformanceEvent::stop_serialize: add(source_ ? 1 : 4, now); break;
        }
        last_ = now_us();
    }
    [[nodiscard]] double median(std::size_t stage) const
    {
        auto sorted = samples_[stage];
        if (sorted.empty()) return 0;
        std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
        return sorted[sorted.size() / 2];
    }
    [[nodiscard]] double sum(std::size_t from, std::size_t to) const
    {
        double all = 0;
        for (auto stage = from; stage != to; ++stage) all += median(stage);
        return all;
    }
    void clear()
    {
        for (auto& samples : samples_) samples.clear();
    }

private:
    void add(std::size_t stage, double now) { samples_[stage].push_back(now - last_); }

    std::array<std::vector<double>, stage_names.size()> samples_;
    double last_ = 0;
    bool source_ = false;
};

struct Form {
    std::string name;
    std::unique_ptr<SensorModel> source, sensor;
    Stages stages;
    std::size_t view_bytes = 0, data_bytes = 0;
};

struct Load {
    DummySourceOptions source;
    bool carry;
};

std::vector<std::unique_ptr<Form>> forms(const Load& load)
{
    std::vector<std::unique_ptr<Form>> all;
    const auto add = [&](const char* name, auto make_source, auto make_sensor, Encoding encoding) {
        auto& form = *all.emplace_back(std::make_unique<Form>());
        form.name = name;
        const ModelObserver observer = [&form](PerformanceEvent event, MessageType, std::uint64_t) { form.stages.note(event); };
        auto source = load.source;
        source.encoding = encoding;
        source.observer = observer;
        form.source = make_source(source);
        form.sensor = make_sensor(DummySensorOptions{.carry_input = load.carry, .encoding = {}, .observer = observer});
        form.source->initialize({}, {});
        form.sensor->initialize(form.source->outputs(), {});
    };
    for (const auto& [name, memory] : {std::pair{"libprotobuf, fresh", ProtobufMemory::fresh},
                                       {"libprotobuf, reused", ProtobufMemory::reused},
                                       {"libprotobuf, arena", ProtobufMemory::arena}})
        add(
            name, [memory = memory](const auto& options) { return protobuf_source(options, memory); },
            [memory = memory](const auto& options) { return protobuf_sensor(options, memory); }, Encoding::protobuf);
    add("ositrace, Protobuf", dummy_source, dummy_sensor, Encoding::protobuf);
    for (const auto& [name, input] : {std::pair{"builder", FlatInput::trusted}, {"builder, verified", FlatInput::verified}})
        add(
            name, flat_builder_source, [input = input](const auto& options) { return flat_builder_sensor(options, input); },
            Encoding::flatbuffers);
    for (const auto& [name, objects] : {std::pair{"object API", FlatObjects::fresh}, {"object API, update", FlatObjects::update}})
        add(
            name, [objects = objects](const auto& options) { return flat_object_source(options, objects); },
            [objects = objects](const auto& options) { return flat_object_sensor(options, FlatInput::trusted, objects); },
            Encoding::flatbuffers);
    add("ositrace, FlatBuffers", dummy_source, dummy_sensor, Encoding::flatbuffers);
    return all;
}

void step(Form& form, Nanoseconds now)
{
    const auto views = form.source->step({}, now, std::chrono::milliseconds(100));
    const auto data = form.sensor->step(views, now, std::chrono::milliseconds(100));
    form.view_bytes = views.front().bytes.size();
    form.data_bytes = data.front().bytes.size();
}

void run(const Load& load, int steps)
{
    auto all = forms(load);
    for (int i = -2; i < steps; ++i)
        for (auto& form : all) {
            if (i == 0) form->stages.clear();  // what warms up does not count
            step(*form, std::chrono::milliseconds(100 * (i + 3)));
        }
    std::printf("\n%u objects, %u reflections%s, input %s; microseconds\n%-24s", load.source.moving_objects, load.source.reflections,
                load.source.ray_scene ? " (rays)" : "", load.carry ? "carried" : "not carried", "");
    for (const auto* const name : stage_names) std::printf("%12s", name);
    std::printf("%12s%12s%12s%12s\n", "source", "sensor", "view bytes", "data bytes");
    for (const auto& form : all) {
        std::printf("%-24s", form->name.c_str());
        for (std::size_t stage = 0; stage != stage_names.size(); ++stage) std::printf("%12.1f", form->stages.median(stage));
        std::printf("%12.1f%12.1f%12zu%12zu\n", form->stages.sum(0, 2), form->stages.sum(2, 5), form->view_bytes, form->data_bytes);
    }
}

}  // namespace

int main(int argc, char** argv)
try {
    const bool quick = argc > 1 && std::string_view(argv[1]) == "--quick";
    if (argc >= 3) {
        const DummySourceOptions source{.moving_objects = static_cast<std::uint32_t>(std::atoi(argv[1])),
                                        .reflections = static_cast<std::uint32_t>(std::atoi(argv[2])),
                                        .ray_scene = argc > 3};
        for (const bool carry : {false, true}) run({source, carry}, source.reflections != 0 ? 21 : 1001);
        return 0;
    }
    for (const bool carry : {false, true}) {
        for (const auto objects : {10u, 200u, 500u}) run({{.moving_objects = objects}, carry}, quick ? 20 : 1001);
        for (const auto reflections : {100'000u, 829'440u})
            run({{.moving_objects = 10, .reflections = quick ? reflections / 100 : reflections}, carry}, quick ? 3 : 21);
    }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "ositrace-bench-dummy: %s\n", error.what());
    return 1;
}
