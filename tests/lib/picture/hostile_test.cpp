// SPDX-License-Identifier: MPL-2.0
// Numbers that are none, ids that nobody has, bytes that are broken: left out, counted, and never an exception.
#include <algorithm>
#include <limits>

#include "tests/catch.hpp"
#include "tests/lib/picture/pictures.hpp"
#include "tests/oracle/mutation.hpp"
#include "tests/stride.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

void write_object(OsiWriter& out, double x, double length, double yaw)
{
    out.message("moving_object", [&] { write_base(out, {length, 2, 1}, {x, 0, 0}, yaw); });
}

bool is_finite(const Point& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

/// Everything in a picture can be drawn: no place that is none, no reference to what is not there.
void require_drawable(const Picture& picture)
{
    for (const auto& layer : picture.layers) {
        const auto refers = [&](const auto& mark) { return mark.thing < layer->things.size(); };
        const auto has_points = [&](const auto& mark) {
            return mark.first + std::size_t{mark.count} <= layer->points.size();
        };
        REQUIRE(std::ranges::all_of(layer->things, [](const Thing& t) {
            return is_finite(t.centre) && is_finite(t.size) && is_finite(t.rotation);
        }));
        REQUIRE(std::ranges::all_of(layer->points, is_finite));
        REQUIRE(std::ranges::all_of(
            layer->boxes, [&](const BoxMark& b) { return refers(b) && is_finite(b.centre) && is_finite(b.size); }));
        REQUIRE(std::ranges::all_of(layer->lines,
                                    [&](const LineMark& l) { return refers(l) && l.count >= 2 && has_points(l); }));
        REQUIRE(std::ranges::all_of(layer->strips,
                                    [&](const StripMark& l) { return refers(l) && l.count >= 3 && has_points(l); }));
    }
    for (const auto& cloud : picture.clouds) {
        REQUIRE(std::ranges::all_of(cloud->points, is_finite));
        REQUIRE((cloud->elements.empty() || cloud->elements.size() == cloud->points.size()));
        for (const auto& field : cloud->fields) REQUIRE(field.values.size() == cloud->points.size());
    }
}

}  // namespace

TEST_CASE("things with a place that is none are left out and counted")
{
    const auto picture = picture_of(MessageType::ground_truth, [](OsiWriter& out) {
        write_object(out, not_a_number, 4, 0);
        write_object(out, 1e308, 4, 0);
        write_object(out, 0, 4, infinity);
        write_object(out, 1, 4, 0);
        out.message("moving_object", [&] { out.id("id", 3); });
        write_object(out, 2, not_a_number, 0);
        write_object(out, 3, -1, 0);
        write_object(out, 5e7, 4, 0);
    });
    require_drawable(*picture);
    CHECK(things_of(*picture, Category::moving_object).size() == 3);
    CHECK(complaints(*picture) == std::vector<std::string>{
                                      "1 moving object with a position that is not finite is not shown",
                                      "1 moving object with a position over 100 000 km away is not shown",
                                      "1 moving object with an orientation that is not finite is not shown",
                                      "1 moving object without a position is not shown",
                                      "1 moving object with a size that is not finite is shown small",
                                      "1 moving object with a negative size is shown small",
                                      "1 moving object too far away is not shown",
                                  });
}

TEST_CASE("velocities are as the message has them, empty where it has none")
{
    const auto with_velocity = [](OsiWriter& out, std::initializer_list<double> x) {
        out.message("moving_object", [&] {
            out.message("base", [&] {
                out.vector("position", {0, 0, 0});
                for (const auto each : x) out.message("velocity", [&] { out.real("x", each); });
            });
        });
    };
    const auto picture = picture_of(MessageType::ground_truth, [&](OsiWriter& out) {
        with_velocity(out, {});
        with_velocity(out, {0});
        with_velocity(out, {not_a_number});
        with_velocity(out, {-infinity});
        with_velocity(out, {1e308});
        with_velocity(out, {12});
    });
    require_drawable(*picture);
    const auto things = things_of(*picture, Category::moving_object);
    REQUIRE(things.size() == 6);
    CHECK(!things[0].velocity);
    REQUIRE(std::ranges::all_of(things.begin() + 1, things.end(),
                                [](const Thing& thing) { return thing.velocity.has_value(); }));
    CHECK((*things[1].velocity)[0] == 0);
    CHECK(std::isnan((*things[2].velocity)[0]));
    CHECK((*things[3].velocity)[0] == -infinity);
    CHECK((*things[4].velocity)[0] == 1e308);
    CHECK(std::ranges::count_if(lines_of(*picture, Category::moving_object),
                                [](const LineMark& l) { return l.look == Look::velocity; }) == 1);
    const auto texts = complaints(*picture);
    CHECK(std::ranges::count(texts, "2 velocities with a number that is not finite are not shown") == 1);
    CHECK(std::ranges::count(texts, "1 velocity over 100 000 m/s is not shown") == 1);
}

TEST_CASE("things without an id have none, and such with the same are told apart")
{
    const auto picture = picture_of(MessageType::ground_truth, [](OsiWriter& out) {
        for (int i = 0; i != 3; ++i) {
            out.message("moving_object", [&] {
                if (i != 0) out.id("id", 0);
                write_base(out, {4, 2, 1}, {static_cast<double>(i), 0, 0});
            });
        }
    });
    const auto things = things_of(*picture, Category::moving_object);
    REQUIRE(things.size() == 3);
    CHECK(!things[0].has_id);
    CHECK(things[0].label.starts_with("(no id)"));
    CHECK((things[1].has_id && things[2].has_id));
    CHECK(things[2].label.starts_with('0'));
    for (const auto& thing : things) CHECK(picture->find(thing.key)->path == thing.path);
    CHECK(std::ranges::count(picture->notes, "1 thing without an id is identified by place in the list",
                             &PictureNote::text) == 1);
}

TEST_CASE("an id without a value is 0, as writers mean it that leave out zeros")
{
    const auto picture = picture_of(MessageType::ground_truth, [](OsiWriter& out) {
        out.message("moving_object", [&] {
            out.message("id", [] {});
            write_base(out, {4, 2, 1}, {0, 0, 0});
        });
    });
    const auto things = things_of(*picture, Category::moving_object);
    REQUIRE(things.size() == 1);
    CHECK((things[0].has_id && things[0].key.id == 0));
    CHECK(picture->notes.empty());
}

TEST_CASE("reflections without a return, and such as no ray belongs to, are not shown")
{
    const auto lidar = [](std::uint64_t columns, std::initializer_list<double> times) {
        return picture_of(MessageType::sensor_view, [&](OsiWriter& out) {
            out.message("lidar_sensor_view", [&] {
                out.message("view_configuration", [&] {
                    out.real("field_of_view_horizontal", 1);
                    out.real("field_of_view_vertical", 0);
                    out.unsigned_integer("number_of_rays_horizontal", columns);
                    out.unsigned_integer("number_of_rays_vertical", 1);
                });
                for (const double time : times) out.message("reflection", [&] { out.real("time_of_flight", time); });
            });
        });
    };
    const auto picture = lidar(6, {1e-7, 0, not_a_number, infinity, -1e-7, 1e300});
    require_drawable(*picture);
    REQUIRE(picture->clouds.size() == 1);
    CHECK(picture->clouds[0]->points.size() == 1);
    CHECK(picture->clouds[0]->left_out == 5);
    CHECK(picture->clouds[0]->elements == std::vector<std::uint32_t>{0});

    const auto refused = lidar(5, {1e-7, 1e-7});
    CHECK(refused->clouds.empty());
    const auto texts = complaints(*refused);
    CHECK(std::ranges::find(
              texts,
              "2 lidar reflections are not shown: the configuration has no directions, and a grid of 5 x 1 rays") !=
          texts.end());
    CHECK(lidar(UINT32_MAX, {1e-7})->clouds.empty());
}

TEST_CASE("lanes whose boundaries do not exist, and lines without points, are counted")
{
    const auto picture = picture_of(MessageType::ground_truth, [](OsiWriter& out) {
        out.message("lane_boundary", [&] {
            out.id("id", 1);
            for (const double x : {not_a_number, 1.0, 1e300})
                out.message("boundary_line", [&] { out.vector("position", {x, 0, 0}); });
        });
        out.message("lane", [&] {
            out.message("classification", [&] {
                out.id("right_lane_boundary_id", 99);
                out.id("left_lane_boundary_id", 1);
            });
        });
    });
    require_drawable(*picture);
    CHECK(picture->layers.empty());
    CHECK(complaints(*picture) == std::vector<std::string>{
                                      "2 line points without a position are not shown",
                                      "1 lane boundary without two points is not shown",
                                      "2 lane edges whose boundary is not in the frame are not shown",
                                      "1 lane without a boundary or a centre line is not shown",
                                  });
}

TEST_CASE("reflections whose time of flight is none are counted")
{
    const auto picture = picture_of(MessageType::sensor_view, [](OsiWriter& out) {
        out.message("lidar_sensor_view", [&] {
            out.message("view_configuration", [&] {
                out.real("field_of_view_horizontal", 1);
                out.real("field_of_view_vertical", 0);
                out.unsigned_integer("number_of_rays_horizontal", 6);
                out.unsigned_integer("number_of_rays_vertical", 1);
            });
            for (const double time : {1e-7, 0.0, -1e-7, 1e300, not_a_number, infinity})
                out.message("reflection", [&] { out.real("time_of_flight", time); });
        });
    });
    REQUIRE(picture->clouds.size() == 1);
    CHECK(picture->clouds[0]->points.size() == 1);
    const auto texts = complaints(*picture);
    for (const auto* const text : {"1 lidar reflection with a negative time of flight is not shown",
                                   "1 lidar reflection over 100 km away is not shown",
                                   "2 lidar reflections with a time of flight that is not finite are not shown"})
        CHECK(std::ranges::count(texts, text) == 1);
}

TEST_CASE("an empty message is said to be empty")
{
    CHECK(complaints(*picture_of(MessageType::ground_truth, Bytestring{})) ==
          std::vector<std::string>{"this message is empty"});
}

TEST_CASE("a million things of six bytes are shown up to a bound")
{
    constexpr std::size_t count = 1'000'000;
    Bytestring bytes;
    const std::array<std::byte, 6> object{std::byte(5 << 3 | 2), std::byte(4),          std::byte(2 << 3 | 2),
                                          std::byte(2),          std::byte(2 << 3 | 2), std::byte(0)};
    for (std::size_t i = 0; i < count; ++i) bytes.insert(bytes.end(), object.begin(), object.end());
    const auto picture = picture_of(MessageType::ground_truth, bytes);
    CHECK(things_of(*picture, Category::moving_object).size() == 100'000);
    CHECK(picture->bytes() < 64 << 20);
    const auto texts = complaints(*picture);
    CHECK(texts.front() == "900 000 of 1 000 000 moving objects are not shown (limit 100 000)");
}

TEST_CASE("of a cloud with very many empty elements a part is read")
{
    constexpr std::size_t count = 8'000'000;
    Bytestring detections{std::byte(2 << 3 | 2), std::byte(0)};
    detections.reserve(2 * count);
    while (detections.size() < 2 * count)
        detections.insert(detections.end(), detections.begin(),
                          detections.begin() +
                              static_cast<std::ptrdiff_t>(std::min(detections.size(), 2 * count - detections.size())));
    const auto bytes = written(MessageType::sensor_data, [&](OsiWriter& out) {
        out.message("feature_data",
                    [&] { out.message("lidar_sensor", [&] { out.raw().buffer().append(detections); }); });
    });
    const auto picture = picture_of(MessageType::sensor_data, bytes);
    require_drawable(*picture);
    CHECK(picture->bytes() < 64 << 20);
}

TEST_CASE("sensors of a FlatBuffer that share their reflections are shown up to what the message has bytes for")
{
    constexpr std::uint32_t sensors = 37, rays = 20'000;
    auto bytes = to_flat(written(MessageType::sensor_view,
                                 [&](OsiWriter& out) {
                                     for (std::uint32_t i = 0; i < sensors; ++i) {
                                         out.message("lidar_sensor_view", [&] {
                                             out.message("view_configuration", [&] {
                                                 out.id("sensor_id", i);
                                                 out.unsigned_integer("number_of_rays_horizontal", rays);
                                                 out.unsigned_integer("number_of_rays_vertical", 1);
                                             });
                                             for (std::uint32_t k = 0; k < (i == 0 ? rays : 0); ++k)
                                                 out.message("reflection", [&] { out.real("time_of_flight", 1e-7); });
                                         });
                                     }
                                 }),
                         MessageType::sensor_view);
    // The vector: its length, then where each table is, from there. Now all are the first.
    const auto is_vector = [&](std::size_t at) {
        for (std::uint32_t i = 0; i < sensors; ++i)
            if (load_le32(bytes.data() + at + 4 + 4 * i) < 4 ||
                at + 4 + 4 * i + load_le32(bytes.data() + at + 4 + 4 * i) >= bytes.size())
                return false;
        return load_le32(bytes.data() + at) == sensors;
    };
    std::size_t vectors = 0;
    for (std::size_t at = 0; at + 4 * (sensors + 1) < bytes.size(); at += 4) {
        if (!is_vector(at)) continue;
        ++vectors;
        const auto first = at + 4 + load_le32(bytes.data() + at + 4);
        for (std::uint32_t i = 0; i < sensors; ++i)
            store_le32(bytes.data() + at + 4 + 4 * i, static_cast<std::uint32_t>(first - (at + 4 + 4 * i)));
    }
    REQUIRE(vectors == 1);
    const auto picture = picture_of(MessageType::sensor_view, bytes, Encoding::flatbuffers);
    CHECK(picture->clouds.size() > 1);
    CHECK(picture->clouds.size() <= bytes.size() / (2 * rays));
    CHECK(picture->clouds.size() < sensors);
    CHECK(complaints(*picture).back() ==
          "1 cloud and all after it, because sensors share their elements, is not shown");
}

TEST_CASE("broken frames give pictures and notes, in both encodings")
{
    SceneOptions options;
    options.type = GENERATE(MessageType::ground_truth, MessageType::sensor_view, MessageType::sensor_data);
    options.moving_objects = 3;
    options.reflections = 60;
    options.reflection_fields = 5;
    const auto encoding = GENERATE(Encoding::protobuf, Encoding::flatbuffers);
    const auto protobuf = frame_of(Scene(options), 1);
    const auto whole = encoding == Encoding::protobuf ? protobuf : to_flat(protobuf, options.type);
    const auto channel = channel_of(options.type, encoding);
    PictureMaker maker;
    std::size_t broken = 0;
    for (std::uint64_t seed = 0; seed < 700; seed += test::stride) {
        auto bytes = whole;
        oracle::Mutation(seed).apply(bytes);
        const auto frame = frame_of(bytes), map = frame_of(whole);
        const PictureSource source{.frame = &frame, .channel = &channel, .statics = seed % 2 == 0 ? &map : nullptr};
        std::shared_ptr<const Picture> picture;
        REQUIRE_NOTHROW(picture = maker.make({&source, 1}));
        require_drawable(*picture);
        REQUIRE(picture->bytes() < 40 * whole.size() + (1 << 20));
        REQUIRE(picture->notes.size() < 200);
        for (const auto& note : picture->notes) broken += note.kind == PictureNote::Kind::broken ? 1 : 0;
    }
    CHECK(broken > 50 / test::stride);
}

TEST_CASE("what is broken in a frame is told with its place, and what stands before it is shown")
{
    auto bytes = written(MessageType::ground_truth, [](OsiWriter& out) {
        write_object(out, 0, 4, 0);
        write_object(out, 1, 4, 0);
    });
    bytes.resize(bytes.size() - 3);
    const auto picture = picture_of(MessageType::ground_truth, bytes);
    CHECK(things_of(*picture, Category::moving_object).size() == 1);
    const auto texts = complaints(*picture);
    REQUIRE(!texts.empty());
    CAPTURE(texts.front());
    CHECK(texts.front().find("frame 0 at byte ") == 0);
    CHECK(std::ranges::count(texts, texts.front()) == 1);
}

TEST_CASE("outlines of very many corners leave room for what stands behind them")
{
    const auto picture = picture_of(MessageType::ground_truth, [](OsiWriter& out) {
        for (int i = 0; i < 4; ++i) {
            out.message("stationary_object", [&] {
                out.message("base", [&] {
                    out.vector("position", {0, 0, 0});
                    for (int corner = 0; corner < 10'000; ++corner)
                        out.message("base_polygon", [&] {
                            out.real("x", std::cos(corner * 6e-4));
                            out.real("y", std::sin(corner * 6e-4));
                        });
                });
            });
        }
        write_object(out, 1, 4, 0);
    });
    require_drawable(*picture);
    CHECK(things_of(*picture, Category::stationary_object).size() == 4);
    CHECK(things_of(*picture, Category::moving_object).size() == 1);
}
