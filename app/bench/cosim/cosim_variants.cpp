// SPDX-License-Identifier: MPL-2.0
#include "app/bench/cosim/cosim_variants.hpp"

#include <array>
#include <cstring>

#include <ositrace/transcoder.hpp>

#include "app/bench/cosim/stage_clock.hpp"
#include "app/bench/dummy/opponents.hpp"

namespace ositrace::bench {
namespace {

using namespace std::chrono_literals;

/// A model whose last options are chosen.
template <auto Make, auto... Choices>
constexpr auto with = [](const auto& options) -> std::unique_ptr<SensorModel> { return Make(options, Choices...); };

constexpr auto proto = Encoding::protobuf, flat = Encoding::flatbuffers;
constexpr std::array rows{
    CosimRow{"Protobuf, fresh", "libprotobuf, new messages in every step, as published", Role::naive, proto,
             with<protobuf_source, ProtobufMemory::fresh>, with<protobuf_sensor, ProtobufMemory::fresh>},
    CosimRow{"Protobuf, reused", "libprotobuf, messages kept and cleared", Role::other, proto, with<protobuf_source, ProtobufMemory::reused>,
             with<protobuf_sensor, ProtobufMemory::reused>},
    CosimRow{"Protobuf, arena", "libprotobuf, messages on an arena that is reset", Role::other, proto, with<protobuf_source, ProtobufMemory::arena>,
             with<protobuf_sensor, ProtobufMemory::arena>},
    CosimRow{"ositrace, Protobuf", "read and written on the wire, no objects; every access is checked", Role::ours, proto, dummy_source, dummy_sensor},
    CosimRow{"FlatBuffers builder", "flatc's code and FlatBufferBuilder; the input is trusted, as published", Role::other, flat, flat_builder_source,
             with<flat_builder_sensor, FlatInput::trusted>},
    CosimRow{"FlatBuffers builder, verified", "the same behind FlatBuffers' Verifier", Role::other, flat, flat_builder_source,
             with<flat_builder_sensor, FlatInput::verified>},
    CosimRow{"FlatBuffers object API", "flatc's objects, new in every step, packed; the input is trusted", Role::other, flat,
             with<flat_object_source, FlatObjects::fresh>, with<flat_object_sensor, FlatInput::trusted, FlatObjects::fresh>},
    CosimRow{"FlatBuffers object API, update", "the same with objects that are kept and changed", Role::other, flat,
             with<flat_object_source, FlatObjects::update>, with<flat_object_sensor, FlatInput::trusted, FlatObjects::update>},
    CosimRow{"ositrace, FlatBuffers", "read and written as FlatBuffers, no objects; every access is checked", Role::ours, flat, dummy_source, dummy_sensor},
};

DummySourceOptions source_options(const CosimCase& simulated, Encoding encoding, ModelObserver observer)
{
    DummySourceOptions options;
    options.moving_objects = simulated.objects;
    options.reflections = simulated.reflections;
    options.ray_scene = simulated.ray_scene;
    options.encoding = encoding;
    options.observer = std::move(observer);
    return options;
}

/// Both models, coupled, and the time of the simulation.
class Coupling {
public:
    Coupling(const CosimRow& row, const CosimCase& simulated)
        : steps_(simulated.steps), encoding_(row.encoding), to_protobuf_(to_protobuf())
    {
        source_ = row.source(source_options(simulated, row.encoding, clock_.observe_source()));
        DummySensorOptions options;
        options.carry_input = simulated.carry_input;
        options.encoding = row.encoding;
        options.observer = clock_.observe_sensor();
        sensor_ = row.sensor(options);
        source_->initialize({}, {});
        sensor_->initialize(source_->outputs(), {});
    }
    std::size_t run()
    {
        clock_.start();
        std::size_t bytes = 0;
        for (int i = 0; i < steps_; ++i) bytes += step(i).size();
        return bytes;
    }
    void answer(Answer& answer)
    {
        for (int i = 0; i < steps_; ++i) {
            auto result = step(i);
            if (encoding_ == Encoding::flatbuffers) {
                to_protobuf_.transcode(result, protobuf_);
                result = protobuf_.bytes();
            }
            answer.add(result);
        }
    }
    [[nodiscard]] std::vector<Stage> stages() const { return clock_.stages(steps_); }

private:
    static Transcoder to_protobuf()
    {
        return {Schema::built_in()->root(MessageType::sensor_data), Format{Encoding::flatbuffers}, Format{}};
    }
    Bytes step(int i)
    {
        const auto now = (i + 1) * Nanoseconds(100ms);
        const auto view = source_->step({}, now, 100ms);
        const auto data = sensor_->step(view, now, 100ms);
        return data.empty() ? Bytes() : data.front().bytes;
    }

    int steps_;
    Encoding encoding_;
    StageClock clock_;
    std::unique_ptr<SensorModel> source_, sensor_;
    Transcoder to_protobuf_;
    ByteBuffer protobuf_;
};

}  // namespace

std::span<const CosimRow> cosim_rows() noexcept { return rows; }

Variant cosim_variant(const CosimRow& row, const CosimCase& simulated)
{
    const auto coupling = std::make_shared<Coupling>(row, simulated);
    Variant variant{.name = row.name, .what = row.what, .role = row.role};
    variant.run = [coupling] { return coupling->run(); };
    variant.answer = [coupling](Answer& answer) { coupling->answer(answer); };
    variant.stages = [coupling] { return coupling->stages(); };
    return variant;
}

Variant memcpy_of_sensor_view(const CosimCase& simulated)
{
    const auto source = dummy_source(source_options(simulated, Encoding::protobuf, {}));
    source->initialize({}, {});
    const auto bytes = source->step({}, 100ms, 100ms).front().bytes;
    const auto view = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
    const auto copy = std::make_shared<std::vector<std::byte>>(view->size());
    const auto run = [view, copy, steps = simulated.steps] {
        for (int i = 0; i < steps; ++i) std::memcpy(copy->data(), view->data(), view->size());
        return view->size() * static_cast<std::size_t>(steps);
    };
    return {.name = "memcpy of the SensorView", .what = "one copy of it in Protobuf: what memory allows", .role = Role::yardstick, .run = run};
}

}  // namespace ositrace::bench
