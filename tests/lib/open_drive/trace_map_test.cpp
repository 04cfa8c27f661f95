// SPDX-License-Identifier: MPL-2.0
#include <cmath>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <ositrace/edit/map_channel.hpp>
#include <ositrace/edit/static.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_map.hpp>
#include <ositrace/trace_writer.hpp>

#include "formats/protobuf/named_writer.hpp"
#include "tests/catch.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"
#include "tests/lib/open_drive/map.hpp"
#include "tests/places.hpp"

using namespace maps;
using namespace ositrace;

namespace {

/// A folder for the files of one test.
class Folder {
public:
    Folder() { std::filesystem::create_directories(path_); }
    ~Folder() { std::filesystem::remove_all(path_); }
    [[nodiscard]] std::filesystem::path operator/(const char* name) const { return path_ / name; }
    std::filesystem::path write(const char* name, const std::string& text) const
    {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return path_ / name;
    }

private:
    std::filesystem::path path_ =
        std::filesystem::temp_directory_path() / ("trace_map_test." + std::to_string(::getpid()));
};

/// A GroundTruth with an object at x, y and a map_reference.
std::string ground_truth(double x, double y, std::string_view reference, std::string_view projection = {})
{
    ByteBuffer bytes;
    NamedWriter out(bytes, Schema::built_in()->root(MessageType::ground_truth));
    out.message("timestamp", [&] { out.integer("seconds", 1); });
    out.message("moving_object", [&] {
        out.id("id", 7);
        out.message("base", [&] {
            out.message("position", [&] {
                out.real("x", x);
                out.real("y", y);
            });
        });
    });
    if (!projection.empty()) out.text("proj_string", projection);
    if (!reference.empty()) out.text("map_reference", reference);
    return std::string(text_of(bytes.bytes()));
}

std::string framed(const std::string& payload)
{
    const auto size = static_cast<std::uint32_t>(payload.size());
    return std::string(reinterpret_cast<const char*>(&size), sizeof size) + payload;
}

const std::string town = document(RoadText{.left = lane(1), .right = lane(-1)});

}  // namespace

TEST_CASE("the map beside a trace is the file that map_reference names, else that with the name of the trace")
{
    const Folder folder;
    folder.write("town.xodr", town);
    folder.write("run_gt_7.xodr", document(RoadText{.right = lane(-1)}));
    const auto named = open_trace(folder.write("run_gt_7.osi", framed(ground_truth(50, 1, "town.xodr"))));
    const auto map = map_of(*named);
    REQUIRE(map);
    CHECK(map->document.origin == MapOrigin::reference);
    CHECK(map->document.name == "town.xodr");
    CHECK(map->fits());
    const auto unnamed = open_trace(folder.write("run_gt_7.osi", framed(ground_truth(50, 1, ""))));
    CHECK(map_of(*unnamed)->document.origin == MapOrigin::stem);
    const auto alone = open_trace(folder.write("other_gt.osi", framed(ground_truth(50, 1, ""))));
    CHECK(map_of(*alone) == nullptr);
    CHECK(map_of(*alone, {.file = folder / "town.xodr"})->document.origin == MapOrigin::given);
    const auto elsewhere = open_trace(folder.write("third_gt.osi", framed(ground_truth(50, 1, "/etc/town.xodr"))));
    CHECK(map_of(*elsewhere)->document.name == "town.xodr");  // a name, not a path
}

TEST_CASE("a ground truth that cannot be read says nothing about the map")
{
    const Folder folder;
    folder.write("run_gt.xodr", town);
    const auto damaged = ground_truth(50, 1, "a town with a long name.xodr", "+proj=utm +zone=32 +ellps=WGS84") +
                         std::string("\x2a\x02\x12\x7f", 4);  // a moving object whose base is longer than itself
    const auto schema = std::string(text_of(Schema::built_in()->descriptor_set()));
    const auto file =
        mcap_bytes::file(mcap_bytes::schema(1, "osi3.GroundTruth", "protobuf", schema) +
                         mcap_bytes::channel(1, 1, "gt", "protobuf") + mcap_bytes::message(1, 1, damaged));
    const auto trace = open_trace(folder.write("run_gt.mcap", file));
    CHECK(map_of(*trace)->document.origin == MapOrigin::stem);
}

TEST_CASE("a map that does not fit is reported")
{
    const Folder folder;
    const auto trace = open_trace(folder.write("run_gt.osi", framed(ground_truth(50, 500, ""))));
    const auto map = map_of(*trace, {.file = folder.write("town.xodr", town)});
    CHECK_FALSE(map->fits());
    REQUIRE(map->notes.size() == 1);
    CHECK(std::string(map->notes[0].what()) ==
          "town.xodr: the map does not fit: 1 of 1 object is more than 10 m from any lane");
}

TEST_CASE("a map is moved only by offsets that differ in the same projection")
{
    GroundTruthMap map;
    map.geo_reference = "+proj=utm +zone=32 +ellps=WGS84";
    map.offset = MapOffset{1000, 2000, 5, 0.5};
    const MapFrame same{"", "+zone=32 +proj=utm", MapOffset{900, 1900, 1, 0.5}};
    const auto placed = map_placement(same, map);
    REQUIRE(placed);
    // The point (10, 0) of the map is (1000 + 10 cos 0.5, 2000 + 10 sin 0.5) in the projection.
    const double world_x = 1000 + 10 * std::cos(0.5) - 900, world_y = 2000 + 10 * std::sin(0.5) - 1900;
    const double x = std::cos(-0.5) * world_x - std::sin(-0.5) * world_y;
    const double y = std::sin(-0.5) * world_x + std::cos(-0.5) * world_y;
    CHECK(placed->x + 10 * std::cos(placed->yaw) == Approx(x));
    CHECK(placed->y + 10 * std::sin(placed->yaw) == Approx(y));
    CHECK(placed->z == 4);
    CHECK(map_placement({"", "EPSG:25832", MapOffset{900, 1900, 1, 0.5}}, map) == placed);
    CHECK_FALSE(map_placement({"", "+proj=utm +zone=33", MapOffset{900, 1900, 1, 0.5}}, map));
    CHECK_FALSE(map_placement({"", "+proj=utm +zone=32", std::nullopt}, map));
    CHECK_FALSE(map_placement({"", "+proj=utm +zone=32", map.offset}, map));
    map.offset.reset();
    CHECK_FALSE(map_placement(same, map));
}

TEST_CASE("a map is placed in the frame of its trace, and is a message of each of its channels")
{
    auto moved = town;
    moved.replace(
        moved.find("<header"), moved.find("/>") + 2 - moved.find("<header"),
        "<header><geoReference>+proj=utm +zone=32</geoReference><offset x='100' y='0' z='0' hdg='0'/></header>");
    MapOptions options;
    options.placement = MapOffset{100, 10, 2, 0};
    const auto map = read(moved, options);
    const auto first = map.ground_truth.all("reference_line").at(0).all("poly_line").at(0).triple("world_position");
    CHECK(first == decoded::Triple{100, 10, 2});

    TraceMap placed;
    placed.map = read_open_drive(moved);
    Channel channel;
    channel.type = MessageType::sensor_view;
    channel.schema = Schema::built_in();
    channel.root = &channel.schema->root(MessageType::sensor_view);
    const auto frame = map_frame(placed, channel);
    REQUIRE(frame);
    const decoded::Node view(MessageView(frame->bytes, *channel.root, channel.format));
    CHECK(view["global_ground_truth"].all("lane").size() == 2);
    channel.format.encoding = Encoding::flatbuffers;
    const auto flat = map_frame(placed, channel);
    CHECK(decoded::Node(MessageView(flat->bytes, *channel.root, channel.format))["global_ground_truth"]
              .all("lane")
              .size() == 2);
    channel.type = MessageType::sensor_data;
    CHECK_FALSE(map_frame(placed, channel));
}

TEST_CASE("esmini names a projection where OSI wants a map, and its objects are on the map")
{
    const auto shared = test::shared_folder();
    if (!std::filesystem::exists(shared / "maps/soderleden.xodr")) {
        WARN("skipped: " << shared << " is missing");
        return;
    }
    const auto trace = open_trace(shared / "traces/highway_merge.osi");
    const auto map = map_of(*trace, {.file = shared / "maps/soderleden.xodr"});
    CHECK(map->objects > 0);
    CHECK(map->fits());
    CHECK_FALSE(map->placement);
    CHECK(map->notes.empty());
}

TEST_CASE("a map is written into the first frame, or into every one")
{
    const Folder folder;
    const auto file = folder.write("run_gt.osi", framed(ground_truth(50, 1, "")) + framed(ground_truth(51, 1, "")));
    const auto map = map_of(*open_trace(file), {.file = folder.write("town.xodr", town)});
    const auto lanes = [&](MapFrames frames) {
        StaticCounts counts;
        const auto source = add_map(open_stream(file), map, frames, counts);
        std::vector<std::size_t> found;
        for (Frame frame; source->read(frame);) {
            const auto& channel = source->info().channels[0];
            const decoded::Node truth(MessageView(frame.bytes, *channel.root, channel.format));
            CHECK(truth.all("moving_object").size() == 1);
            CHECK_FALSE(truth.has("version"));  // the map does not say which release wrote the trace
            found.push_back(truth.all("lane").size());
        }
        CHECK(counts.changed == (frames == MapFrames::every ? 2 : 1));
        return found;
    };
    CHECK(lanes(MapFrames::first) == std::vector<std::size_t>{2, 0});
    CHECK(lanes(MapFrames::every) == std::vector<std::size_t>{2, 2});
}

TEST_CASE("a trace with lanes of its own gets no others")
{
    const Folder folder;
    const auto map_file = folder.write("town.xodr", town);
    const auto map = read_open_drive(town);
    const auto file = folder.write("run_gt.osi", framed(std::string(text_of(map.message->bytes()))));
    StaticCounts counts;
    const auto source =
        add_map(open_stream(file), map_of(*open_trace(file), {.file = map_file}), MapFrames::first, counts);
    Frame frame;
    CHECK_THROWS_WITH(source->read(frame), Catch::Contains("the trace has lanes of its own, so no map is added"));
}

TEST_CASE("a map becomes a channel, with a message before the first ground truth")
{
    const Folder folder;
    const auto file = folder.write("run_gt.osi", framed(ground_truth(50, 1, "city")) + framed(ground_truth(51, 1, "")));
    const auto document = map_document(folder.write("town.xodr", town));
    const auto source = with_map_channel(open_stream(file), document);
    REQUIRE(source->info().channels.size() == 2);
    const auto& channel = source->info().channels[1];
    CHECK(channel.topic == "/ground_truth_map");
    CHECK(channel.type_name == "osi3.MapAsamOpenDrive");
    CHECK(channel.root == nullptr);
    const auto schema = Schema::compile(channel.schema_record->data);
    const auto* const root = schema->find(channel.type_name);
    REQUIRE(root != nullptr);
    std::vector<std::uint32_t> channels;
    for (Frame frame; source->read(frame);) {
        channels.push_back(frame.channel);
        if (frame.channel != 1) continue;
        const decoded::Node map(MessageView(frame.bytes, *root, {}));
        CHECK(map.text("map_reference") == "city");
        CHECK(map.text("open_drive_xml_content") == town);
        CHECK(frame.log_time == std::chrono::seconds(1));
    }
    CHECK(channels == std::vector<std::uint32_t>{1, 0, 0});
}

TEST_CASE("without a ground truth the map channel is at the end, with the name of the document")
{
    const Folder folder;
    const auto file = folder.write("run_gt.osi", {});
    OpenOptions options;
    options.type = MessageType::ground_truth;
    const auto source = with_map_channel(open_stream(file, options), map_document(folder.write("town.xodr", town)));
    Frame frame;
    REQUIRE(source->read(frame));
    CHECK(frame.channel == 1);
    CHECK(text_of(frame.bytes).substr(0, 11) == "\x0a\x09town.xodr");
    CHECK_FALSE(source->read(frame));
}

TEST_CASE("a map that becomes a channel is read, and must be UTF-8")
{
    const Folder folder;
    const auto file = folder.write("run_gt.osi", framed(ground_truth(50, 500, "")));
    const auto attached = [&](const std::string& xml) {
        std::string notes;
        const auto source = with_map_channel(
            open_stream(file), map_document(folder.write("town.xodr", xml)),
            {.max_message_bytes = 1 << 20, .on_note = [&](const Error& note) { notes += note.what(); }});
        for (Frame frame; source->read(frame);) {
        }
        return notes;
    };
    CHECK(attached(town) == "town.xodr: the map does not fit: 1 of 1 object is more than 10 m from any lane");
    CHECK_THROWS_WITH(attached("<OpenDRIVE>"), Catch::Contains("town.xodr: "));
    CHECK_THROWS_WITH(
        attached("<!-- Stra\xdf"
                 "e -->" +
                 town),
        "town.xodr: the map is not UTF-8, which the message of a channel requires. Add it as an attachment.");
    CHECK_THROWS_WITH(map_document(folder / "town.xodr", 10),
                      Catch::Contains("town.xodr: the map exceeds the limit of 10 bytes"));
}
