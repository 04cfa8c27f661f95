// SPDX-License-Identifier: MPL-2.0
#include <ositrace/convert.hpp>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/convert/fake_trace.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

constexpr Format protobuf{};
constexpr Format flat{Encoding::flatbuffers, Layout::numbered};
constexpr Format declared{Encoding::flatbuffers, Layout::declared};

using Payloads = std::vector<std::string>;

// 500 frames, most of them small, some larger than a batch.
Payloads frames_of_all_sizes()
{
    Payloads result;
    for (std::size_t i = 0; i < 500; ++i)
        result.push_back(ground_truth(static_cast<std::uint8_t>(i % 100), i % 37 == 5 ? 300'000 : i));
    return result;
}

Payloads converted(const Payloads& payloads, Format from, ConvertOptions options)
{
    FakeSource in(payloads, from);
    FakeWriter out;
    const auto result = convert(in, out, options);
    CHECK(result.frames == payloads.size());
    return out.payloads;
}

// Truncated inside the timestamp.
const std::string broken = ground_truth(7).substr(0, 3);

Payloads with_broken(std::size_t count, std::vector<std::size_t> places)
{
    Payloads result(count, ground_truth(1));
    for (const auto place : places) result[place] = broken;
    return result;
}

}  // namespace

TEST_CASE("frames are converted in order, whatever the number of threads")
{
    const auto payloads = frames_of_all_sizes();
    const auto expected = converted(payloads, protobuf, {.to = flat, .threads = 1});
    REQUIRE(expected.size() == payloads.size());
    CHECK(expected != payloads);
    for (const unsigned threads : {0u, 2u, 3u, 16u})
        CHECK(converted(payloads, protobuf, {.to = flat, .threads = threads}) == expected);
    CHECK(converted(expected, flat, {.to = protobuf, .threads = 3}) == payloads);
}

TEST_CASE("the result counts frames and bytes with their prefixes")
{
    FakeSource in({ground_truth(1), ground_truth(2, 100), {}});
    FakeWriter out;
    const auto result = convert(in, out, {.to = flat});
    CHECK(result.frames == 3);
    CHECK(result.skipped == 0);
    CHECK(result.dropped_unknown_fields == 0);
    CHECK(result.bytes_in == 12 + ground_truth(1).size() + ground_truth(2, 100).size());
    CHECK(result.bytes_out == 12 + out.payloads[0].size() + out.payloads[1].size() + out.payloads[2].size());
}

TEST_CASE("frames that have the wanted form already are passed through untouched, broken ones too")
{
    const Payloads payloads{ground_truth(1), broken, {}};
    CHECK(converted(payloads, protobuf, {.to = protobuf, .strict = true, .verify = true}) == payloads);
    CHECK(converted(payloads, flat, {.to = flat, .keep_empty = true}) == payloads);
    CHECK(converted(payloads, declared, {.to = declared, .keep_empty = true}) == payloads);
    CHECK(error_of([&] { static_cast<void>(converted(payloads, flat, {.to = flat})); }) ==
          "in.osi: frame 2 at byte 15: an empty message, which is not a FlatBuffer");
}

TEST_CASE("the first bad frame in file order ends the conversion, all frames before it are written and none behind it")
{
    const auto threads = GENERATE(1u, 4u);
    FakeSource in(with_broken(2000, {700, 701, 1500}));
    FakeWriter out;
    const auto frame_bytes = 4 + ground_truth(1).size();
    const auto text = error_of([&] { return convert(in, out, {.to = flat, .threads = threads}); });
    CHECK_THAT(text, Catch::Matchers::StartsWith("in.osi: frame 700 at byte " + std::to_string(700 * frame_bytes + 4)));
    CHECK_THAT(text, Catch::Matchers::ContainsSubstring("timestamp"));
    CHECK(out.payloads.size() == 700);
}

TEST_CASE("bad frames are left out, counted and reported in order when that is asked for")
{
    const auto threads = GENERATE(1u, 4u);
    const std::vector<std::size_t> places{0, 700, 701, 1999};
    FakeSource in(with_broken(2000, places));
    FakeWriter out;
    std::vector<std::size_t> skipped;
    ConvertOptions options{.to = flat, .threads = threads, .skip_bad_frames = true};
    options.on_skip = [&](const SkippedBytes& what) {
        skipped.push_back(what.frame.value());
        CHECK(what.bytes == 4 + broken.size());
        CHECK_THAT(what.error.what(),
                   Catch::Matchers::StartsWith("in.osi: frame " + std::to_string(what.frame.value()) + " at byte "));
    };
    const auto result = convert(in, out, options);
    CHECK(result.frames == 1996);
    CHECK(result.skipped == 4);
    CHECK(skipped == places);
    CHECK(out.payloads.size() == 1996);
}

TEST_CASE("an error of the source comes after the frames before it")
{
    const auto threads = GENERATE(1u, 4u);
    FakeSource in(Payloads(2000, ground_truth(1)));
    in.before_read = [](std::size_t frame, const std::stop_token&) {
        if (frame == 700) throw Error(Cause::truncated, {.file = "in.osi", .frame = 700}, "it ends here");
    };
    FakeWriter out;
    CHECK(error_of([&] { return convert(in, out, {.to = flat, .threads = threads}); }) ==
          "in.osi: frame 700: it ends here");
    CHECK(out.payloads.size() == 700);
}

TEST_CASE("an error of the writer is passed on as it is, and nothing is written behind it")
{
    const auto threads = GENERATE(1u, 4u);
    FakeSource in(Payloads(2000, ground_truth(1)));
    FakeWriter out;
    std::size_t calls = 0;
    out.before_write = [&](const Frame& frame) {
        ++calls;
        if (frame.index == 700) throw Error(Cause::io, {.file = "out.osifb"}, "No space left on device");
    };
    CHECK(error_of([&] { return convert(in, out, {.to = flat, .threads = threads, .skip_bad_frames = true}); }) ==
          "out.osifb: No space left on device");
    CHECK(calls == 701);
}

TEST_CASE("an exception of a callback ends the conversion")
{
    FakeSource in(Payloads(2000, ground_truth(1)));
    FakeWriter out;
    ConvertOptions options{.to = flat, .threads = 4};
    options.on_progress = [](auto...) { throw std::runtime_error("no more"); };
    CHECK_THROWS_WITH(convert(in, out, options), "no more");
}

TEST_CASE("a conversion that is stopped ends with an error and leaves no output")
{
    const auto threads = GENERATE(1u, 4u);
    const ScratchFolder folder;
    std::stop_source stop;
    FakeSource in(Payloads(100'000, ground_truth(1)));
    in.before_read = [&](std::size_t frame, const std::stop_token&) {
        if (frame == 3000) stop.request_stop();
    };
    {
        const auto out = create_trace(folder / "out.osifb", converted_info(in.info(), flat));
        CHECK(error_of([&] { return convert(in, *out, {.to = flat, .threads = threads}, stop.get_token()); }) ==
              "in.osi: cancelled");
    }
    CHECK(in.owners.size() <= 3000 + threads);
    CHECK(folder.names().empty());
}

TEST_CASE("a stop that comes after the last frame changes nothing")
{
    std::stop_source stop;
    FakeSource in(Payloads(3, ground_truth(1)));
    FakeWriter out;
    ConvertOptions options{.to = flat, .threads = 1};
    options.on_progress = [&](auto...) { stop.request_stop(); };
    CHECK(convert(in, out, options, stop.get_token()).frames == 3);
}

TEST_CASE("of a live source every frame is written before the next comes, and a stop is its end")
{
    const auto threads = GENERATE(1u, 4u);
    std::mutex mutex;
    std::condition_variable_any changed;
    std::size_t written = 0;
    std::stop_source stop;
    FakeSource in(Payloads(100, ground_truth(1)));
    in.before_read = [&](std::size_t frame, const std::stop_token& token) {
        std::unique_lock lock(mutex);
        changed.wait(lock, token, [&] { return written == frame; });
        if (frame == 50) stop.request_stop();
    };
    FakeWriter out;
    out.before_write = [&](const Frame&) {
        const std::scoped_lock lock(mutex);
        ++written;
        changed.notify_all();
    };
    CHECK(convert(in, out, {.to = flat, .threads = threads, .live = true}, stop.get_token()).frames == 50);
    CHECK(out.payloads.size() == 50);
}

TEST_CASE("of large frames there are no more in memory than threads")
{
    FakeSource in(Payloads(200, ground_truth(1, 300'000)));
    FakeWriter out;
    std::ptrdiff_t most = 0;
    in.before_read = [&](auto...) {
        const auto alive = std::ranges::count_if(in.owners, [](const auto& owner) { return !owner.expired(); });
        most = std::max(most, alive);
    };
    CHECK(convert(in, out, {.to = flat, .threads = 3}).frames == 200);
    CHECK(most <= 3);
}

TEST_CASE("verification counts frames that say the same in another wire form")
{
    const auto canonical = ground_truth(1, 10);
    const auto fields_swapped = field(15, "x") + field(2, varint_field(1, 1));
    FakeSource in({canonical, fields_swapped, canonical});
    FakeWriter out;
    const auto result = convert(in, out, {.to = flat, .verify = true});
    CHECK(result.frames == 3);
    CHECK(result.other_wire_form == 1);
}

TEST_CASE("fields that the schema does not know are counted, or refused when that is asked for")
{
    FakeSource in({ground_truth(1), ground_truth(1) + std::string("\xfa\x7f\1x\xf8\x7f\1", 7)});
    FakeWriter out;
    SECTION("counted") { CHECK(convert(in, out, {.to = flat}).dropped_unknown_fields == 2); }
    SECTION("refused")
    {
        const auto text = error_of([&] { return convert(in, out, {.to = flat, .strict = true}); });
        CHECK_THAT(text, Catch::Matchers::StartsWith("in.osi: frame 1 at byte "));
        CHECK(out.payloads.size() == 1);
    }
}

TEST_CASE("a converted frame over the limit is an error")
{
    FakeSource in({ground_truth(1, 1000)});
    FakeWriter out;
    CHECK_THAT(error_of([&] { return convert(in, out, {.to = flat, .max_message_bytes = 1000}); }),
               Catch::Matchers::StartsWith("in.osi: frame 0 at byte ") && Catch::Matchers::ContainsSubstring("1000"));
}

TEST_CASE("layout declared refuses messages of another OSI release than the schema's")
{
    FakeSource in({ground_truth(1), ground_truth_of_release(3, 8, 0), ground_truth_of_release(3, 5, 0)});
    FakeWriter out;
    const auto bytes_before = 12 + ground_truth(1).size() + ground_truth_of_release(3, 8, 0).size();
    CHECK(error_of([&] { return convert(in, out, {.to = declared}); }) ==
          "in.osi: frame 2 at byte " + std::to_string(bytes_before - 4) +
              ": version: found OSI 3.5.0, expected OSI 3.8.0 of the schema: the layout 'declared' differs between "
              "releases. Use --schema with the descriptor set of OSI 3.5.0.");
    CHECK(out.payloads.size() == 2);
}

TEST_CASE("progress grows to the result")
{
    FakeSource in(frames_of_all_sizes());
    FakeWriter out;
    std::uint64_t frames = 0;
    std::uint64_t bytes = 0;
    ConvertOptions options{.to = flat, .threads = 3};
    options.on_progress = [&](const ConvertProgress& progress) {
        CHECK(progress.frames >= frames);
        frames = progress.frames;
        bytes = progress.bytes_out;
    };
    const auto result = convert(in, out, options);
    CHECK(frames == result.frames);
    CHECK(bytes == result.bytes_out);
}
