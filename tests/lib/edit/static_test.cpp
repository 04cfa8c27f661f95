// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit_static.hpp>

#include <catch2/catch.hpp>

#include "lib/edit/static_part.hpp"
#include "tests/lib/edit/edited.hpp"
#include "tests/places.hpp"

using namespace ositrace;
using Payloads = std::vector<std::string>;

namespace {

Payloads expanded(std::unique_ptr<FrameSource> source)
{
    StaticCounts counts;
    const auto edit = expand_static(std::move(source), counts);
    return payloads_of(*edit);
}

Payloads compacted(std::unique_ptr<FrameSource> source, StaticCounts& counts)
{
    const auto edit = compact_static(std::move(source), counts);
    return payloads_of(*edit);
}

}  // namespace

TEST_CASE("compact keeps the map where it changes, and expand puts it back")
{
    const Payloads whole{version_field() + time_field(0) + lane(1), version_field() + time_field(1) + lane(1),
                         version_field() + time_field(2) + lane(2), version_field() + time_field(3) + lane(2)};
    StaticCounts counts;
    const auto small = compacted(source_of(whole), counts);
    CHECK(small == Payloads{whole[0], version_field() + time_field(1), whole[2], version_field() + time_field(3)});
    CHECK(counts.frames == 4);
    CHECK(counts.changed == 2);
    CHECK(expanded(source_of(small)) == whole);
}

TEST_CASE("expand does not put back what is no map: a light that is sent anew")
{
    CHECK(expanded(source_of({traffic_light(1), traffic_light(1), time_field(2)})) == Payloads{traffic_light(1), traffic_light(1), time_field(2)});
}

TEST_CASE("the map in the one view of a sensor data goes along, that of several stays where it is")
{
    const auto schema = Schema::built_in();
    const auto& root = schema->root(MessageType::sensor_data);
    const auto view_number = root.find("sensor_view")->number;
    const auto truth_number = schema->root(MessageType::sensor_view).find("global_ground_truth")->number;
    const auto view = [&](const std::string& truth) { return field(view_number, field(truth_number, truth)); };
    const auto first = time_field(0) + view(time_field(0) + lane(1)), later = time_field(1) + view(time_field(1));

    StaticPart part(root);
    ByteBuffer out;
    part.skip(bytes_of(first), 0);
    REQUIRE(part.complete(bytes_of(later), 1, out));
    CHECK(text_of(out.bytes()) == time_field(1) + view(time_field(1) + lane(1)));
    REQUIRE(part.carried().size() == 1);
    CHECK(part.carried().front().path == "sensor_view.global_ground_truth.lane");

    StaticPart several(root);
    several.skip(bytes_of(first), 0);
    const auto two = time_field(1) + view(time_field(1)) + view(time_field(1));
    CHECK_FALSE(several.complete(bytes_of(two), 1, out));
    CHECK_FALSE(several.complete(bytes_of(time_field(2)), 2, out));  // no view: none is made
    CHECK(several.complete(bytes_of(later), 3, out));
}

TEST_CASE("a real trace comes back byte for byte")
{
    const auto file = test::shared_folder() / "traces" / "highway_merge.osi";
    if (!std::filesystem::exists(file)) {
        WARN("skipped: no folder of real traces");
        return;
    }
    const auto whole = expanded(open_stream(file));
    StaticCounts counts;
    const auto small = compacted(source_of(whole), counts);
    CHECK(counts.changed == 432);
    CHECK(small.front() == whole.front());
    CHECK(small.back().size() < 3000);
    CHECK(expanded(source_of(small)) == whole);
}
