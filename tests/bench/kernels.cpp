// SPDX-License-Identifier: MPL-2.0
// The hot loops, each once in a function of its own, for instruction_counts.py, which counts what they execute. Prints
// a line for each: number, elements, name.
#include <array>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <ositrace/columns.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/transcoder.hpp>

using namespace ositrace;

namespace {

constexpr std::uint32_t reflections = 20'000, objects = 500;
constexpr Format protobuf{}, flat{Encoding::flatbuffers};

using Work = std::function<void()>;

template <int Number>
[[gnu::noinline]] void measured(const Work& work)
{
    work();
    std::printf("%d", Number);  // so that no two of them are folded into one
}

/// Everything is learned by the time that it counts.
template <int Number>
void run(std::string_view name, std::uint32_t elements, const Work& work)
{
    for (int i = 0; i != 4; ++i) work();
    measured<Number>(work);
    std::printf(" %u %.*s\n", elements, static_cast<int>(name.size()), name.data());
}

/// A frame of the sample scene in both encodings.
struct Sample {
    SceneOptions options;
    ByteBuffer wire, tables, out;
    Transcoder there, back;

    explicit Sample(const SceneOptions& of) : options(of), there(root(), protobuf, flat), back(root(), flat, protobuf)
    {
        Scene(options).frame(1, wire);
        there.transcode(wire.bytes(), tables);
    }
    [[nodiscard]] const MessageTable& root() const { return Schema::built_in()->root(options.type); }

    template <int Number>
    void run_both(const std::string& name, std::uint32_t elements)
    {
        run<Number>(name + ", Protobuf to FlatBuffers", elements, [&] { there.transcode(wire.bytes(), out); });
        run<Number + 1>(name + ", FlatBuffers to Protobuf", elements, [&] { back.transcode(tables.bytes(), out); });
    }
    template <int Number>
    void run_columns()
    {
        using namespace std::string_view_literals;
        const auto& sensor = *root().find("lidar_sensor_view");
        constexpr std::array leaves{"signal_strength"sv, "time_of_flight"sv};
        ColumnReader reader(*sensor.child->find("reflection"), leaves);
        const auto read = [&](Bytes payload, Format format) {
            reader.read(std::get<MessageView>(MessageView(payload, root(), format).repeated(sensor)[0]));
        };
        run<Number>("two columns of reflections, of Protobuf", reflections, [&] { read(wire.bytes(), protobuf); });
        run<Number + 1>("two columns of reflections, of FlatBuffers", reflections, [&] { read(tables.bytes(), flat); });
    }
};

SceneOptions lidar(int fields)
{
    SceneOptions options;
    options.moving_objects = 0;
    options.reflections = reflections;
    options.reflection_fields = fields;
    options.static_data = StaticData::never;
    return options;
}

SceneOptions traffic(std::uint32_t count, StaticData static_data)
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.moving_objects = count;
    options.static_data = static_data;
    return options;
}

}  // namespace

int main()
{
    Sample two(lidar(2));
    two.run_both<0>("reflections of 2 fields", reflections);
    two.run_columns<2>();
    Sample(lidar(5)).run_both<4>("reflections of 5 fields", reflections);
    Sample(traffic(objects, StaticData::every_frame)).run_both<6>("500 objects and the map", objects);
    Sample(traffic(12, StaticData::never)).run_both<8>("12 objects without the map", 12);
}
