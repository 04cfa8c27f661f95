// SPDX-License-Identifier: MPL-2.0
// Traces beside maps that fit, that do not, and that cannot be read.
#include <algorithm>
#include <string>
#include <vector>

#include <ositrace/attach.hpp>
#include <ositrace/check.hpp>
#include <ositrace/edit/map_channel.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>
#include <ositrace/trace_writer.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/check/traces.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using namespace trace_by_hand;

namespace {

constexpr std::uint32_t map_reference = 15, proj_string = 14;

Message place(double x, double y, std::optional<double> z)
{
    const auto plane = Message().real(1, x).real(2, y);
    return z ? Message(plane).real(3, *z) : plane;
}

Message car(std::uint64_t number, double x, double y, std::optional<double> z = {})
{
    return thing(number).message(2, Message().message(2, place(x, y, z)));
}

Message line(std::uint64_t number, double y, std::optional<double> z = {})
{
    const auto at = [&](double x) { return Message().message(1, place(x, y, z)); };
    return thing(number).message(2, at(5)).message(2, at(95));
}

/// With a car on the lane, and both borders of it.
Message good(std::uint64_t milliseconds)
{
    return head(milliseconds)
        .message(moving_object, car(1, 50, 1))
        .message(lane_boundary, line(20, 0))
        .message(lane_boundary, line(21, 3.5));
}

/// `map.fits 2`: ids of findings about maps and how many there are.
std::vector<std::string> found(const std::filesystem::path& file, const CheckOptions& options = {})
{
    std::vector<std::string> counts;
    for (const auto& count : check_trace(file, options).counts)
        if (const auto name = count.id.substr(count.id.rfind(':') + 1); name.starts_with("map."))
            counts.push_back(name + ' ' + std::to_string(count.count));
    return counts;
}

std::string message_of(const CheckResult& result)
{
    for (const auto& finding : result.findings)
        if (finding.id.find(":map.") != std::string::npos) return finding.message;
    return {};
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a map that fits has no findings, wherever it is")
{
    const ScratchFolder folder;
    write_file(folder / "run.osi", frame(good(0)) + frame(good(100)));
    CHECK(found(folder / "run.osi").empty());
    write_file(folder / "town.xodr", road_map());
    CheckOptions given;
    given.map = folder / "town.xodr";
    CHECK(found(folder / "run.osi", given).empty());
    write_file(folder / "run.osi", frame(good(0).text(map_reference, "town.xodr")) + frame(good(100)));
    CHECK(found(folder / "run.osi").empty());
    CHECK(found(folder / "town.xodr").empty());
}

TEST_CASE("objects far from the lanes are counted by frame, and lanes when they change")
{
    const ScratchFolder folder;
    write_file(folder / "run.xodr", road_map());
    const auto half = head(100).message(moving_object, car(1, 50, 1)).message(moving_object, car(2, 50, 14));
    write_file(folder / "run.osi", frame(good(0)) + frame(half));
    CHECK(found(folder / "run.osi").empty());  // some may be on ground that the map does not have
    const auto away = Message(half).message(moving_object, car(3, 50, 15));
    write_file(folder / "run.osi", frame(good(0)) + frame(away) + frame(away) + frame(good(300)));
    CHECK(found(folder / "run.osi") == Texts{"map.fits 2"});
    const auto moved = [](std::uint64_t milliseconds) {
        return head(milliseconds).message(lane_boundary, line(20, 1)).message(lane_boundary, line(21, 100));
    };
    write_file(folder / "run.osi", frame(moved(0)) + frame(moved(100)) + frame(good(200)) + frame(moved(300)));
    CHECK(found(folder / "run.osi") == Texts{"map.lanes 2"});
    CHECK(message_of(check_trace(folder / "run.osi")) ==
          "found 2 of 2 lane boundaries more than 10 m from those of run.xodr, expected at most 0.200 m; the farthest "
          "place is (5.000, 100.000)");
    const auto beside = [](double y) { return frame(head(0).message(lane_boundary, line(20, y))); };
    write_file(folder / "run.osi", beside(-0.2));
    CHECK(found(folder / "run.osi").empty());
    write_file(folder / "run.osi", beside(-0.2001));
    CHECK(message_of(check_trace(folder / "run.osi")) ==
          "found 1 of 1 lane boundaries up to 0.201 m from those of run.xodr, expected at most 0.200 m; the farthest "
          "place is (5.000, -0.200)");
    write_file(folder / "run.osi", frame(moved(0)) + frame(good(200)));
    CheckOptions options;
    options.disabled = {"map.lanes"};
    CHECK(found(folder / "run.osi", options).empty());
}

TEST_CASE("a map more than 10 m above or below a trace does not fit, unless the trace has no heights")
{
    const ScratchFolder folder;
    auto raised = road_map();
    raised.insert(raised.find("<lanes>"),
                  "<elevationProfile><elevation s='0' a='47' b='0' c='0' d='0'/>"
                  "</elevationProfile>");
    write_file(folder / "run.xodr", raised);
    const auto at_height = [](std::optional<double> z) {
        return frame(head(0)
                         .message(moving_object, car(1, 50, 1, z))
                         .message(lane_boundary, line(20, 0, z))
                         .message(lane_boundary, line(21, 3.5, z)));
    };
    for (const auto z : {0.0, 36.0, 58.0}) {
        write_file(folder / "run.osi", at_height(z));
        CHECK(found(folder / "run.osi") == Texts{"map.fits 1", "map.lanes 1"});
    }
    CHECK(message_of(check_trace(folder / "run.osi")) ==
          "found 1 of 1 moving objects (the first has id 1) more than 10 m from any lane of run.xodr");
    const auto map = map_of(*open_trace(folder / "run.osi"));
    REQUIRE(map);
    CHECK(map->far_objects == 1);
    for (const auto z : {std::optional<double>{}, std::optional(38.0), std::optional(56.0)}) {
        write_file(folder / "run.osi", at_height(z));
        CHECK(found(folder / "run.osi").empty());
    }
}

TEST_CASE("a map without lanes is a finding, and neither it nor its trace has others")
{
    const ScratchFolder folder;
    write_file(folder / "run.osi", frame(good(0)) + frame(good(100)));
    write_file(folder / "run.xodr", "<OpenDRIVE/>");
    CHECK(found(folder / "run.osi") == Texts{"map.readable 1"});
    CHECK(message_of(check_trace(folder / "run.osi")) == "run.xodr: the map has no lanes");
}

TEST_CASE("a map that a trace with lanes lacks is information")
{
    const ScratchFolder folder;
    const auto lane = thing(30);
    write_file(folder / "run.osi", frame(good(0).text(map_reference, "town.xodr").message(10, lane)));
    CHECK(found(folder / "run.osi") == Texts{"map.found 1"});
    write_file(folder / "run.osi", frame(good(0).text(map_reference, "town.xodr")));
    CHECK(found(folder / "run.osi") == Texts{"map.readable 1"});
}

TEST_CASE("a map has neither a host nor the name of a trace, and its crosswalks are those of OSI")
{
    const ScratchFolder folder;
    auto with_crosswalk = road_map();
    with_crosswalk.insert(with_crosswalk.find("</road>"),
                          "<objects><object type='crosswalk' id='c' s='50' t='0' zOffset='0' hdg='1.57' length='7' "
                          "width='4' height='0'/></objects>");
    write_file(folder / "town.xodr", with_crosswalk);
    CheckOptions options;
    options.rules = RuleSet::built_in();
    const auto result = check_trace(folder / "town.xodr", options);
    for (const auto& finding : result.findings) UNSCOPED_INFO(finding.id << ' ' << finding.message);
    CHECK(result.counts.empty());
}

TEST_CASE("a map of another projection does not fit, and an offset moves it")
{
    const ScratchFolder folder;
    write_file(folder / "run.xodr", road_map("<header><geoReference>+proj=utm +zone=32</geoReference></header>"));
    write_file(folder / "run.osi", frame(good(0).text(proj_string, "+proj=utm +zone=33")));
    CHECK(found(folder / "run.osi") == Texts{"map.fits 1"});
    CHECK(message_of(check_trace(folder / "run.osi")) == "the map has another projection than the trace (run.xodr)");
    write_file(folder / "run.osi", frame(good(0).text(map_reference, "+proj=utm +zone=31")));
    CHECK(found(folder / "run.osi") == Texts{"map.fits 1"});
    write_file(folder / "run.osi", frame(good(0).text(proj_string, "EPSG:32632")));
    CHECK(found(folder / "run.osi").empty());
    write_file(folder / "run.osi", frame(good(0).text(proj_string, "EPSG:31467")));
    CHECK(found(folder / "run.osi") == Texts{"map.projection 1"});
    write_file(folder / "run.xodr", road_map("<header><geoReference>+proj=utm +zone=33</geoReference>"
                                             "<offset x='0' y='20' z='0' hdg='0'/></header>"));
    const auto offset = Message().message(1, Message().real(1, 0).real(2, 0)).real(2, 0);
    write_file(folder / "run.osi", frame(good(0).text(proj_string, "+proj=utm +zone=33").message(20, offset)));
    CHECK(found(folder / "run.osi") == Texts{"map.fits 1", "map.lanes 1"});
}

TEST_CASE("a map that cannot be read is a finding, unless the user names a file that is not there")
{
    const ScratchFolder folder;
    write_file(folder / "run.osi", frame(good(0).text(map_reference, "town.xodr")));
    CHECK(message_of(check_trace(folder / "run.osi")) == "found no map town.xodr in or beside the trace");
    write_file(folder / "town.xodr", "<OpenDRIVE><road/></OpenDRIVE>");
    CHECK(message_of(check_trace(folder / "run.osi")) ==
          (folder / "town.xodr").string() + ": line 1: <road>: the attribute id is missing");
    auto partly = road_map();
    partly.insert(partly.find("<road"), "<road id='8' length='0'/>");
    write_file(folder / "town.xodr", partly);
    CHECK(found(folder / "run.osi") == Texts{"map.readable 1"});
    CHECK(message_of(check_trace(folder / "run.osi")) ==
          "town.xodr: 1 element is left out, the first: line 1: <road>: the length is 0; it is left out");
    write_file(folder / "town.xodr", "<OpenDRIVE><road/></OpenDRIVE>");
    CheckOptions options;
    options.map = folder / "town.xodr";
    CHECK(found(folder / "run.osi", options) == Texts{"map.readable 1"});
    options.map = folder / "none.xodr";
    CHECK(error_of([&] { return check_trace(folder / "run.osi", options); }).find("No such file") != std::string::npos);
    // What is no name of a file may be known to others.
    write_file(folder / "run.osi", frame(good(0).text(map_reference, "Town 7")));
    CHECK(found(folder / "run.osi").empty());
}

TEST_CASE("the map of an MCAP file may be beside it, in a channel or in an attachment")
{
    const ScratchFolder folder;
    McapFile file;
    file.messages = {good(0).str(), head(100).message(moving_object, car(1, 50, 90)).str()};
    write_file(folder / "run.mcap", file.bytes());
    CHECK(found(folder / "run.mcap").empty());
    write_file(folder / "run.xodr", road_map());
    CHECK(found(folder / "run.mcap") == Texts{"map.fits 1"});

    const auto with_channel = [&](const std::string& xml) {
        const MapDocument document{MapOrigin::given, "town.xodr", xml, "town.xodr"};
        const auto source = with_map_channel(open_stream(folder / "run.mcap"), document);
        const auto writer = create_trace(folder / "channel.mcap", source->info(), {.overwrite = true});
        for (Frame frame; source->read(frame);) writer->write(frame);
        static_cast<void>(writer->close());
    };
    with_channel("<OpenDRIVE/>");
    CHECK(message_of(check_trace(folder / "channel.mcap")) == "/ground_truth_map: the map has no lanes");
    with_channel(road_map());
    CHECK(found(folder / "channel.mcap") == Texts{"map.fits 1"});

    const auto source = open_stream(folder / "run.mcap");
    const auto writer = create_trace(folder / "attached.mcap", source->info());
    writer->add_attachment(attachment_of(folder / "run.xodr"));
    for (Frame frame; source->read(frame);) writer->write(frame);
    static_cast<void>(writer->close());
    CHECK(found(folder / "attached.mcap") == Texts{"map.fits 1"});
}

TEST_CASE("esmini's lanes are at most 0.2 m from those of the map that it read")
{
    const auto shared = test::shared_folder();
    CheckOptions options;
    options.map = shared / "maps/soderleden.xodr";
    if (!std::filesystem::exists(options.map)) {
        WARN("skipped: " << options.map << " is missing");
        return;
    }
    CHECK(found(shared / "traces/highway_merge.osi", options).empty());
    options.map = shared / "maps/straight_500m.xodr";
    CHECK(found(shared / "traces/highway_merge.osi", options).size() == 2);
}
