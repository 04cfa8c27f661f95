// SPDX-License-Identifier: MPL-2.0
// The hot loops, each once in a function of its own, for instruction_counts.py, which counts what they execute. Prints
// a line for each: number, elements, name.
//
// With `times`: how long they take for 829 440 reflections, in turns with memcpy of the output, with a loop that only
// reads the input and writes as many bytes as the output has, and with themselves where bytes are not shuffled in wide
// registers. Milliseconds of processor time, medians of 21.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/columns.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/core/byte_shuffle.hpp"

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

SceneOptions lidar(int fields, std::uint32_t count = reflections)
{
    SceneOptions options;
    options.moving_objects = 0;
    options.reflections = count;
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

/// Reads all of `in` once and writes as many bytes as `out` has once, in turns, and does nothing else.
void only_read_and_write(Bytes in, ByteBuffer& out, std::size_t bytes)
{
    using Words = std::uint64_t __attribute__((vector_size(64)));
    constexpr std::size_t piece = 64 * sizeof(Words);
    out.clear(bytes);
    Words sum{};
    std::size_t from = 0;
    for (std::size_t at = 0; at + piece <= bytes; at += piece) {
        const auto until = static_cast<std::size_t>(static_cast<double>(in.size()) * static_cast<double>(at + piece) /
                                                    static_cast<double>(bytes));
        for (Words words; from + sizeof words <= until; from += sizeof words) {
            std::memcpy(&words, in.data() + from, sizeof words);
            sum ^= words;
        }
        for (std::size_t i = 0; i != piece; i += sizeof sum) std::memcpy(out.data() + at + i, &sum, sizeof sum);
    }
}

double processor_milliseconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

/// `ours` reads `in` and writes what `written` refers to afterwards.
void print_times(const char* name, Bytes in, const Work& ours, const std::function<Bytes()>& written)
{
    constexpr std::size_t repetitions = 21;
    ours();
    const auto output = written();
    const std::vector<std::byte> made(output.begin(), output.end());
    ByteBuffer out;
    const bool shuffles = shuffles_bytes();
    const std::array<Work, 4> variants{[&] {
                                           out.clear(made.size());
                                           std::memcpy(out.data(), made.data(), made.size());
                                       },
                                       [&] { only_read_and_write(in, out, made.size()); }, ours,
                                       [&] {
                                           shuffles_bytes() = false;
                                           ours();
                                           shuffles_bytes() = shuffles;
                                       }};
    std::array<std::vector<double>, 4> times;
    for (std::size_t i = 0; i != repetitions; ++i)
        for (std::size_t n = 0; n != variants.size(); ++n) {
            const auto start = processor_milliseconds();
            variants[n]();
            times[n].push_back(processor_milliseconds() - start);
        }
    std::printf("%-52s", name);
    for (auto& each : times) std::ranges::sort(each);
    const auto copied = times[0][repetitions / 2];
    for (const auto& each : times) std::printf(" %7.2f %5.2fx", each[repetitions / 2], each[repetitions / 2] / copied);
    std::printf("\n");
}

void print_times_of(int fields)
{
    constexpr std::uint32_t count = 829'440;
    Sample sample(lidar(fields, count));
    const auto name = "reflections of " + std::to_string(fields) + " fields, ";
    const auto out = [&] { return sample.out.bytes(); };
    print_times((name + "Protobuf to FlatBuffers").c_str(), sample.wire.bytes(),
                [&] { sample.there.transcode(sample.wire.bytes(), sample.out); }, out);
    print_times((name + "FlatBuffers to Protobuf").c_str(), sample.tables.bytes(),
                [&] { sample.back.transcode(sample.tables.bytes(), sample.out); }, out);
}

void print_times_of_columns()
{
    using namespace std::string_view_literals;
    Sample sample(lidar(2, 829'440));
    const auto& sensor = *sample.root().find("lidar_sensor_view");
    constexpr std::array leaves{"signal_strength"sv, "time_of_flight"sv};
    ColumnReader reader(*sensor.child->find("reflection"), leaves);
    std::vector<std::byte> both;
    print_times(
        "two columns of reflections, of Protobuf", sample.wire.bytes(),
        [&] {
            reader.read(
                std::get<MessageView>(MessageView(sample.wire.bytes(), sample.root(), protobuf).repeated(sensor)[0]));
        },
        [&] {
            for (std::size_t leaf = 0; leaf != leaves.size(); ++leaf) {
                const auto column = std::as_bytes(reader.reals(leaf));
                both.insert(both.end(), column.begin(), column.end());
            }
            return Bytes(both);
        });
}

int print_all_times()
{
    std::printf("%-52s %14s %14s %14s %14s\n", "", "memcpy", "read and write", "ours", "not shuffled");
    print_times_of(2);
    print_times_of_columns();
    print_times_of(5);
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc == 2 && std::string_view(argv[1]) == "times") return print_all_times();
    Sample two(lidar(2));
    two.run_both<0>("reflections of 2 fields", reflections);
    two.run_columns<2>();
    Sample(lidar(5)).run_both<4>("reflections of 5 fields", reflections);
    Sample(traffic(objects, StaticData::every_frame)).run_both<6>("500 objects and the map", objects);
    Sample(traffic(12, StaticData::never)).run_both<8>("12 objects without the map", 12);
}
