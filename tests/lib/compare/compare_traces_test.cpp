// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cmath>

#include <ositrace/compare_traces.hpp>
#include <ositrace/convert.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/trace_writer.hpp>

#include "tests/catch.hpp"
#include "tests/gui/sample_trace.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

std::vector<MessagePair> paired(const std::vector<Nanoseconds>& a, const std::vector<Nanoseconds>& b,
                                Nanoseconds tolerance, Nanoseconds shift_b = {})
{
    return pair_messages(a, {}, b, shift_b, tolerance);
}

/// Every pair of which each is the nearest to the other, by a search through all.
std::vector<MessagePair> mutually_nearest(const std::vector<Nanoseconds>& a, const std::vector<Nanoseconds>& b,
                                          Nanoseconds tolerance)
{
    std::vector<MessagePair> pairs;
    const auto nearest = [](const std::vector<Nanoseconds>& in, Nanoseconds t) {
        return std::ranges::min_element(in, {}, [t](Nanoseconds u) { return std::abs((u - t).count()); }) - in.begin();
    };
    for (std::size_t i = 0; i != a.size(); ++i) {
        const auto j = static_cast<std::size_t>(nearest(b, a[i]));
        if (static_cast<std::size_t>(nearest(a, b[j])) == i && std::abs((a[i] - b[j]).count()) <= tolerance.count())
            pairs.push_back({i, j});
    }
    return pairs;
}

ComparedChannel side_of(const std::filesystem::path& file, ObjectSet set = ObjectSet::ground_truth,
                        std::uint32_t channel = 0)
{
    return {
        .trace = open_trace(file), .in_trace = channel, .channel = nullptr, .set = set, .times = nullptr, .shift = {}};
}

SceneOptions scene_of(MessageType type, std::uint64_t frames = 20)
{
    auto options = ositrace::test::small_scene(frames);
    options.type = type;
    return options;
}

std::filesystem::path in_flatbuffers(const std::filesystem::path& from, const std::filesystem::path& to)
{
    const auto in = open_stream(from);
    const Format format{Encoding::flatbuffers, Layout::numbered};
    const auto writer = create_trace(to, converted_info(in->info(), format));
    static_cast<void>(convert(*in, *writer, {.to = format, .threads = 1}));
    writer->close();
    return to;
}

/// Writes the trace again, with each payload changed.
std::filesystem::path edited(const std::filesystem::path& from, const std::filesystem::path& to,
                             const std::function<void(std::uint64_t, std::vector<std::byte>&)>& change)
{
    const auto in = open_stream(from);
    const auto writer = create_trace(to, in->info());
    for (Frame frame; in->read(frame);) {
        std::vector<std::byte> bytes(frame.bytes.begin(), frame.bytes.end());
        change(frame.index, bytes);
        frame.bytes = bytes;
        writer->write(frame);
    }
    writer->close();
    return to;
}

}  // namespace

TEST_CASE("messages are paired with the nearest one in time, each once")
{
    CHECK(paired({0ms, 100ms, 200ms}, {0ms, 100ms, 200ms}, 50ms) == std::vector<MessagePair>{{0, 0}, {1, 1}, {2, 2}});
    // The faster channel has messages without a partner.
    CHECK(paired({0ms, 10ms, 20ms, 30ms, 40ms}, {1ms, 21ms, 41ms}, 5ms) ==
          std::vector<MessagePair>{{0, 0}, {2, 1}, {4, 2}});
    CHECK(paired({0ms, 100ms}, {60ms, 160ms}, 50ms) == std::vector<MessagePair>{{1, 0}});
    CHECK(paired({0ms, 100ms}, {60ms, 160ms}, 10ms).empty());
    CHECK(paired({0ms, 100ms}, {500ms, 600ms}, 10ms, -500ms) == std::vector<MessagePair>{{0, 0}, {1, 1}});
    CHECK(paired({5ms, 5ms, 5ms}, {5ms, 5ms}, 0ms) == std::vector<MessagePair>{{0, 0}, {1, 1}});
    CHECK(paired({}, {0ms}, 10ms).empty());
    CHECK(paired({Nanoseconds::min()}, {Nanoseconds::max()}, Nanoseconds::max()).empty());
}

TEST_CASE("pairs of messages are those that are mutually nearest")
{
    for (const auto step_b : {7ms, 10ms, 13ms, 31ms}) {
        std::vector<Nanoseconds> a, b;
        for (int i = 0; i != 100; ++i) a.push_back(10ms * i);
        for (int i = 0; i != 100; ++i) b.push_back(3ms + step_b * i);
        CHECK(paired(a, b, 5ms) == mutually_nearest(a, b, 5ms));
    }
}

TEST_CASE("the detections of the ideal sensor of the sample scene have no errors")
{
    const ScratchFolder scratch;
    auto options = scene_of(MessageType::sensor_view);
    const auto truth = ositrace::test::write_sample(scratch / "truth.osi", options);
    options.type = MessageType::sensor_data;
    options.carry_input = GENERATE(true, false);
    const auto seen = ositrace::test::write_sample(scratch / "seen.mcap", options);
    std::uint64_t calls = 0;
    const auto result = compare_traces(side_of(truth), side_of(seen, ObjectSet::detections), {},
                                       [&](const TraceComparison& so_far) { calls += so_far.complete ? 0 : 1; });
    CHECK(result.complete);
    CHECK(calls == 20);
    CHECK(result.moments.size() == 20);
    CHECK(result.broken == 0);
    CHECK(result.ghosts == 0);
    CHECK(result.tolerance == 50ms);
    REQUIRE(!result.objects.empty());
    CHECK(result.find(ObjectKind::moving, 1) == nullptr);  // the host
    for (std::size_t i = 0; i != object_error_count; ++i) {
        INFO(row_of(static_cast<ObjectError>(i)).name);
        CHECK(result.statistics[i].count > 50);
        CHECK(result.statistics[i].largest < 1e-9);
    }
    // The sensor sees 120 degrees and 120 m: with this reach, it misses nothing.
    const auto in_reach = compare_traces(side_of(truth), side_of(seen, ObjectSet::detections),
                                         {.objects = {.reach = {120, std::numbers::pi / 3}}, .tolerance = {}});
    CHECK(result.missed > 0);
    CHECK(in_reach.missed == 0);
    CHECK(in_reach.out_of_reach == result.missed);
    REQUIRE(result.seen);
    CHECK(result.seen->range < 120);
    CHECK(result.seen->half_angle < std::numbers::pi / 3);
}

TEST_CASE("a sensor data is compared with the ground truth that it carries")
{
    const ScratchFolder scratch;
    auto options = scene_of(MessageType::sensor_data, 3);
    const auto seen = ositrace::test::write_sample(scratch / "seen.osi", options);
    const auto result = compare_traces(side_of(seen), side_of(seen, ObjectSet::detections), {});
    CHECK(result.statistics[0].count > 5);
    CHECK(result.statistics[0].largest < 1e-9);
    options.carry_input = false;
    const auto alone = ositrace::test::write_sample(scratch / "alone.osi", options);
    const auto without = compare_traces(side_of(alone), side_of(alone, ObjectSet::detections), {});
    CHECK(without.broken == 3);
    CHECK_THAT(without.problem, Catch::Matchers::ContainsSubstring("the pose of the host is unknown"));
}

TEST_CASE("an offset of the clock shows as errors along the way")
{
    const ScratchFolder scratch;
    const auto options = scene_of(MessageType::ground_truth, 30);
    const auto file = ositrace::test::write_sample(scratch / "truth.osi", options);
    const auto a = side_of(file);
    auto b = side_of(file);
    b.shift = 200ms;  // message n of A meets message n - 2 of B
    const auto result = compare_traces(a, b, {});
    REQUIRE(result.moments.size() == 28);
    CHECK(result.moments[0].messages == MessagePair{2, 0});
    CHECK(result.moments[0].time == 200ms);
    const auto* const host = result.find(ObjectKind::moving, 1);
    REQUIRE(host != nullptr);
    CHECK(host->samples.size() == 28);
    // It drives forward: 0.2 s later it is where speed times 0.2 s says, and B is behind by that.
    const auto longitudinal = host->samples[10].errors[static_cast<std::size_t>(ObjectError::longitudinal)];
    CHECK(longitudinal < -0.5F);
    CHECK(std::abs(host->samples[10].errors[static_cast<std::size_t>(ObjectError::lateral)]) < 0.3F);
    CHECK(host->statistics[static_cast<std::size_t>(ObjectError::length)].largest == 0);
    CHECK(result.worst_object(ObjectError::distance) != nullptr);
}

TEST_CASE("the times of a pair are said as they are, not as they may be")
{
    const ScratchFolder scratch;
    const auto file = ositrace::test::write_sample(scratch / "truth.osi", scene_of(MessageType::ground_truth));
    auto late = side_of(file);
    late.shift = std::chrono::milliseconds(7);
    CHECK(compare_traces(side_of(file), side_of(file), {}).farthest == Nanoseconds(0));
    const auto shifted = compare_traces(side_of(file), late, {});
    CHECK(shifted.farthest == std::chrono::milliseconds(7));
    CHECK(shifted.tolerance > shifted.farthest);
}

TEST_CASE("statistics and series agree with the comparisons of the single messages")
{
    const ScratchFolder scratch;
    const auto file = ositrace::test::write_sample(scratch / "truth.osi", scene_of(MessageType::ground_truth, 12));
    const auto a = side_of(file);
    auto b = side_of(file);
    b.shift = 100ms;
    const auto result = compare_traces(a, b, {});
    const std::shared_ptr<const Channel> channel(a.trace, a.trace->info().channels.data());
    ObjectComparer comparer({channel, channel}, {ObjectSet::ground_truth, ObjectSet::ground_truth}, {});
    double largest = 0, sum = 0;
    std::uint64_t worst = 0, pairs = 0;
    for (std::uint64_t i = 1; i != 12; ++i) {
        const auto frame_a = a.trace->frame(0, i), frame_b = b.trace->frame(0, i - 1);
        const auto compared = comparer.compare({&frame_a, nullptr}, {&frame_b, nullptr});
        CHECK(result.moments.at(i - 1).pairs == compared.pairs.size());
        for (const auto& pair : compared.pairs) {
            const auto error = pair.errors[ObjectError::distance];
            ++pairs;
            sum += error;
            if (error > largest) worst = pair.a.id;
            largest = std::max(largest, error);
        }
    }
    const auto& statistics = result.statistics[static_cast<std::size_t>(ObjectError::distance)];
    CHECK(statistics.count == pairs);
    CHECK(statistics.mean() == Approx(sum / static_cast<double>(pairs)));
    CHECK(statistics.largest == largest);
    CHECK(result.worst_object(ObjectError::distance)->id == worst);
}

TEST_CASE("what exceeds the limit of samples is counted and reported")
{
    const ScratchFolder scratch;
    const auto file = ositrace::test::write_sample(scratch / "truth.osi", scene_of(MessageType::ground_truth, 5));
    const auto all = compare_traces(side_of(file), side_of(file), {});
    CHECK(all.samples_are_complete);
    const auto some = compare_traces(side_of(file), side_of(file), {.objects = {}, .tolerance = {}, .max_samples = 20});
    CHECK(!some.samples_are_complete);
    std::size_t samples = 0;
    for (const auto& each : some.objects) samples += each.samples.size();
    CHECK(samples == 20);
    CHECK(some.statistics[0].count == all.statistics[0].count);
}

TEST_CASE("a stop request returns what is compared so far")
{
    const ScratchFolder scratch;
    const auto file = ositrace::test::write_sample(scratch / "truth.osi", scene_of(MessageType::ground_truth));
    std::stop_source stop;
    const auto result = compare_traces(
        side_of(file), side_of(file), {},
        [&](const TraceComparison& so_far) {
            if (so_far.moments.size() == 7) stop.request_stop();
        },
        stop.get_token());
    CHECK(!result.complete);
    CHECK(result.moments.size() == 7);
    CHECK(result.pairs == 20);
}

TEST_CASE("a broken message is counted, and the others are compared")
{
    const ScratchFolder scratch;
    const auto file = ositrace::test::write_sample(scratch / "truth.osi", scene_of(MessageType::ground_truth, 5));
    const auto bad = edited(file, scratch / "bad.osi", [](std::uint64_t i, std::vector<std::byte>& bytes) {
        if (i == 2) bytes.resize(bytes.size() - 5);
    });
    const auto result = compare_traces(side_of(file), side_of(bad), {});
    CHECK(result.complete);
    CHECK(result.broken == 1);
    CHECK(result.moments.at(2).broken);
    CHECK_THAT(result.problem, Catch::Matchers::ContainsSubstring("frame 2"));
    CHECK(result.statistics[0].largest == 0);
    CHECK(result.moments.at(3).pairs > 0);
}

TEST_CASE("the same trace in Protobuf and FlatBuffers is equal to the last bit")
{
    const ScratchFolder scratch;
    const auto options = scene_of(MessageType::sensor_view, 6);
    const auto file = ositrace::test::write_sample(scratch / "drive.osi", options);
    const auto flat = in_flatbuffers(file, scratch / "drive.osifb");
    const auto same = compare_exactly(side_of(file), side_of(flat), {}, 10);
    CHECK(same.same());
    CHECK(same.compared == 6);
    CHECK(same.equal_bytes == 0);
    CHECK(compare_exactly(side_of(file), side_of(file), {}, 10).equal_bytes == 6);
}

TEST_CASE("the first difference has its time and path")
{
    const ScratchFolder scratch;
    auto options = scene_of(MessageType::ground_truth, 6);
    const auto file = ositrace::test::write_sample(scratch / "one.osi", options);
    options.seed = 2;
    const auto other = ositrace::test::write_sample(scratch / "two.osi", options);
    auto result = compare_exactly(side_of(file), side_of(other), {}, 3);
    CHECK(!result.same());
    CHECK(result.different == 6);
    REQUIRE(result.differences.size() == 3);
    CHECK(result.differences[1].time == 100ms);
    CHECK_THAT(result.differences[0].field, Catch::Matchers::ContainsSubstring("["));
    CHECK_THAT(result.differences[0].text, Catch::Matchers::ContainsSubstring(" against "));

    options.frames = 5;
    options.seed = 1;
    const auto shorter = ositrace::test::write_sample(scratch / "short.osi", options);
    result = compare_exactly(side_of(file), side_of(shorter), {}, 3);
    CHECK(result.different == 0);
    CHECK(!result.same());  // a message has no partner
    CHECK_THROWS_WITH(
        compare_exactly(
            side_of(file),
            side_of(ositrace::test::write_sample(scratch / "sv.osi", scene_of(MessageType::sensor_view, 2))), {}, 3),
        Catch::Matchers::ContainsSubstring("osi3.GroundTruth"));
}

TEST_CASE("the differences of two messages are listed by field, with ids")
{
    const ScratchFolder scratch;
    auto options = scene_of(MessageType::ground_truth, 2);
    const auto one = open_trace(ositrace::test::write_sample(scratch / "one.osi", options));
    options.seed = 2;
    const auto two = open_trace(ositrace::test::write_sample(scratch / "two.osi", options));
    const auto& channel = one->info().channels.front();
    const auto same = compare_messages(one->frame(0, 0), channel, one->frame(0, 0), channel, 10);
    CHECK(same.equal);
    CHECK(same.differences.empty());
    const auto differ = compare_messages(one->frame(0, 0), channel, two->frame(0, 0), channel, 10);
    CHECK(!differ.equal);
    CHECK(differ.more);
    REQUIRE(differ.differences.size() == 10);
    CHECK_THAT(differ.differences[0].field, Catch::Matchers::ContainsSubstring("[id="));
    // The paths by place lead to the two values.
    for (const auto& each : differ.differences) {
        const auto value = [&](const Trace& trace, const std::string& path) {
            const auto frame = trace.frame(0, 0);
            return as_real(FieldPath::compile(*channel.root, path).get({frame.bytes, *channel.root, channel.format}));
        };
        const auto a = value(*one, each.paths[0]), b = value(*two, each.paths[1]);
        INFO(each.field << ' ' << each.text);
        REQUIRE((a && b));
        CHECK(*a != *b);
    }
}
