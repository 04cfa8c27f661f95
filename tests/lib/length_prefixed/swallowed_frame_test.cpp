// SPDX-License-Identifier: MPL-2.0
// A length prefix that covers the next frames, too: Protobuf and FlatBuffers can be read with bytes after a message.
#include <random>
#include <string>
#include <vector>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/recover.hpp>

#include "formats/framing/trailing_length.hpp"
#include "lib/length_prefixed/swallowed_frame.hpp"
#include "tests/catch.hpp"
#include "tests/lib/scene_messages.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

std::vector<std::string> messages(Encoding encoding, std::uint64_t frames)
{
    SceneOptions options;
    options.type = MessageType::sensor_view;
    options.frames = frames;
    options.moving_objects = 1;
    options.reflections = 1;
    options.static_data = StaticData::never;
    return scene_messages(options, encoding);
}

Channel channel(Encoding encoding)
{
    const auto schema = Schema::built_in();
    Channel channel;
    channel.type = MessageType::sensor_view;
    channel.format = {encoding, Layout::numbered};
    channel.root = &schema->root(MessageType::sensor_view);
    channel.schema = schema;
    return channel;
}

std::string error_at(const auto& action)
{
    try {
        action();
        return {};
    } catch (const Error& error) {
        CHECK(error.cause() == Cause::malformed);
        return "frame " + std::to_string(error.where().frame.value_or(99)) + " at byte " +
               std::to_string(error.where().offset.value_or(99)) + ": " + error.reason();
    }
}

}  // namespace

namespace {

bool scan_in_pieces(const std::string& payload, std::mt19937& random)
{
    length_prefix::TrailingLengthScan scan(payload.size());
    for (std::size_t arrived = 0; arrived != payload.size();) {
        arrived += std::min(payload.size() - arrived, random() % 1000 + std::size_t{1});
        scan.add(bytes_of(payload).first(arrived));
    }
    return scan.may_hold_frames();
}

}  // namespace

TEST_CASE("a number that leads to the end is found wherever it is, and no other")
{
    std::mt19937 random(5);
    for (const std::size_t size : {5u, 6u, 7u, 100u, 131u, 132u, 133u, 260u, 389u, 1000u, 70'000u}) {
        std::string noise(size, '\0');
        for (auto& byte : noise) byte = static_cast<char>(random() | 0x80);  // a length of at least 2 GiB
        CHECK_FALSE(length_prefix::may_hold_frames(bytes_of(noise)));
        for (std::size_t place = 1; place + 4 < size; place += size > 1000 ? 997 : 1) {
            auto bytes = noise;
            bytes.replace(place, 4, prefix(size - place - 4));
            INFO(size << ' ' << place);
            CHECK(length_prefix::may_hold_frames(bytes_of(bytes)));
            CHECK(scan_in_pieces(bytes, random));
            bytes.replace(place, 4, prefix(size - place - 3));
            CHECK_FALSE(length_prefix::may_hold_frames(bytes_of(bytes)));
            CHECK_FALSE(scan_in_pieces(bytes, random));
        }
    }
    CHECK_FALSE(length_prefix::may_hold_frames({}));
}

TEST_CASE("a length that covers the frames after it is an error where messages are read, and is put right")
{
    const auto encoding = GENERATE(Encoding::protobuf, Encoding::flatbuffers);
    const auto covered = GENERATE(std::size_t{1}, std::size_t{3});
    const auto first = GENERATE(std::size_t{0}, std::size_t{2}, std::size_t{5});
    const std::string name = encoding == Encoding::protobuf ? "in.osi" : "in.osifb";
    CAPTURE(name, covered, first);
    const auto all = messages(encoding, 9);
    auto bytes = framed(all);
    const auto begin = framed({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first)}).size();
    const auto end = framed({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first + 1 + covered)}).size();
    bytes.replace(begin, 4, prefix(end - begin - 4));
    const ScratchFolder folder;
    write_file(folder / name, bytes);

    OpenOptions options;
    options.type = MessageType::sensor_view;
    const auto expected = "frame " + std::to_string(first) + " at byte " + std::to_string(begin) + ": the length " +
                          std::to_string(end - begin - 4) + " is wrong: another frame begins after " +
                          std::to_string(all[first].size()) + " bytes";
    CHECK(error_at([&] {
              const auto source = open_stream(folder / name, options);
              for (Frame frame; source->read(frame);) {
              }
          }) == expected);
    const auto trace = open_trace(folder / name, options);
    CHECK(error_at([&] { static_cast<void>(trace->frame(0, first)); }) == expected);
    CHECK(error_at([&] {
              const auto cursor = trace->reader();
              cursor->seek_frame(first);
              Frame frame;
              cursor->read(frame);
          }) == expected);
    if (first + 1 + covered < all.size())
        CHECK(trace->frame(0, first + 1).bytes.size() == all[first + 1 + covered].size());

    RecoverOptions recover;
    recover.open = options;
    const auto result = recover_trace(folder / name, folder / ("out-" + name), recover);
    CHECK(read_file(folder / ("out-" + name)) == framed(all));
    REQUIRE(result.losses == 1);
    CHECK(result.lost_bytes == 0);
    CHECK(result.lost.front().error.what() == (folder / name).string() + ": " + expected);
    options.skip_bad_frames = true;
    CHECK(open_trace(folder / name, options)->frame_count() == all.size());
}

TEST_CASE("a message that contains a frame up to its end is one message")
{
    const auto inner = messages(Encoding::protobuf, 1).front();
    const auto embedded = prefix(inner.size()) + inner;
    std::string size;
    for (auto rest = embedded.size(); rest != 0; rest >>= 7)
        size += static_cast<char>((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    // Field 2000 of SensorView, which no schema knows: bytes.
    const auto message = inner + "\x82\x7d" + size + embedded;
    REQUIRE(length_prefix::may_hold_frames(bytes_of(message)));
    FrameVerifier verifier(channel(Encoding::protobuf));
    CHECK_FALSE(length_before_frames(bytes_of(message), verifier));
    CHECK(length_before_frames(bytes_of(inner + embedded), verifier) == inner.size());
}

TEST_CASE("many numbers that lead to the end cost linear time")
{
    // Each fourth byte begins a number that leads to the end, and after it a message seems to begin.
    std::string hostile(1 << 20, '\0');
    for (std::size_t place = 0; place + 8 <= hostile.size(); place += 8) {
        hostile.replace(place, 4, prefix(hostile.size() - place - 4));
        hostile.replace(place + 4, 4, std::string("\x0a\x02\x08\x03"));
    }
    hostile.replace(hostile.size() - 8, 8, 8, '\xff');  // but none ends
    FrameVerifier verifier(channel(Encoding::protobuf));
    REQUIRE(length_prefix::may_hold_frames(bytes_of(hostile)));
    CHECK_FALSE(length_before_frames(bytes_of(hostile), verifier));
}

TEST_CASE("a wrong length over frames that are damaged themselves loses no whole frame")
{
    const auto encoding = GENERATE(Encoding::protobuf, Encoding::flatbuffers);
    const std::string name = encoding == Encoding::protobuf ? "in.osi" : "in.osifb";
    const auto all = messages(encoding, 9);
    const auto begin_of = [&](std::size_t i) {
        return framed({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i)}).size();
    };
    auto bytes = framed(all);
    bytes.replace(begin_of(2), 4, prefix(begin_of(6) - begin_of(2) - 4));  // leads to the beginning of frame 6
    bytes.replace(begin_of(4), 4, prefix(1 << 28));                        // so that the frames before 5 lead nowhere
    const ScratchFolder folder;
    write_file(folder / name, bytes);
    RecoverOptions options;
    options.open.type = MessageType::sensor_view;
    const auto result = recover_trace(folder / name, folder / ("out-" + name), options);
    const auto saved = read_file(folder / ("out-" + name));
    for (const std::size_t i : {0, 1, 2, 3, 5, 6, 7, 8}) {
        CAPTURE(name, i);
        CHECK(saved.find(prefix(all[i].size()) + all[i]) != std::string::npos);
    }
    CHECK(result.lost_frames.count().value_or(1) + result.frames >= all.size());
}
