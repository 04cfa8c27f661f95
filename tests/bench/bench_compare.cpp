// SPDX-License-Identifier: MPL-2.0
// Two traces of 1000 messages with 200 moving objects, compared over time in at most 2 s.
#include <chrono>
#include <cstdio>
#include <filesystem>

#include <ositrace/compare_traces.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/trace_writer.hpp>

namespace {

using namespace ositrace;

std::filesystem::path write_scene(const std::filesystem::path& file, MessageType type)
{
    SceneSource scene({.type = type, .frames = 1000, .moving_objects = 200, .reflections = 0, .carry_input = false}, 0);
    const auto writer = create_trace(file, scene.info(), {.overwrite = true});
    for (Frame frame; scene.read(frame);) writer->write(frame);
    writer->close();
    return file;
}

ComparedChannel side(const std::filesystem::path& file, ObjectSet set)
{
    ComparedChannel channel;
    channel.trace = open_trace(file);
    channel.set = set;
    return channel;
}

double seconds_since(std::chrono::steady_clock::time_point begun)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

void measure(const char* name, const ComparedChannel& a, const ComparedChannel& b)
{
    for (int i = 0; i != 3; ++i) {
        const auto begun = std::chrono::steady_clock::now();
        const auto result = compare_traces(a, b, {});
        std::printf("%-32s %5.2f s: %zu pairs of messages, %llu of objects\n", name, seconds_since(begun),
                    result.moments.size(), static_cast<unsigned long long>(result.statistics[0].count));
    }
}

}  // namespace

int main()
{
    const auto folder = std::filesystem::temp_directory_path();
    const auto truth = write_scene(folder / "bench_compare_truth.osi", MessageType::ground_truth);
    const auto seen = write_scene(folder / "bench_compare_seen.osi", MessageType::sensor_data);
    measure("ground truth, ground truth", side(truth, ObjectSet::ground_truth), side(truth, ObjectSet::ground_truth));
    measure("ground truth, detections", side(truth, ObjectSet::ground_truth), side(seen, ObjectSet::detections));
    const auto begun = std::chrono::steady_clock::now();
    const auto exact =
        compare_exactly(side(truth, ObjectSet::ground_truth), side(truth, ObjectSet::ground_truth), {}, 1);
    std::printf("%-32s %5.2f s: %s\n", "exact", seconds_since(begun), exact.same() ? "equal" : "different");
    std::filesystem::remove(truth);
    std::filesystem::remove(seen);
}
