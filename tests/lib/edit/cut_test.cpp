// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/cut.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/edit/edited.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using Payloads = std::vector<std::string>;

namespace {

Payloads cut_payloads(Payloads payloads, CutOptions options)
{
    const auto edit = cut(source_of(std::move(payloads)), std::move(options));
    return payloads_of(*edit);
}

CutOptions frames(std::uint64_t from, std::uint64_t to)
{
    CutOptions options;
    options.frames = {from, to};
    return options;
}

}  // namespace

TEST_CASE("a map and a version that were sent once go along, each in its place")
{
    const Payloads in{version_field() + time_field(0) + moving_object(1) + lane(1) + lane(2),
                      time_field(1) + moving_object(1), time_field(2) + moving_object(1) + field(15, "map"),
                      time_field(3)};
    CHECK(cut_payloads(in, frames(1, 3)) ==
          Payloads{version_field() + time_field(1) + moving_object(1) + lane(1) + lane(2),
                   time_field(2) + moving_object(1) + field(15, "map")});
    auto dropped = frames(1, 3);
    dropped.carry_static = false;
    CHECK(cut_payloads(in, dropped) == Payloads{in[1], in[2]});
}

TEST_CASE("what is carried is the last that was sent, and only what the frame lacks")
{
    CHECK(cut_payloads({lane(1), lane(2), time_field(2)}, frames(2, 3)) == Payloads{time_field(2) + lane(2)});
    CHECK(cut_payloads({lane(1), lane(2), lane(3)}, frames(2, 3)) == Payloads{lane(3)});
}

TEST_CASE("every second frame gets the map that a frame between brought")
{
    CutOptions options;
    options.every = 2;
    CHECK(cut_payloads({lane(1), lane(2), time_field(2), time_field(3), time_field(4)}, options) ==
          Payloads{lane(1), time_field(2) + lane(2), time_field(4)});
}

TEST_CASE("a traffic light that comes in every frame and then does not is gone, one that was sent once is carried")
{
    CHECK(cut_payloads({traffic_light(1), time_field(1)}, frames(1, 2)) == Payloads{time_field(1) + traffic_light(1)});
    CHECK(cut_payloads({traffic_light(1), traffic_light(1), time_field(2)}, frames(2, 3)) == Payloads{time_field(2)});
}

TEST_CASE("what was carried is told with its frame")
{
    std::vector<CarriedPart> parts;
    auto options = frames(2, 3);
    options.on_carry = [&](const CarriedPart& part) { parts.push_back(part); };
    static_cast<void>(cut_payloads({lane(1) + lane(2), version_field(), time_field(2)}, options));
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].frame == 2);
    REQUIRE(parts[0].fields.size() == 2);
    CHECK(parts[0].fields[0].path == "version");
    CHECK(parts[0].fields[0].from_frame == 1);
    CHECK(parts[0].fields[1].path == "lane");
    CHECK(parts[0].fields[1].elements == 2);
    CHECK(parts[0].fields[1].from_frame == 0);
}

TEST_CASE("a frame without a time belongs to the one in front of it")
{
    CutOptions options;
    options.time = TimeRange::parse("+1:");
    options.carry_static = false;
    CHECK(cut_payloads(
              {moving_object(1), time_field(5), moving_object(2), time_field(6), moving_object(3), time_field(5)},
              options) == Payloads{time_field(6), moving_object(3)});
}

TEST_CASE("a broken frame in front of a cut is an error with its place, unless nothing is carried")
{
    const Payloads in{lane(1), "\x52\x7f", time_field(2)};
    CHECK(error_of([&] { return cut_payloads(in, frames(2, 3)); }).starts_with("in.osi: frame 1 at byte "));
    auto options = frames(2, 3);
    options.carry_static = false;
    CHECK(cut_payloads(in, options) == Payloads{time_field(2)});
}

TEST_CASE("a field of another wire type is none of the schema's and stays where it is")
{
    const std::string odd = varint_field(10, 7);
    CHECK(cut_payloads({lane(1), time_field(1) + odd}, frames(1, 2)) == Payloads{time_field(1) + odd + lane(1)});
}

namespace {

CutOptions in_time(const char* range, bool carry)
{
    CutOptions options;
    options.time = TimeRange::parse(range);
    options.carry_static = carry;
    return options;
}

/// Numbers and payloads of a cut.
std::vector<std::pair<std::uint64_t, std::string>> frames_of(FrameSource& source)
{
    std::vector<std::pair<std::uint64_t, std::string>> frames;
    for (Frame frame; source.read(frame);) frames.emplace_back(frame.index, text_of(frame.bytes));
    return frames;
}

}  // namespace

TEST_CASE(
    "a cut by time through the index has the frames of one that reads everything, also where times go backward or are "
    "missing")
{
    const ScratchFolder folder;
    std::string bytes;
    const auto add = [&](std::optional<std::uint8_t> seconds) {
        const auto payload =
            (seconds ? time_field(*seconds) : std::string()) + lane(1) + field(15, std::string(100'000, 'x'));
        std::string prefix(4, '\0');
        store_le32(reinterpret_cast<std::byte*>(prefix.data()), static_cast<std::uint32_t>(payload.size()));
        bytes += prefix + payload;
    };
    for (const auto time : {0, 1, 2, 3, 4, 3, 2, 5, 6, 7, 3, 8}) add(static_cast<std::uint8_t>(time));
    add(std::nullopt);
    for (const auto time : {9, 10}) add(static_cast<std::uint8_t>(time));
    write_file(folder / "x.osi", bytes);
    OpenOptions open;
    open.type = MessageType::ground_truth;
    for (const auto* const range : {"3:5", "2:", ":3", "8:9", "+2:+4", "-2:", "0:100", "4:4.5"}) {
        INFO(range);
        for (const bool carry : {true, false}) {
            auto slow_options = in_time(range, carry);
            const auto trace = open_trace(folder / "x.osi", open);
            slow_options.extent = time_extent(*trace);
            const auto slow = cut(open_stream(folder / "x.osi", open), slow_options);
            const auto fast = cut(*trace, in_time(range, carry));
            CHECK(frames_of(*fast) == frames_of(*slow));
        }
    }
}

TEST_CASE("what a frame in the middle sent once is carried, whatever the first frame has")
{
    const ScratchFolder folder;
    const std::string large = field(5, field(7, std::string(100'000, 'x')));
    std::string bytes;
    for (std::uint8_t second = 0; second < 6; ++second) {
        const auto payload = time_field(second) + lane(1) + (second == 2 ? field(15, "map") : "") + large;
        std::string prefix(4, '\0');
        store_le32(reinterpret_cast<std::byte*>(prefix.data()), static_cast<std::uint32_t>(payload.size()));
        bytes += prefix + payload;
    }
    write_file(folder / "x.osi", bytes);
    OpenOptions open;
    open.type = MessageType::ground_truth;
    const auto trace = open_trace(folder / "x.osi", open);
    const auto by_number = frames_of(*cut(*trace, frames(4, 5)));
    CHECK(by_number == decltype(by_number){{4, time_field(4) + lane(1) + large + field(15, "map")}});
    CHECK(frames_of(*cut(*trace, in_time("4:5", true))) == by_number);
    CHECK(frames_of(*cut(*trace, in_time("4:5", false))) == decltype(by_number){{4, time_field(4) + lane(1) + large}});
}

TEST_CASE("a cut of a real trace by time is the same through the index")
{
    const auto folder = test::shared_folder() / "traces";
    if (!std::filesystem::exists(folder)) {
        WARN("skipped: no folder of real traces");
        return;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".osi") continue;
        INFO(entry.path());
        for (const auto* const range : {"+1:+2", "+0.5:", ":+1"}) {
            const auto trace = open_trace(entry.path());
            auto slow_options = in_time(range, true);
            slow_options.extent = time_extent(*trace);
            CHECK(frames_of(*cut(*trace, in_time(range, true))) ==
                  frames_of(*cut(open_stream(entry.path()), slow_options)));
        }
    }
}
