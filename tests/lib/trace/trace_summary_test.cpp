// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_summary.hpp>

#include <limits>
#include <set>

#include <ositrace/convert.hpp>
#include <ositrace/scene.hpp>

#include "lib/trace/time_steps.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/payloads.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

// GroundTruth { lane {} }
const std::string lane = field(10, "");

ChannelSummary summary_of(const std::vector<std::string>& payloads, bool full)
{
    const ScratchFolder folder;
    std::string contents;
    for (const auto& payload : payloads) contents += length_prefixed(payload);
    write_file(folder / "a.osi", contents);
    const auto trace =
        open_trace(folder / "a.osi", {.type = MessageType::ground_truth, .encoding = Encoding::protobuf});
    const auto summary = summarize(*trace, {.full = full});
    CHECK(summary.file_bytes == contents.size());
    CHECK_FALSE(summary.damage);
    REQUIRE(summary.channels.size() == 1);
    return summary.channels[0];
}

std::vector<std::string> seconds(std::vector<std::uint8_t> times)
{
    std::vector<std::string> result;
    for (const auto time : times) result.push_back(ground_truth(time));
    return result;
}

std::optional<TraceSummary> summary_of_shared(const std::string& name, bool full)
{
    const auto file = ositrace::test::shared_folder() / "traces" / name;
    if (!std::filesystem::exists(file)) {
        WARN(name << " is not here");
        return std::nullopt;
    }
    return summarize(*open_trace(file), {.full = full});
}

}  // namespace

TEST_CASE("a summary counts frames and their sizes")
{
    const auto channel =
        summary_of({ground_truth(1), ground_truth(2, 100), ground_truth(3, 50), ground_truth(4)}, false);
    CHECK(channel.frames == 4);
    CHECK(channel.sizes.smallest == ground_truth(1).size());
    CHECK(channel.sizes.largest == ground_truth(2, 100).size());
    CHECK(channel.sizes.total == 2 * ground_truth(1).size() + ground_truth(2, 100).size() + ground_truth(3, 50).size());
    CHECK(channel.channel.type == MessageType::ground_truth);
}

TEST_CASE("a sampled summary has the time range and the mean step")
{
    const auto channel = summary_of(seconds({1, 2, 3, 4, 9}), false);
    CHECK(channel.sampled);
    CHECK(channel.start == 1s);
    CHECK(channel.end == 9s);
    CHECK(channel.step == 2s);
    CHECK(channel.rate_hz == 0.5);
    CHECK_FALSE(channel.steps);
}

TEST_CASE("a sampled summary of times that go backward has no range, step and rate")
{
    const auto channel = summary_of(seconds({5, 6, 1, 2, 9}), false);
    CHECK(channel.times_go_back);
    CHECK_FALSE(channel.start);
    CHECK_FALSE(channel.end);
    CHECK_FALSE(channel.step);
    CHECK_FALSE(channel.rate_hz);
}

TEST_CASE("a full summary has the median step, and gaps measured by it")
{
    const auto channel = summary_of(seconds({1, 2, 3, 3, 4, 9, 8, 9, 10}), true);
    CHECK_FALSE(channel.sampled);
    CHECK(channel.start == 1s);
    CHECK(channel.end == 10s);
    CHECK(channel.step == 1s);
    CHECK(channel.times_go_back);
    CHECK_FALSE(channel.rate_hz);
    REQUIRE(channel.steps);
    CHECK(channel.steps->gaps == 1);
    CHECK(channel.steps->listed_gaps == std::vector<TimeGap>{{5, 4s, 9s}});
    CHECK(channel.steps->repeated == 1);
    CHECK(channel.steps->backward == 1);
    CHECK(channel.steps->shortest == -1s);
    CHECK(channel.steps->longest == 5s);
    CHECK(channel.steps->frames_without_time == 0);
}

TEST_CASE("frames without a time have no part in the steps")
{
    const auto channel = summary_of({lane, ground_truth(1), lane, ground_truth(2), lane}, true);
    CHECK(channel.steps->frames_without_time == 3);
    CHECK(channel.start == 1s);
    CHECK(channel.end == 2s);
    CHECK(channel.rate_hz == 1);
    const auto none = summary_of({lane, lane}, true);
    CHECK_FALSE(none.start);
    CHECK_FALSE(none.step);
    CHECK_FALSE(none.rate_hz);
}

TEST_CASE("a trace of up to three frames is read whole")
{
    CHECK_FALSE(summary_of(seconds({1}), false).sampled);
    CHECK_FALSE(summary_of(seconds({1, 2, 3}), false).sampled);
    CHECK(summary_of(seconds({1, 2, 3, 4}), false).sampled);
}

TEST_CASE("the static pattern tells in which frames the map stands")
{
    const auto full = GENERATE(false, true);
    const auto pattern = [&](const std::string& frames) {
        std::vector<std::string> payloads;
        for (std::size_t i = 0; i < frames.size(); ++i)
            payloads.push_back(ground_truth(static_cast<std::uint8_t>(i)) + (frames[i] == 'M' ? lane : ""));
        return name_of(summary_of(payloads, full).static_data);
    };
    CHECK(pattern(".....") == "none");
    CHECK(pattern("M....") == (full ? "first frame only" : "at least in the first frame"));
    CHECK(pattern("MMMMM") == "every frame");
    CHECK(pattern("..M..") == "some frames");
    CHECK(pattern("M...M") == "some frames");
    CHECK(pattern("M") == "every frame");
}

TEST_CASE("a broken payload is counted and the first is told")
{
    const auto channel = summary_of(
        {ground_truth(1), std::string("\x12\x05\x08", 3), ground_truth(3), ground_truth(4), lane + "\x08"}, true);
    CHECK(channel.unreadable_frames == 2);
    REQUIRE(channel.first_unreadable);
    CHECK_THAT(*channel.first_unreadable, Catch::Matchers::ContainsSubstring("a.osi: frame 1 at byte "));
    CHECK(channel.end == 4s);
}

TEST_CASE("a truncated trace is summarised up to where it breaks")
{
    const auto full = GENERATE(false, true);
    const ScratchFolder folder;
    const auto name = (folder / "a.osi").string();
    write_file(name, length_prefixed(ground_truth(1)) + length_prefixed(ground_truth(2)) +
                         length_prefixed(ground_truth(3, 100)).substr(0, 50));
    const auto summary = summarize(
        *open_trace(name, {.type = MessageType::ground_truth, .encoding = Encoding::protobuf}), {.full = full});
    REQUIRE(summary.damage);
    CHECK_THAT(*summary.damage, Catch::Matchers::StartsWith(name + ": frame 2 at byte "));
    CHECK(summary.channels[0].frames == 2);
    CHECK(summary.channels[0].sizes.total == 2 * ground_truth(1).size());
    CHECK(summary.channels[0].end == 2s);
}

TEST_CASE("frames of a damaged chunk are counted where only times are read")
{
    const ScratchFolder folder;
    const auto file = folder / "a.mcap";
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.frames = 8;
    SceneSource scene(options);
    WriteOptions write;
    write.chunk_bytes = 1;
    write.chunk_compression = "none";
    const auto writer = create_trace(file, scene.info(), write);
    static_cast<void>(convert(scene, *writer, {}));
    writer->close();
    auto bytes = read_file(file);
    bytes[bytes.size() / 3] ^= 1;
    write_file(file, bytes);
    const auto channel = summarize(*open_trace(file), {.times = true}).channels.at(0);
    CHECK(channel.frames == 8);
    CHECK(channel.steps->frames_without_time == 1);
    CHECK(channel.unreadable_frames == 1);
    CHECK_THAT(channel.first_unreadable.value_or(""),
               Catch::Matchers::ContainsSubstring("a chunk is damaged: the CRC of its bytes is "));
}

TEST_CASE("a summary can be stopped")
{
    const ScratchFolder folder;
    const auto name = (folder / "a.osi").string();
    write_file(name, length_prefixed(ground_truth(1)) + length_prefixed(ground_truth(2)));
    const auto trace = open_trace(name, {.type = MessageType::ground_truth, .encoding = Encoding::protobuf});
    std::stop_source stop;
    SummaryOptions options{.full = true};
    options.on_progress = [&](std::uint64_t frames, std::uint64_t of_frames) {
        CHECK(frames == 1);
        CHECK(of_frames == 2);
        stop.request_stop();
    };
    CHECK(error_of([&] { return summarize(*trace, options, stop.get_token()); }) == name + ": cancelled");
}

TEST_CASE("times at the ends of their range do not overflow")
{
    CHECK(distance(Nanoseconds::min(), Nanoseconds::max()) == Nanoseconds::max());
    CHECK(distance(Nanoseconds::max(), Nanoseconds::min()) == Nanoseconds::min());
    TimeStepCounter counter;
    std::uint64_t frame = 0;
    for (const auto time : {0ns, 1ns, Nanoseconds::max(), Nanoseconds::min(), Nanoseconds::max(), 2ns})
        counter.add(frame++, time);
    counter.finish();
    CHECK(counter.step() == Nanoseconds::max() - 1ns);
    CHECK(counter.steps().gaps == 0);
    CHECK(counter.steps().backward == 2);
}

TEST_CASE("gaps are counted beyond the steps that decide, and listed up to a limit")
{
    TimeStepCounter counter;
    std::uint64_t frame = 0;
    auto time = 0ns;
    for (std::size_t i = 0; i < 2 * TimeStepCounter::deciding_steps; ++i)
        counter.add(frame++, time += i % 500 == 499 ? 20ns : 10ns);
    counter.finish();
    CHECK(counter.step() == 10ns);
    CHECK(counter.steps().gaps == 2 * TimeStepCounter::deciding_steps / 500);
    CHECK(counter.steps().listed_gaps.size() == TimeSteps::max_listed_gaps);
    CHECK(counter.steps().listed_gaps[0] == TimeGap{499, 4990ns, 5010ns});
}

TEST_CASE("highway_merge.osi sends its map and its version in the first frame only")
{
    for (const bool full : {false, true}) {
        const auto summary = summary_of_shared("highway_merge.osi", full);
        if (!summary) return;
        const auto& channel = summary->channels.at(0);
        CHECK(channel.channel.type == MessageType::ground_truth);
        CHECK(channel.frames == 433);
        CHECK(channel.osi_versions == std::vector<OsiVersion>{{3, 5, 0}});
        CHECK(channel.start == 0ns);
        CHECK(std::chrono::round<std::chrono::milliseconds>(*channel.end) == 14256ms);
        CHECK(channel.static_data == (full ? StaticPattern::first_frame : StaticPattern::at_least_first_frame));
        CHECK(channel.unreadable_frames == 0);
    }
}

TEST_CASE("a recorded SensorView trace has the rate, the range and the version it was recorded with")
{
    const auto summary = summary_of_shared("20230621T113737Z_sv_350_32112_100.osi", true);
    if (!summary) return;
    const auto& channel = summary->channels.at(0);
    CHECK(channel.channel.type == MessageType::sensor_view);
    CHECK(channel.frames == 100);
    CHECK(channel.start == 100ms);
    CHECK(std::chrono::round<std::chrono::milliseconds>(*channel.end) == 10s);
    CHECK(channel.step == 100ms);
    CHECK(channel.rate_hz == Approx(10));
    CHECK(channel.steps->gaps == 0);
}

TEST_CASE("the times of all frames are the same with and without reading the frames")
{
    const ScratchFolder folder;
    std::string contents;
    for (const auto& payload : seconds({1, 2, 3, 3, 9, 8, 10, 11})) contents += length_prefixed(payload);
    write_file(folder / "a.osi", contents);
    const auto trace =
        open_trace(folder / "a.osi", {.type = MessageType::ground_truth, .encoding = Encoding::protobuf});
    const auto full = summarize(*trace, {.full = true}).channels.at(0),
               times = summarize(*trace, {.times = true}).channels.at(0);
    REQUIRE(times.steps);
    CHECK(times.sampled);
    CHECK(times.steps->repeated == 1);
    CHECK(times.steps->backward == 1);
    CHECK(times.steps->gaps == full.steps->gaps);
    CHECK(times.steps->listed_gaps == full.steps->listed_gaps);
    CHECK(times.steps->shortest == full.steps->shortest);
    CHECK(times.steps->longest == full.steps->longest);
    CHECK(times.start == full.start);
    CHECK(times.end == full.end);
    CHECK(times.step == full.step);
    CHECK(times.rate_hz == full.rate_hz);
}

TEST_CASE("a sample has the times of the frames beside ends without a time")
{
    const auto channel_of = [](std::vector<std::uint8_t> times, std::set<std::size_t> without) {
        auto payloads = seconds(std::move(times));
        for (const auto i : without) payloads[i] = field(10, "");
        return summary_of(payloads, false);
    };
    const auto one = channel_of({0, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 7, 8});
    CHECK(one.start == 1s);
    CHECK(one.end == 6s);
    CHECK(one.unreadable_frames == 0);
    const auto middle = channel_of({0, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 1, 4});
    CHECK(middle.start == 2s);
    CHECK(middle.end == 8s);
    const auto back = channel_of({0, 9, 2, 3, 4, 5, 6, 7, 8}, {0});
    CHECK(back.times_go_back);
    CHECK_FALSE(back.start);
    CHECK_FALSE(channel_of({0, 1, 2}, {0, 1, 2}).start);
}
