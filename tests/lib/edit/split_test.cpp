// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/rename.hpp>
#include <ositrace/edit/split.hpp>

#include "tests/catch.hpp"
#include "tests/lib/edit/edited.hpp"

using namespace ositrace;
using namespace std::chrono_literals;
using Pieces = std::vector<std::vector<std::string>>;

namespace {

Pieces pieces_of(std::vector<std::string> payloads, SplitOptions options)
{
    Splitter splitter(source_of(std::move(payloads)), std::move(options));
    Pieces pieces;
    while (splitter.next()) pieces.push_back(payloads_of(splitter.piece()));
    return pieces;
}

}  // namespace

TEST_CASE("every piece begins with the map, and no frame is lost")
{
    SplitOptions options;
    options.every_frames = 2;
    CHECK(pieces_of({lane(1), time_field(1), time_field(2), lane(2), time_field(4)}, options) ==
          Pieces{{lane(1), time_field(1)}, {time_field(2) + lane(1), lane(2)}, {time_field(4) + lane(2)}});
    options.carry_static = false;
    CHECK(pieces_of({lane(1), time_field(1), time_field(2)}, options) ==
          Pieces{{lane(1), time_field(1)}, {time_field(2)}});
}

TEST_CASE("pieces by time are counted from the start, and seconds without frames make none")
{
    SplitOptions options;
    options.every_time = 2s;
    CHECK(pieces_of({time_field(1), time_field(2), time_field(3), time_field(9), moving_object(1), time_field(10),
                     time_field(11)},
                    options) == Pieces{{time_field(1), time_field(2)},
                                       {time_field(3)},
                                       {time_field(9), moving_object(1), time_field(10)},
                                       {time_field(11)}});
}

TEST_CASE("a piece has one frame at least, whatever its size")
{
    SplitOptions options;
    options.every_bytes = 10;
    CHECK(
        pieces_of({time_field(1), time_field(2), std::string(field(15, std::string(50, 'x'))), time_field(4)}, options)
            .size() == 3);
    options.carry_static = false;
    CHECK(pieces_of({}, options).empty());
}

TEST_CASE("a piece that is left early does not hold up the next")
{
    SplitOptions options;
    options.every_frames = 2;
    Splitter splitter(source_of({time_field(1), time_field(2), time_field(3)}), options);
    REQUIRE(splitter.next());
    REQUIRE(splitter.next());
    CHECK(payloads_of(splitter.piece()) == std::vector<std::string>{time_field(3)});
    CHECK_FALSE(splitter.next());
}

TEST_CASE("a piece is named by the number of its frames and by the version of the trace")
{
    SplitOptions options;
    options.every_frames = 2;
    options.carry_static = false;
    const std::string version_3_5("\x0a\x04\x08\x03\x10\x05", 6);  // InterfaceVersion: major 3, minor 5
    Splitter splitter(source_of({time_field(1), version_3_5, time_field(2)}), options);
    for (const auto& expected : {std::pair{2u, "350"}, std::pair{1u, "350"}}) {
        REQUIRE(splitter.next());
        NamingSource named(splitter.piece());
        for (Frame frame; named.read(frame, {});) {
        }
        const auto name = name_by_content(named.summary(), "20240101T000000Z_drive.osi");
        CHECK(name.frames == expected.first);
        CHECK(name.osi_version == expected.second);
        CHECK(name.type == MessageType::ground_truth);
    }
}
