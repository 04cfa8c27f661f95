// SPDX-License-Identifier: MPL-2.0
// The map: kept while its bytes stay the same, and found where its writer sent it once.
#include <algorithm>
#include <set>

#include <ositrace/map_finder.hpp>

#include "tests/catch.hpp"
#include "tests/lib/picture/pictures.hpp"
#include "tests/lib/picture/test_trace.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

std::set<const Layer*> static_layers(const Picture& picture)
{
    std::set<const Layer*> found;
    for (const auto& layer : picture.layers)
        if (layer->is_static) found.insert(layer.get());
    return found;
}

std::size_t shared(const Picture& a, const Picture& b)
{
    const auto of_a = static_layers(a), of_b = static_layers(b);
    return static_cast<std::size_t>(
        std::ranges::count_if(of_a, [&](const Layer* layer) { return of_b.contains(layer); }));
}

std::shared_ptr<const Picture> make(PictureMaker& maker, const Channel& channel, const Bytestring& bytes)
{
    const auto frame = frame_of(bytes);
    const PictureSource source{.frame = &frame, .channel = &channel};
    return maker.make({&source, 1});
}

Bytestring lanes_and_host(double host, const char* color)
{
    return written(MessageType::ground_truth, [&](OsiWriter& out) {
        out.id("host_vehicle_id", 1);
        out.message("moving_object", [&] {
            out.id("id", 1);
            write_base(out, {4, 2, 1}, {host, 0, 0});
        });
        out.message("lane_boundary", [&] {
            out.id("id", 2);
            for (const double x : {0.0, 10.0}) out.message("boundary_line", [&] { out.vector("position", {x, 0, 0}); });
            out.message("classification", [&] { out.enumeration("color", color); });
        });
    });
}

std::optional<std::uint64_t> map_for(MapFinder& finder, const TestTrace& trace, std::uint64_t number)
{
    const auto found = finder.find(0, number, trace.frame(0, number));
    return found ? std::optional(found->number) : std::nullopt;
}

}  // namespace

TEST_CASE("the layers of a map are kept while their bytes stay the same, in both encodings")
{
    SceneOptions options;
    options.type = MessageType::ground_truth;
    const Scene scene(options);
    for (const auto encoding : {Encoding::protobuf, Encoding::flatbuffers}) {
        const auto channel = channel_of(MessageType::ground_truth, encoding);
        const auto bytes_of_frame = [&](std::uint64_t i) {
            return encoding == Encoding::protobuf ? frame_of(scene, i)
                                                  : to_flat(frame_of(scene, i), MessageType::ground_truth);
        };
        PictureMaker maker;
        const auto first = make(maker, channel, bytes_of_frame(0));
        const auto second = make(maker, channel, bytes_of_frame(1));
        REQUIRE(static_layers(*first).size() == 8);
        CHECK(shared(*first, *second) >= 7);  // the lane that the host is on may change
        require_equal(*second, *picture_of(MessageType::ground_truth, bytes_of_frame(1), encoding));
    }
}

TEST_CASE("a layer is made again when its bytes or the origin change")
{
    PictureMaker maker;
    const auto channel = channel_of(MessageType::ground_truth);
    const auto white = make(maker, channel, lanes_and_host(0, "COLOR_WHITE"));
    const auto again = make(maker, channel, lanes_and_host(3, "COLOR_WHITE"));
    CHECK(shared(*white, *again) == 1);
    const auto yellow = make(maker, channel, lanes_and_host(3, "COLOR_YELLOW"));
    CHECK(shared(*again, *yellow) == 0);
    CHECK(lines_of(*yellow, Category::lane_boundary)[0].look == Look::boundary_yellow);
    const auto far = make(maker, channel, lanes_and_host(2000, "COLOR_YELLOW"));
    CHECK(shared(*yellow, *far) == 0);
    CHECK(far->layers[0]->points[0] == Point{-2000, 0, 0});
}

TEST_CASE("a map from another frame is shown with the lane that the host is on now, and says where it comes from")
{
    const auto truth = [](std::uint64_t lane, bool with_map) {
        return written(MessageType::ground_truth, [&](OsiWriter& out) {
            out.id("host_vehicle_id", 1);
            out.message("moving_object", [&] {
                out.id("id", 1);
                write_base(out, {4, 2, 1}, {0, 0, 0});
                out.message("moving_object_classification", [&] { out.id("assigned_lane_id", lane); });
            });
            if (!with_map) return;
            for (const std::uint64_t id : {20, 21}) {
                out.message("lane", [&] {
                    out.id("id", id);
                    out.message("classification", [&] {
                        out.boolean("is_host_vehicle_lane", id == 20);
                        for (const double x : {0.0, 10.0}) out.vector("centerline", {x, 0, 0});
                    });
                });
            }
        });
    };
    const auto channel = channel_of(MessageType::ground_truth);
    const auto map = truth(20, true), later = truth(21, false);
    const auto map_frame = frame_of(map), frame = frame_of(later);
    const PictureSource source{.frame = &frame, .channel = &channel, .statics = &map_frame, .statics_number = 0};
    PictureMaker maker;
    const auto picture = maker.make({&source, 1});
    const auto lanes = things_of(*picture, Category::lane);
    REQUIRE(lanes.size() == 2);
    CHECK(lanes[0].look == Look::lane_other);
    CHECK(lanes[1].look == Look::lane_host);
    CHECK(picture->layers[0]->is_carried);
    CHECK(complaints(*picture).empty());
    for (const auto* const text : {"the map is that of frame 0, the last one that has it",
                                   "2 lanes with a centre line only are shown as wide as such lanes usually are"})
        CHECK(std::ranges::find(picture->notes, text, &PictureNote::text) != picture->notes.end());
    CHECK(shared(*picture, *maker.make({&source, 1})) == 1);
}

TEST_CASE(
    "the frame with the map is found near the frame that lacks it, else among the first, whatever was asked before")
{
    constexpr std::uint64_t frames = 200, middle = 100;
    const auto with_map = shared_bytes(lanes_and_host(0, "COLOR_WHITE"));
    std::vector all(
        frames, shared_bytes(written(MessageType::ground_truth, [](OsiWriter& out) { out.id("host_vehicle_id", 1); })));
    all[1] = with_map;
    all[middle] = with_map;
    const auto trace = std::make_shared<TestTrace>(MessageType::ground_truth, all);
    MapFinder finder(trace);
    CHECK(map_for(finder, *trace, 0) == std::nullopt);
    CHECK(map_for(finder, *trace, 1) == std::nullopt);  // has it
    CHECK(map_for(finder, *trace, 2) == 1);
    CHECK(map_for(finder, *trace, 99) == 1);
    CHECK(map_for(finder, *trace, middle + MapFinder::frames_before) == middle);
    CHECK(map_for(finder, *trace, middle + MapFinder::frames_before + 1) == 1);
    CHECK(trace->read < 150);
    MapFinder other(trace);
    CHECK(map_for(other, *trace, middle + MapFinder::frames_before + 1) == 1);
    CHECK(map_for(other, *trace, middle + 1) == middle);
    CHECK_FALSE(finder.find(7, 0, {}).has_value());
}

TEST_CASE("among large frames fewer are looked at for a map")
{
    constexpr std::uint64_t size = 5 << 20, frames = 30, place = 10;
    std::vector all(frames, shared_bytes(written(MessageType::ground_truth, [](OsiWriter& out) {
                        out.text("map_reference", std::string(size, 'm'));
                    })));
    all[place] = shared_bytes(lanes_and_host(0, "COLOR_WHITE"));
    const auto trace = std::make_shared<TestTrace>(MessageType::ground_truth, all);
    MapFinder finder(trace);
    constexpr auto reach = MapFinder::bytes_before / size;
    CHECK(map_for(finder, *trace, place + reach + 1) == place);
    trace->read = 0;
    CHECK(map_for(finder, *trace, frames - 1) == std::nullopt);
    CHECK(trace->read < 15);
}

TEST_CASE("real traces are shown with their objects and maps")
{
    struct Row {
        const char* file;
        std::size_t moving, lanes, boundaries;
        bool carried;
    };
    const auto row = GENERATE(
        Row{"highway_merge.osi", 6, 33, 40, true}, Row{"MovingHostWithStopLine.mcap", 1, 3, 4, false},
        Row{"disappearingVehicle.mcap", 2, 0, 0, false}, Row{"sensorDataDetectedLaneBoundaries.mcap", 1, 4, 7, false},
        Row{"20240618T122540Z_sv_370_244_20_minimal_valid_example.osi", 2, 0, 0, false});
    const auto file = shared_folder() / "traces" / row.file;
    if (!std::filesystem::exists(file)) {
        WARN("skipped: " << file << " is absent");
        return;
    }
    const auto trace = open_trace(file);
    MapFinder finder(trace);
    PictureMaker maker;
    for (const std::uint64_t i : {0, 10}) {
        const auto frame = trace->frame(0, i);
        const auto found = finder.find(0, i, frame);
        CHECK(found.has_value() == (row.carried && i > 0));
        const PictureSource source{
            .frame = &frame, .channel = &trace->info().channels[0], .statics = found ? &found->frame : nullptr};
        const auto picture = maker.make({&source, 1});
        CHECK(things_of(*picture, Category::moving_object).size() + things_of(*picture, Category::host).size() ==
              row.moving);
        CHECK(things_of(*picture, Category::lane).size() == row.lanes);
        CHECK(things_of(*picture, Category::lane_boundary).size() == row.boundaries);
        for (const auto& note : picture->notes) CHECK(note.kind != PictureNote::Kind::broken);
    }
}
