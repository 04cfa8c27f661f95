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
#include "lib/open_drive/map_message.hpp"
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
}

TEST_CASE("map_reference is a path from the folder of the trace, or else a name in it")
{
    const Folder folder;
    for (const auto* const name : {"drives/deep", "maps"}) std::filesystem::create_directories(folder / name);
    folder.write("maps/town.xodr", town);
    folder.write("drives/beside.xodr", town);
    folder.write("maps/passwd", town);
    std::filesystem::create_directory(folder / "maps/folder.xodr");
    const auto found = [&](const std::string& reference) {
        const auto trace = open_trace(folder.write("drives/run_gt.osi", framed(ground_truth(50, 1, reference))));
        const auto map = map_of(*trace);
        if (!map) return std::string();
        CHECK(map->document.origin == MapOrigin::reference);
        CHECK(map->document.reference == map->document.name);
        CHECK(map->document.name == map->document.file.filename());
        using std::filesystem::canonical;
        return canonical(map->document.file).lexically_relative(canonical(folder / "drives")).string();
    };
    for (const auto* const reference :
         {"../maps/town.xodr", "..\\maps\\town.xodr", "../maps/town", "deep/../../maps/town.xodr"})
        CHECK(found(reference) == "../maps/town.xodr");
    CHECK(found((folder / "maps/town.xodr").string()) == "../maps/town.xodr");
    for (const auto* const reference : {"beside.xodr", "beside", "./beside.xodr", "/etc/beside.xodr", "no/such/beside",
                                        "C:\\maps\\beside.xodr", "..\\..\\beside.xodr"})
        CHECK(found(reference) == "beside.xodr");
    // What is no regular file with the extension is not read.
    using namespace std::string_literals;
    for (const auto& reference : {"../maps/passwd"s, "../maps/passwd\0.xodr"s, "../maps/folder.xodr"s, "../maps/"s,
                                  ".."s, "/dev/null"s, std::string(100'000, 'a'), "/"s})
        CHECK(found(reference).empty());
}

namespace {

struct NamedMap {
    std::string name, xml;
};

/// A trace with a ground truth, messages of map channels and attachments.
std::shared_ptr<const Trace> trace_with_maps(const Folder& folder, const std::vector<NamedMap>& messages,
                                             const std::vector<NamedMap>& attachments = {})
{
    using namespace mcap_bytes;
    auto records =
        schema(1, "osi3.GroundTruth", "protobuf", std::string(text_of(Schema::built_in()->descriptor_set()))) +
        schema(2, "osi3.MapAsamOpenDrive", "protobuf", "") + channel(1, 1, "gt", "protobuf") +
        message(1, 1, ground_truth(50, 1, ""));
    std::vector<std::string> topics;
    for (const auto& map : messages) {
        if (std::ranges::find(topics, map.name) == topics.end()) {
            topics.push_back(map.name);
            records += channel(static_cast<std::uint16_t>(topics.size() + 1), 2, map.name, "protobuf");
        }
        const auto place = std::ranges::find(topics, map.name) - topics.begin();
        records += message(static_cast<std::uint16_t>(place + 2), 1,
                           std::string(text_of(map_message("town", map.xml)->bytes())));
    }
    for (const auto& map : attachments) records += attachment(map.name, map.xml);
    return open_trace(folder.write("run.mcap", file(records)));
}

}  // namespace

TEST_CASE("of several maps in a trace the first is used, and it is said which")
{
    const Folder folder;
    const auto other = document(RoadText{.right = lane(-1) + lane(-2)});
    const auto notes = [](const Trace& trace) {
        const auto map = map_of(trace);
        REQUIRE(map);
        std::string texts;
        for (const auto& note : map->notes) {
            CHECK(note.where().file == trace.info().file);
            texts += (texts.empty() ? "" : "\n") + note.reason();
        }
        return texts;
    };
    CHECK(notes(*trace_with_maps(folder, {{"/map", town}}, {})).empty());
    CHECK(notes(*trace_with_maps(folder, {{"/map", town}}, {{"town.xodr", town}})).empty());
    CHECK(notes(*trace_with_maps(folder, {}, {{"town.xodr", town}, {"old.XODR", other}, {"town.txt", other}})) ==
          "there are 2 maps: that in the attachment 'town.xodr' is used, and not the attachment 'old.XODR'");
    CHECK(notes(*trace_with_maps(folder, {{"/a", town}, {"/b", other}}, {{"c.xodr", other}})) ==
          "there are 3 maps: that in the channel '/a' is used, and not the channel '/b', attachment 'c.xodr'");
    CHECK(notes(*trace_with_maps(folder, {{"/map", ""}}, {{"c.xodr", other}})).empty());
    CHECK(notes(*trace_with_maps(folder, {{"/map", town}, {"/map", town}, {"/map", other}, {"/map", town}})) ==
          "the map in the channel '/map' changes: of its 4 messages the first is used, and 1 differs");
    std::vector<NamedMap> many;
    for (int i = 1; i <= 9; ++i) many.push_back({std::to_string(i) + ".xodr", town + std::string(i, '\n')});
    CHECK(notes(*trace_with_maps(folder, {}, many)).ends_with("attachment '6.xodr' and 3 more"));
    CHECK(notes(*trace_with_maps(folder, {}, {{"a.xodr", "<OpenDRIVE/>"}})) ==
          "the map in the attachment 'a.xodr' has no lanes");
    // What is wrong with the map in a trace names both.
    const auto broken = trace_with_maps(folder, {{"/map", "<OpenDRIVE><road/></OpenDRIVE>"}});
    CHECK_THROWS_WITH(map_of(*broken),
                      (folder / "run.mcap").string() +
                          ": the map in the channel '/map': line 1: <road>: the attribute id is missing");
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
          (folder / "town.xodr").string() + ": the map does not fit: 1 of 1 object is more than 10 m from any lane");
    CHECK(map_fits(0, 0));
    CHECK(map_fits(6, 3));
    CHECK_FALSE(map_fits(6, 4));
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
    CHECK(attached(town) ==
          (folder / "town.xodr").string() + ": the map does not fit: 1 of 1 object is more than 10 m from any lane");
    CHECK_THROWS_WITH(attached("<OpenDRIVE>"), Catch::Contains("town.xodr: "));
    CHECK_THROWS_WITH(attached("<!-- Stra\xdf"
                               "e -->" +
                               town),
                      (folder / "town.xodr").string() +
                          ": the map is not UTF-8, which the message of a channel requires. Add it as an attachment.");
    CHECK_THROWS_WITH(map_document(folder / "town.xodr", 10),
                      Catch::Contains("town.xodr: the map exceeds the limit of 10 bytes"));
}
