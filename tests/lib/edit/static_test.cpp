// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/static.hpp>

#include "lib/edit/static_part.hpp"
#include "tests/catch.hpp"
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

TEST_CASE("compact undoes expand wherever no frame repeats the map")
{
    const auto reference = field(15, "map.xodr"), projection = field(14, "+proj=utm");
    const auto head = version_field() + time_field(0) + traffic_light(1);
    const Payloads of_esmini{version_field() + time_field(0) + lane(1) + projection + reference, time_field(1),
                             time_field(2) + moving_object(1)};
    const Payloads with_version{head + lane(1), version_field() + time_field(1) + traffic_light(1),
                                version_field() + time_field(2)};
    const Payloads with_changes{
        time_field(0), time_field(1) + lane(1), time_field(2), time_field(3) + lane(2) + reference, time_field(4), ""};
    for (const auto& trace : {of_esmini, with_version, with_changes}) {
        const auto whole = expanded(source_of(trace));
        StaticCounts counts;
        CHECK(whole != trace);
        CHECK(compacted(source_of(whole), counts) == trace);
    }
    CHECK(expanded(source_of(of_esmini)).back() == time_field(2) + moving_object(1) + lane(1) + projection + reference);
}

TEST_CASE("expand inserts by number: fields in another order keep their bytes, and compact is the same again")
{
    for (const auto& [front, back] : {std::pair{lane(1) + field(15, "a.xodr"), std::string()},
                                      std::pair{moving_object(1) + lane(1), moving_object(2)}}) {
        const auto frame = [&before = front, &after = back](std::uint8_t time) {
            return before + time_field(time) + after;
        };
        const Payloads whole{frame(0), frame(1), frame(2)};
        StaticCounts counts;
        const auto small = compacted(source_of(whole), counts);
        const auto again = expanded(source_of(small));
        CHECK(again != whole);
        CHECK(again.back().size() == whole.back().size());
        CHECK(compacted(source_of(again), counts) == small);
    }
}

TEST_CASE("a ground truth that expand made for the map is taken away again, with the map")
{
    const auto schema = Schema::built_in();
    const auto& root = schema->root(MessageType::sensor_view);
    const auto truth = [&](const std::string& content) {
        return field(root.find("global_ground_truth")->number, content);
    };
    const Payloads views{time_field(0) + truth(lane(1)), time_field(1), time_field(2) + truth(time_field(2))};
    StaticPart to_expand(root), to_compact(root);
    for (std::size_t i = 0; i != views.size(); ++i) {
        ByteBuffer whole, small;
        const bool changed = to_expand.expand(bytes_of(views[i]), i, whole);
        CHECK(changed == (i != 0));
        REQUIRE(to_compact.compact(changed ? whole.bytes() : bytes_of(views[i]), i, small) == changed);
        if (changed) CHECK(text_of(small.bytes()) == views[i]);
    }
}

TEST_CASE("expand does not put back what is no map: a light that is sent anew")
{
    CHECK(expanded(source_of({traffic_light(1), traffic_light(1), time_field(2)})) ==
          Payloads{traffic_light(1), traffic_light(1), time_field(2)});
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
    CHECK(small == payloads_of(*open_stream(file)));
}
