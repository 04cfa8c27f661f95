// SPDX-License-Identifier: MPL-2.0
// Proof by destruction: what is intact in front of the damage and behind it comes back, what is lost is reported,
// nothing crashes.
#include <algorithm>
#include <ctime>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <ositrace/convert.hpp>
#include <ositrace/error.hpp>
#include <ositrace/recover.hpp>
#include <ositrace/scene.hpp>

#include "lib/io/compressor.hpp"
#include "tests/catch.hpp"
#include "tests/lib/recover/contains.hpp"
#include "tests/lib/recover/messages_in.hpp"
#include "tests/lib/scene_messages.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/lib/text_sink.hpp"
#include "tests/places.hpp"
#include "tests/stride.hpp"

using namespace ositrace;

namespace {

std::vector<std::string> frames_in(const std::string& bytes)
{
    std::vector<std::string> frames;
    for (std::size_t at = 0; at < bytes.size();) {
        const auto length = load_le32(reinterpret_cast<const std::byte*>(bytes.data()) + at);
        frames.push_back(bytes.substr(at, 4 + length));
        at += 4 + length;
    }
    return frames;
}

struct Recovered {
    std::vector<std::string> frames;
    RecoverResult result;
};

class Recovery {
public:
    /// nullopt: not one frame was found.
    std::optional<Recovered> recover(const std::string& bytes, const std::string& name = "in.osi")
    {
        const auto in = folder_ / name, out = folder_ / ("out" + std::filesystem::path(name).extension().string());
        write_file(in, bytes);
        RecoverOptions options;
        options.write.overwrite = true;
        options.write.sync = false;
        try {
            Recovered recovered;
            recovered.result = recover_trace(in, out, options);
            recovered.frames = frames_in(read_file(out));
            return recovered;
        } catch (const Error& error) {
            CHECK(is_damage(error));
            return std::nullopt;
        }
    }

private:
    ScratchFolder folder_;
};

std::vector<std::string> scene(std::uint64_t frames, MessageType type, Format to = {}, std::uint32_t reflections = 20)
{
    SceneOptions options;
    options.type = type;
    options.frames = frames;
    options.moving_objects = 2;
    options.reflections = reflections;
    options.static_data = StaticData::first_frame;
    const Scene made(options);
    std::vector<std::string> all;
    ByteBuffer message, flat;
    for (std::uint64_t i = 0; i < frames; ++i) {
        made.frame(i, message);
        auto bytes = message.bytes();
        if (to.encoding == Encoding::flatbuffers) {
            Transcoder(*made.info().channels.front().root, {}, to).transcode(bytes, flat);
            bytes = flat.bytes();
        }
        all.push_back(prefix(bytes.size()) + std::string(text_of(bytes)));
    }
    return all;
}

std::string joined(const std::vector<std::string>& frames)
{
    std::string all;
    for (const auto& frame : frames) all += frame;
    return all;
}

/// The frames of a trace that damage in [from, to) leaves whole.
std::vector<std::string> untouched(const std::vector<std::string>& frames, std::size_t from, std::size_t to)
{
    std::vector<std::string> left;
    std::size_t at = 0;
    for (const auto& frame : frames) {
        if (at + frame.size() <= from || at >= to) left.push_back(frame);
        at += frame.size();
    }
    return left;
}

void destroy_every_way(const std::vector<std::string>& frames, const std::string& name, int rounds)
{
    const auto whole = joined(frames);
    Recovery damage;
    std::mt19937 random(7);
    const auto below = [&](std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random); };
    for (int round = 0; round < rounds; ++round) {
        auto broken = whole;
        // Every frame as often as the large one with the map.
        const auto hit = below(frames.size());
        auto at = below(frames[hit].size());
        for (std::size_t i = 0; i != hit; ++i) at += frames[i].size();
        std::size_t end = at + 1;
        bool may_stay = false;  // flipped bits may still be a message
        switch (round % 5) {
        case 0:
            broken[at] = static_cast<char>(broken[at] ^ (1 << below(8)));
            may_stay = true;
            break;
        case 1:
            end = std::min(whole.size(), at + 1 + below(3000));
            broken.erase(at, end - at);
            break;
        case 2:
            end = std::min(whole.size(), at + 512);
            std::fill(broken.begin() + static_cast<std::ptrdiff_t>(at),
                      broken.begin() + static_cast<std::ptrdiff_t>(end), '\0');
            may_stay = true;
            break;
        case 3:
            end = std::min(whole.size(), at + 300);
            for (auto i = at; i < end; ++i) broken[i] = static_cast<char>(random());
            may_stay = true;
            break;
        case 4:
            end = at;
            for (int i = 0; i < 200; ++i)
                broken.insert(broken.begin() + static_cast<std::ptrdiff_t>(at), static_cast<char>(random()));
            end = at + 1;
            break;
        }
        const auto recovered = damage.recover(broken, name);
        INFO("round " << round << " at " << at << " to " << end);
        const auto wanted = untouched(frames, at, end);
        if (!recovered) {
            CHECK(wanted.empty());
            continue;
        }
        CHECK(contains(recovered->frames, wanted));
        if (!may_stay && recovered->frames.size() < frames.size()) CHECK_FALSE(recovered->result.intact());
        if (recovered->frames.size() < frames.size()) CHECK(recovered->result.losses != 0);
    }
}

}  // namespace

TEST_CASE("an intact trace is recovered byte for byte")
{
    for (const auto type : {MessageType::sensor_view, MessageType::ground_truth, MessageType::sensor_data}) {
        const auto frames = scene(6, type);
        const auto recovered = Recovery().recover(joined(frames));
        REQUIRE(recovered);
        CHECK(recovered->frames == frames);
        CHECK(recovered->result.intact());
        CHECK(recovered->result.lost_bytes == 0);
    }
}

TEST_CASE("fields of a newer schema in every frame are no damage, and hide none")
{
    // 90: a text; 91: a group with a field; within `timestamp` (field 2, of SensorView and GroundTruth) 15: an integer.
    const auto field = GENERATE(std::string("\xd2\x05\x02hi"), std::string("\xdb\x05\x08\x01\xdc\x05"),
                                std::string("\x12\x02\x78\x01"));
    const bool in_front = GENERATE(false, true);
    const auto type = GENERATE(MessageType::sensor_view, MessageType::ground_truth);
    const auto count = GENERATE(std::size_t{1}, std::size_t{6});
    CAPTURE(field, in_front, count);
    auto frames = scene(count, type);
    for (auto& frame : frames) {
        const auto payload = in_front ? field + frame.substr(4) : frame.substr(4) + field;
        frame = prefix(payload.size()) + payload;
    }
    const auto recovered = Recovery().recover(joined(frames));
    REQUIRE(recovered);
    CHECK(recovered->frames == frames);
    CHECK(recovered->result.intact());

    const ScratchFolder folder;
    write_file(folder / "in.osi", joined(frames));
    OpenOptions options;
    options.skip_bad_frames = true;
    std::size_t skipped = 0;
    options.on_skip = [&](const SkippedBytes&) { ++skipped; };
    CHECK(open_trace(folder / "in.osi", options)->frame_count(0) == count);
    CHECK(skipped == 0);

    if (count == 1) return;
    auto broken = joined(frames);
    std::ranges::fill(broken.begin(), broken.begin() + 40, '\xff');
    const auto damaged = Recovery().recover(broken);
    REQUIRE(damaged);
    CHECK(damaged->frames == std::vector(frames.begin() + 1, frames.end()));
    CHECK(damaged->result.losses == 1);
    broken = joined(frames);
    broken.resize(broken.size() - 10);
    const auto cut = Recovery().recover(broken);
    REQUIRE(cut);
    CHECK(cut->frames == std::vector(frames.begin(), frames.end() - 1));
    CHECK(cut->result.losses == 1);
}

TEST_CASE("a trace that is cut off at any byte of its last frame keeps the others")
{
    auto frames = scene(4, MessageType::sensor_view);
    frames.erase(frames.begin());  // the map would be copied thousands of times
    const auto whole = joined(frames);
    Recovery damage;
    for (std::size_t cut = 1; cut < frames.back().size(); cut += cut < 64 ? 1 : test::stride) {
        const auto recovered = damage.recover(whole.substr(0, whole.size() - cut));
        REQUIRE(recovered);
        REQUIRE(recovered->frames == std::vector<std::string>(frames.begin(), frames.end() - 1));
        REQUIRE(recovered->result.losses == 1);
        REQUIRE(recovered->result.lost_bytes == frames.back().size() - cut);
    }
}

TEST_CASE("a trace whose beginning is gone up to any byte of its first frame keeps the others")
{
    const auto frames = scene(4, MessageType::ground_truth);
    const auto whole = joined(frames);
    Recovery damage;
    for (std::size_t cut = 1; cut < frames.front().size(); cut += cut < 64 ? 1 : 101 * test::stride) {
        const auto recovered = damage.recover(whole.substr(cut));
        INFO(cut);
        REQUIRE(recovered);
        REQUIRE(recovered->frames == std::vector<std::string>(frames.begin() + 1, frames.end()));
        REQUIRE(recovered->result.lost_bytes == frames.front().size() - cut);
    }
}

TEST_CASE("a piece missing anywhere in a frame costs that frame alone")
{
    const auto frames = scene(5, MessageType::sensor_view);
    const auto begin = frames[0].size() + frames[1].size();
    Recovery damage;
    for (std::size_t at = 0; at + 8 < frames[2].size(); at += at < 64 ? 1 : 13 * test::stride) {
        auto broken = joined(frames);
        broken.erase(begin + at, 8);
        const auto recovered = damage.recover(broken);
        INFO(at);
        REQUIRE(recovered);
        REQUIRE(recovered->frames == untouched(frames, begin, begin + 1));
        REQUIRE(recovered->result.losses == 1);
        REQUIRE(recovered->result.lost.front().offset == begin);
        REQUIRE(recovered->result.lost.front().bytes == frames[2].size() - 8);
        REQUIRE(recovered->result.lost.front().frame == 2);
    }
}

TEST_CASE("a length with a wrong byte is put right")
{
    const auto frames = scene(5, MessageType::sensor_view);
    auto broken = joined(frames);
    broken[frames[0].size() + 1] = static_cast<char>(broken[frames[0].size() + 1] ^ 0x10);
    const auto recovered = Recovery().recover(broken);
    REQUIRE(recovered);
    CHECK(recovered->frames == frames);
    CHECK(recovered->result.losses == 1);
    CHECK(recovered->result.lost_bytes == 0);
}

TEST_CASE("a length with any wrong value is put right, for recover and for --skip-bad-frames alike")
{
    const auto frames = scene(5, MessageType::sensor_view);
    const auto right = static_cast<std::uint32_t>(frames[1].size() - 4);
    const auto wrong = GENERATE_COPY(0u, 1u, right - 1, right + 1, right + 300, 0x7fff'ffffu, 0xffff'ffffu);
    auto broken = joined(frames);
    broken.replace(frames[0].size(), 4, prefix(wrong));
    const auto recovered = Recovery().recover(broken);
    REQUIRE(recovered);
    CHECK(recovered->frames == frames);
    CHECK(recovered->result.losses == 1);
    CHECK(recovered->result.lost_bytes == 0);

    const ScratchFolder folder;
    write_file(folder / "in.osi", broken);
    OpenOptions options;
    options.skip_bad_frames = true;
    std::vector<SkippedBytes> skipped;
    options.on_skip = [&](const SkippedBytes& bytes) { skipped.push_back(bytes); };
    const auto source = open_stream(folder / "in.osi", options);
    std::vector<std::string> found;
    for (Frame frame; source->read(frame);)
        found.push_back(prefix(frame.bytes.size()) + std::string(text_of(frame.bytes)));
    CHECK(found == frames);
    REQUIRE(skipped.size() == 1);
    CHECK(skipped[0].bytes == 0);
    const auto trace = open_trace(folder / "in.osi", options);
    REQUIRE(trace->frame_count(0) == frames.size());
    for (std::size_t i = 0; i != frames.size(); ++i) CHECK(frames[i].substr(4) == text_of(trace->frame(0, i).bytes));
}

TEST_CASE("a length that spans a shorter frame, too, hides neither")
{
    auto frames = scene(5, MessageType::sensor_view);
    frames.push_back(scene(6, MessageType::sensor_view, {}, 0).back());
    const auto begin = joined({frames.begin(), frames.begin() + 4}).size();
    REQUIRE(frames[4].size() + frames[5].size() < 2 * frames[3].size());
    auto broken = joined(frames);
    broken.replace(begin, 4, prefix(broken.size() - begin - 4));
    const auto recovered = Recovery().recover(broken);
    REQUIRE(recovered);
    CHECK(recovered->frames == frames);
    CHECK(recovered->result.losses == 1);

    broken[begin + 8] = '\x07';  // a group's end where a field is expected
    broken.replace(begin + 40, 40, 40, '\xff');
    const auto damaged = Recovery().recover(broken);
    REQUIRE(damaged);
    CHECK(damaged->frames == untouched(frames, begin, begin + 1));
}

TEST_CASE("a length that is a byte too long does not hide that byte of the damaged frame after it")
{
    const auto frames = scene(8, MessageType::sensor_view, {Encoding::flatbuffers, Layout::numbered});
    const auto begin = joined({frames.begin(), frames.begin() + 3}).size(), next = begin + frames[3].size();
    auto broken = joined(frames);
    broken.replace(begin, 4, prefix(frames[3].size() - 4 + 1));
    broken.replace(next + 300, frames[4].size() - 300, std::string(frames[4].size() - 300, '\xff'));
    const auto recovered = Recovery().recover(broken, "in.osifb");
    REQUIRE(recovered);
    CHECK(recovered->frames == untouched(frames, next, next + 1));
    CHECK(recovered->result.lost_bytes == frames[4].size());
    CHECK(recovered->result.lost_frames.count() >= 1);
}

TEST_CASE("what is cut off at the end counts as one frame, or as two where another one begins in it")
{
    const auto frames = scene(8, MessageType::sensor_view, {Encoding::flatbuffers, Layout::numbered});
    const auto whole = joined(frames);
    const auto last = whole.size() - frames[7].size(), before = last - frames[6].size();
    const auto cut = Recovery().recover(whole.substr(0, last + 1000), "in.osifb");
    REQUIRE(cut);
    CHECK(cut->result.lost_frames.count() == 1);
    auto broken = whole.substr(0, last + 1000);
    broken.erase(before + 500, 2000);
    REQUIRE(broken.size() - before < frames[6].size());
    const auto recovered = Recovery().recover(broken, "in.osifb");
    REQUIRE(recovered);
    CHECK(recovered->frames.size() == 6);
    CHECK(recovered->result.lost_frames.count() == 2);
    CHECK(recovered->result.lost_bytes == broken.size() - before);
}

TEST_CASE("a page of zeros over many small frames costs only those, and the report is not less")
{
    std::vector<std::string> frames;
    for (std::uint64_t i = 0; i < 400; ++i) {
        const auto time =
            std::string("\x08") + static_cast<char>(i % 100 + 1) + "\x10" + static_cast<char>(i / 100 + 1);
        const auto message = std::string("\x0a\x04\x08\x03\x10\x08\x12\x04", 8) + time;
        frames.push_back(prefix(message.size()) + message);
    }
    auto broken = joined(frames);
    const std::size_t from = 1001, size = 1024;
    broken.replace(from, size, std::string(size, '\0'));
    const ScratchFolder folder;
    write_file(folder / "in.osi", broken);
    RecoverOptions options;
    options.open.type = MessageType::ground_truth;
    const auto result = recover_trace(folder / "in.osi", folder / "out.osi", options);
    const auto wanted = untouched(frames, from, from + size);
    CHECK(frames_in(read_file(folder / "out.osi")) == wanted);
    CHECK(result.lost_frames.count() >= frames.size() - wanted.size());
    CHECK(result.lost_bytes == broken.size() - joined(wanted).size());
}

TEST_CASE("empty messages before damage that reaches to the end are lost with it")
{
    const auto frames = scene(4, MessageType::sensor_view);
    const auto broken = joined(frames) + std::string(12, '\0') + frames[0].substr(0, 1000);
    const auto recovered = Recovery().recover(broken);
    REQUIRE(recovered);
    CHECK(recovered->frames == frames);
    CHECK(recovered->result.lost_bytes == 1012);
    CHECK(recovered->result.lost_frames.count() == 4);
    const auto between =
        Recovery().recover(joined(frames) + std::string(12, '\0') + frames[0].substr(0, 1000) + joined(frames));
    REQUIRE(between);
    CHECK(between->frames.size() == 2 * frames.size() + 3);
    CHECK(between->result.lost_bytes == 1000);
}

TEST_CASE("damage at random places leaves what it does not touch")
{
    destroy_every_way(scene(8, MessageType::sensor_view), "in.osi", test::some_of(300));
    destroy_every_way(scene(8, MessageType::sensor_data), "in.osi", test::some_of(100));
}

TEST_CASE("damage at random places of a FlatBuffers trace leaves what it does not touch")
{
    destroy_every_way(scene(8, MessageType::sensor_view, {Encoding::flatbuffers, Layout::numbered}), "in.osifb",
                      test::some_of(200));
}

TEST_CASE("real traces survive what they are not touched by")
{
    const auto folder = ositrace::test::shared_folder() / "traces";
    if (!std::filesystem::exists(folder)) {
        WARN("skipped: no folder of real traces");
        return;
    }
    for (const auto* const name :
         {"20230621T113737Z_sv_350_32112_100.osi", "20240618T122540Z_sv_370_244_20_minimal_valid_example.osi",
          "deserialization_version_is_set_invalid.osi", "highway_merge.osi"}) {
        INFO(name);
        destroy_every_way(frames_in(read_file(folder / name)), name, test::some_of(60));
    }
}

TEST_CASE("noise is no trace, and is not mistaken for one")
{
    std::mt19937 random(3);
    Recovery damage;
    for (int round = 0; round < 50; ++round) {
        std::string noise(1 + random() % 5000, '\0');
        for (auto& byte : noise) byte = static_cast<char>(random());
        CHECK_FALSE(damage.recover(noise));
    }
}

namespace {

std::string varint(std::uint64_t value)
{
    std::string text;
    for (; value > 0x7f; value >>= 7) text += static_cast<char>((value & 0x7f) | 0x80);
    return text + static_cast<char>(value);
}

std::string field(std::uint32_t number, const std::string& value)
{
    return varint(number << 3 | 2) + varint(value.size()) + value;
}

/// A SensorView with a version, a timestamp and the image of a camera.
std::string camera_frame(char seconds, const std::string& image)
{
    using namespace std::string_literals;
    const auto message = field(1, "\x08\x03\x10\x08"s) + field(2, "\x08"s + seconds) + field(1003, field(2, image));
    return prefix(message.size()) + message;
}

std::string noise_of(std::size_t bytes)
{
    std::mt19937_64 random(5);
    std::string noise(bytes, '\0');
    for (auto& byte : noise) byte = static_cast<char>(random());
    return noise;
}

/// By this process; nullopt where the system does not count them.
std::optional<std::uint64_t> bytes_read()
{
    std::ifstream counts("/proc/self/io");
    std::string name;
    std::uint64_t count = 0;
    return counts >> name >> count && name == "rchar:" ? std::optional(count) : std::nullopt;
}

}  // namespace

TEST_CASE("frames of more than 64 MiB come back, before and after damage, whatever they hold")
{
    constexpr std::size_t image_bytes = std::size_t{65} << 20;
    std::vector images{std::string(image_bytes, '\0')};
    if (test::stride == 1) images.push_back(noise_of(image_bytes));  // a sanitizer searches that for minutes
    for (const auto& image : images) {
        const std::vector<std::string> frames{camera_frame(1, image), camera_frame(2, image)};
        const auto whole = joined(frames);
        const auto intact = Recovery().recover(whole);
        REQUIRE(intact);
        CHECK((intact->frames == frames));  // not to be printed
        CHECK(intact->result.intact());
        const auto cut = Recovery().recover(whole.substr(0, whole.size() - 1));
        REQUIRE(cut);
        CHECK((cut->frames == std::vector{frames.front()}));
        const auto beheaded = Recovery().recover(whole.substr(6));
        REQUIRE(beheaded);
        CHECK((beheaded->frames == std::vector{frames.back()}));
    }
}

TEST_CASE("an intact trace of a stated type is recovered, whatever its strings hold")
{
    const auto message = field(1, "\x08\x03\x10\x08") + field(15, std::string(10'000, '\0'));
    const ScratchFolder folder;
    write_file(folder / "in.osi", prefix(message.size()) + message + prefix(message.size()) + message);
    RecoverOptions options;
    options.open.type = MessageType::ground_truth;
    CHECK(recover_trace(folder / "in.osi", folder / "out.osi", options).intact());
    CHECK(read_file(folder / "out.osi") == read_file(folder / "in.osi"));
}

TEST_CASE("no more is read than some times the size of the file, however many places look like frames")
{
    const auto before = bytes_read();
    if (!before) {
        WARN("skipped: this system does not count what a process reads");
        return;
    }
    // Every record reaches to the end of the file, where it breaks.
    constexpr std::size_t file_bytes = std::size_t{1} << 20;
    auto hostile = camera_frame(1, "image");
    const auto left = [&] { return file_bytes - hostile.size(); };
    while (left() > 1000) {
        const auto length = left() - 4;
        hostile +=
            prefix(length) + varint(1003 << 3 | 2) + varint(length - 100) + varint(2 << 3 | 2) + varint(length - 200);
    }
    hostile.resize(file_bytes, '\xff');
    const auto recovered = Recovery().recover(hostile);
    REQUIRE(recovered);
    CHECK(recovered->frames.size() == 1);
    CHECK(recovered->result.lost_bytes == file_bytes - recovered->frames.front().size());
    CHECK(*bytes_read() - *before < 1000 * file_bytes);
}

TEST_CASE("a file that looks like frames at every second byte costs linear time")
{
    // As a length 655 370, as a message empty versions; after some good frames, or alone.
    constexpr std::size_t file_bytes = std::size_t{4} << 20;
    std::string hostile;
    while (hostile.size() < file_bytes) hostile += std::string("\x0a\0", 2);
    const auto frames = scene(3, MessageType::sensor_view);
    const bool alone = GENERATE(false, true);
    const ScratchFolder folder;
    write_file(folder / "in.osi", (alone ? "" : joined(frames)) + hostile + joined(frames));
    RecoverOptions options;
    options.open.type = MessageType::sensor_view;
    const auto begin = std::clock();
    const auto result = recover_trace(folder / "in.osi", folder / "out.osi", options);
    const auto seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    // About one. Each place that is read to its end would take an hour.
    CHECK(seconds < (test::stride == 1 ? 20 : 200));
    const auto found = frames_in(read_file(folder / "out.osi"));
    CHECK(result.losses != 0);
    if (!alone) CHECK(contains(found, frames));
    REQUIRE(found.size() >= 2);
    CHECK(std::vector(found.end() - 2, found.end()) == std::vector(frames.end() - 2, frames.end()));
}

TEST_CASE("a first frame of noise is read a few times and costs nothing else, for recover and --skip-bad-frames alike")
{
    const auto before = bytes_read();
    if (!before) {
        WARN("skipped: this system does not count what a process reads");
        return;
    }
    constexpr std::size_t noise_bytes = std::size_t{8} << 20;
    const auto frames = scene(5, MessageType::sensor_view);
    const auto broken = prefix(noise_bytes) + noise_of(noise_bytes) + joined(frames);
    const auto recovered = Recovery().recover(broken);
    REQUIRE(recovered);
    CHECK(recovered->frames == frames);
    CHECK(recovered->result.lost_bytes == 4 + noise_bytes);
    CHECK(*bytes_read() - *before < 6 * broken.size());  // 2 of them by the test
    CHECK_FALSE(Recovery().recover(prefix(noise_bytes) + noise_of(noise_bytes)));
    CHECK(*bytes_read() - *before < 16 * broken.size());

    const ScratchFolder folder;
    write_file(folder / "in.osi", broken);
    OpenOptions options;
    options.skip_bad_frames = true;
    const auto source = open_stream(folder / "in.osi", options);
    std::vector<std::string> found;
    for (Frame frame; source->read(frame);)
        found.push_back(prefix(frame.bytes.size()) + std::string(text_of(frame.bytes)));
    CHECK(contains(found, frames));  // and the noise, whose length is right
}

TEST_CASE("of two traces, the first one cut in a frame, everything else comes back, compressed or not")
{
    const auto frames = scene(6, MessageType::sensor_view);
    std::vector<std::string> wanted(frames.begin(), frames.begin() + 3);
    wanted.insert(wanted.end(), frames.begin(), frames.end());
    const auto cut = joined({frames.begin(), frames.begin() + 3}).size() + frames[3].size() / 3;
    const auto spliced = joined(frames).substr(0, cut) + joined(frames);
    for (const auto& row : compressors()) {
        TextSink packed;
        const auto compressor = row.create(packed, {});
        compressor->write(bytes_of(spliced));
        compressor->finish();
        const ScratchFolder folder;
        write_file(folder / "in.osi", packed.text);
        const auto result = recover_trace(folder / "in.osi", folder / "out.osi");
        CHECK(frames_in(read_file(folder / "out.osi")) == wanted);
        CHECK(result.lost_bytes == frames[3].size() / 3);
        CHECK(result.lost_frames.count() >= 1);

        OpenOptions options;
        options.skip_bad_frames = true;
        std::uint64_t skipped = 0;
        options.on_skip = [&](const SkippedBytes& bytes) { skipped += bytes.bytes; };
        const auto source = open_stream(folder / "in.osi", options);
        std::size_t found = 0;
        for (Frame frame; source->read(frame); ++found) CHECK((text_of(frame.bytes) == wanted.at(found).substr(4)));
        CHECK(found == wanted.size());
        CHECK(skipped == frames[3].size() / 3);
    }
}

TEST_CASE("a compressed trace comes back whole if the one before it lacks its last bytes")
{
    const auto frames = scene(6, MessageType::sensor_view);
    for (const auto& row : compressors()) {
        TextSink packed;
        const auto compressor = row.create(packed, {});
        compressor->write(bytes_of(joined(frames)));
        compressor->finish();
        for (const std::size_t missing : {1, 5, 50, 500, 5000}) {
            REQUIRE(missing < packed.text.size());
            const ScratchFolder folder;
            write_file(folder / "in.osi", packed.text.substr(0, packed.text.size() - missing) + packed.text);
            const auto result = recover_trace(folder / "in.osi", folder / "out.osi");
            const auto found = frames_in(read_file(folder / "out.osi"));
            REQUIRE(found.size() >= frames.size());
            CHECK((std::vector(found.end() - static_cast<std::ptrdiff_t>(frames.size()), found.end()) == frames));
            CHECK(!result.intact());
            CHECK((found.size() == 2 * frames.size() ||
                   result.lost_frames.count().value_or(99) >= 2 * frames.size() - found.size()));
        }
    }
}

TEST_CASE("a tail of zeros is lost, empty messages are kept")
{
    const auto frames = scene(2, MessageType::ground_truth);
    const auto zeros = Recovery().recover(joined(frames) + std::string(4096, '\0'));
    REQUIRE(zeros);
    CHECK(zeros->frames == frames);
    CHECK(zeros->result.lost_bytes == 4096);
    const auto empty = Recovery().recover(frames[0] + std::string(8, '\0') + frames[1]);
    REQUIRE(empty);
    CHECK(empty->frames.size() == 4);
    CHECK(empty->result.intact());
}

TEST_CASE(
    "frames that fit several types come back where the type is stated, and the report says that it must be stated "
    "again")
{
    using namespace std::string_literals;
    // Found by fuzz_recover: version 3.0 and ids as SensorView and GroundTruth have them.
    const auto strange =
        "\x14\0\0\0\x0a\x12\x08\x03\x12\x02\x08\0\x52\x04\x0a\x12\x08\x01\x2a\x04\x0a\x02\x08\x02"
        "\x0a\0\0\0\x12\x02\x08\x02\x3a\x04\x0a\x02\x08\x05"s;
    const ScratchFolder folder;
    write_file(folder / "in.osi", strange + std::string(50, '\xff'));
    CHECK_THROWS_WITH(recover_trace(folder / "in.osi", folder / "out.osi"),
                      Catch::Matchers::ContainsSubstring("the content fits SensorView (sv) and GroundTruth (gt)"));
    RecoverOptions options;
    options.open.type = MessageType::ground_truth;
    const auto result = recover_trace(folder / "in.osi", folder / "out.osi", options);
    CHECK(read_file(folder / "out.osi") == strange);
    CHECK(result.to_be_stated == Recognition{MessageType::ground_truth, {}});
    CHECK(result.why_stated == "the content fits SensorView (sv) and GroundTruth (gt); select one with --type");
    OpenOptions open;
    open.type = result.to_be_stated->type;
    CHECK(open_trace(folder / "out.osi", open)->frame_count(0) == 2);
    // A name that says the type is enough.
    const auto named = recover_trace(folder / "in.osi", folder / "20240101T000000Z_gt_380_32112_2_x.osi", options);
    CHECK_FALSE(named.to_be_stated);
}

namespace {

/// A scene in small chunks.
void write_mcap(const std::filesystem::path& file, std::uint64_t frames)
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    options.frames = frames;
    options.static_data = StaticData::first_frame;
    SceneSource scene(options);
    WriteOptions write;
    write.chunk_bytes = 20'000;
    write.sync = false;
    const auto writer = create_trace(file, scene.info(), write);
    static_cast<void>(convert(scene, *writer, {}));
    writer->close();
}

/// How many of them do not stand in `all`.
std::size_t strangers(const std::vector<std::string>& some, const std::vector<std::string>& all)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(some, [&](const auto& each) { return std::ranges::find(all, each) == all.end(); }));
}

}  // namespace

TEST_CASE("an MCAP file that is damaged or cut off keeps the chunks that are whole")
{
    const ScratchFolder folder;
    write_mcap(folder / "whole.mcap", 60);
    const auto whole = read_file(folder / "whole.mcap");
    const auto messages = messages_in(folder / "whole.mcap");
    REQUIRE(messages.size() == 60);
    std::mt19937 random(11);
    RecoverOptions options;
    options.write.overwrite = true;
    options.write.sync = false;
    std::size_t most_lost = 0;
    for (int round = 0; round < 60; ++round) {
        auto broken = whole;
        const auto at = 2000 + random() % (whole.size() - 2000);
        const bool cut = round % 3 == 0;
        if (cut)
            broken.resize(at);
        else if (round % 3 == 1)
            broken[at] = static_cast<char>(broken[at] ^ 0x20);
        else
            broken.erase(at, 100);
        INFO("round " << round << " at " << at);
        write_file(folder / "broken.mcap", broken);
        const auto result = recover_trace(folder / "broken.mcap", folder / "saved.mcap", options);
        const auto saved = messages_in(folder / "saved.mcap");
        CHECK(strangers(saved, messages) <= result.kept_unproven);
        if (saved.size() < messages.size()) CHECK_FALSE(result.intact());
        if (!cut) most_lost = std::max(most_lost, messages.size() - saved.size());
    }
    CHECK(most_lost <= 12);
}
