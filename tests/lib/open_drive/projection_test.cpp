// SPDX-License-Identifier: MPL-2.0
#include <string>
#include <string_view>
#include <vector>

#include "lib/open_drive/projection.hpp"
#include "tests/catch.hpp"

using namespace ositrace;

namespace {

constexpr std::string_view utm_32_wkt =
    "PROJCS[\"WGS 84 / UTM zone 32N\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563,"
    "AUTHORITY[\"EPSG\",\"7030\"]],AUTHORITY[\"EPSG\",\"6326\"]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.01745],"
    "AUTHORITY[\"EPSG\",\"4326\"]],PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"central_meridian\",9],"
    "UNIT[\"metre\",1],AUTHORITY[\"EPSG\",\"32632\"]]";

ProjectionMatch match(std::string_view a, std::string_view b)
{
    const auto found = compare_projections(a, b);
    CHECK(compare_projections(b, a) == found);  // in both orders
    return found;
}

}  // namespace

TEST_CASE("all spellings of a projection are one")
{
    const std::vector<std::vector<std::string>> groups{
        {"EPSG:32632", "epsg:32632", "urn:ogc:def:crs:EPSG::32632", "http://www.opengis.net/def/crs/EPSG/0/32632",
         "+init=epsg:32632", "+proj=utm +zone=32 +datum=WGS84 +units=m +no_defs", "+zone=32 +proj=utm",
         "proj=utm zone=32", " +proj=utm +zone=32 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +type=crs\n",
         "+proj=tmerc +lat_0=0 +lon_0=9 +k=0.9996 +x_0=500000 +y_0=0 +datum=WGS84",
         "+proj=tmerc +lon_0=9.0 +k_0=0.99960 +x_0=5e5 +a=6378137 +rf=298.257223563",
         "+proj=utm +zone=32 +datum=WGS84 +geoidgrids=egm96_15.gtx +vunits=m", "EPSG:25832", std::string(utm_32_wkt),
         "PROJCRS[\"ETRS89 / UTM zone 32N\",BASEGEOGCRS[\"ETRS89\"],ID[\"EPSG\", 25832]]",
         "PROJCS[\"WGS_1984_UTM_Zone_32N\",GEOGCS[\"GCS_WGS_1984\",UNIT[\"Degree\",0.017]],UNIT[\"Meter\",1.0]]"},
        {"EPSG:32733", "+proj=utm +zone=33 +south", "+proj=tmerc +lon_0=15 +k=0.9996 +x_0=500000 +y_0=10000000",
         "PROJCS[\"WGS 84 / UTM zone 33S\",GEOGCS[\"WGS 84\"]]"},
        {"EPSG:4326", "+proj=longlat +datum=WGS84 +no_defs", "+proj=latlong", "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\"]]"},
        {"EPSG:3857",
         "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext"},
        {"+proj=tmerc +lat_0=37.35429341239328 +lon_0=-122", "+proj=tmerc +lat_0=37.3542934123933 +lon_0=-122 +k=1"},
        {"+proj=merc", "+proj=merc +ellps=WGS84 +pm=greenwich"},
        {"+proj=utm +zone=32 +ellps=bessel", "+proj=utm +zone=32 +ellps=bessel +datum=WGS84"},
    };
    for (const auto& group : groups)
        for (const auto& other : groups)
            for (const auto& a : group)
                for (const auto& b : other) {
                    INFO(a << " and " << b);
                    CHECK((match(a, b) == ProjectionMatch::same) == (&group == &other));
                }
}

TEST_CASE("projections that differ are told from those that cannot be compared")
{
    CHECK(match("+proj=utm +zone=32", "+proj=utm +zone=33") == ProjectionMatch::other);
    CHECK(match("EPSG:32632", "EPSG:32732") == ProjectionMatch::other);
    CHECK(match("EPSG:25832", "+proj=utm +zone=32 +units=us-ft") == ProjectionMatch::other);
    CHECK(match("+proj=tmerc +lon_0=9", "+proj=tmerc +lon_0=9 +k=0.9996") == ProjectionMatch::other);
    CHECK(match("+proj=utm +zone=32 +towgs84=582,105,414,1,0,-3,8", "EPSG:32632") == ProjectionMatch::other);
    CHECK(match("EPSG:31467", "EPSG:31467") == ProjectionMatch::same);  // not known, but the same name
    CHECK(match("EPSG:31467", "epsg:31468") == ProjectionMatch::unknown);
    CHECK(match("EPSG:31467", "EPSG:32632") == ProjectionMatch::unknown);
    CHECK(match("+proj=utm", "EPSG:25832") == ProjectionMatch::unknown);
    CHECK(match("+proj=utm +zone=99", "EPSG:25832") == ProjectionMatch::unknown);
    CHECK(match("LOCAL_CS[\"site\"]", "EPSG:25832") == ProjectionMatch::unknown);
    CHECK(match("", "") == ProjectionMatch::unknown);
    // The code of a part of WKT is not that of the whole.
    const std::string whole(utm_32_wkt);
    const auto without =
        whole.substr(0, whole.rfind(",AUTHORITY")) + ",EXTENSION[\"x\",AUTHORITY[\"EPSG\",\"32633\"]]]";
    CHECK(match(without, "EPSG:32632") == ProjectionMatch::same);
}

TEST_CASE("a projection in map_reference is none of a file")
{
    for (const auto* const text : {"+proj=utm +zone=32", "EPSG:25832", " +init=epsg:25832", utm_32_wkt.data()})
        CHECK(is_projection(text));
    for (const auto* const text : {"", "town.xodr", "EPSG.xodr", "maps/epsg:25832.xodr", "+town", "PROJCS"})
        CHECK_FALSE(is_projection(text));
}

TEST_CASE("of a map and a trace it is said that their projections differ or cannot be compared")
{
    GroundTruthMap map;
    const auto text = [&](const MapFrame& trace) {
        const auto note = projection_note(map, trace);
        return note ? (note->is_other ? "other: " : "unknown: ") + note->text : std::string();
    };
    CHECK(text({"", "EPSG:25832", {}}).empty());
    map.geo_reference = "+proj=utm +zone=32";
    CHECK(text({"town.xodr", "", {}}).empty());
    CHECK(text({"", " EPSG:25832", {}}).empty());
    CHECK(text({"", "EPSG:25833", {}}) == "other: the map has another projection than the trace");
    CHECK(text({"EPSG:25833", "", {}}) ==
          "other: map_reference of the trace is another projection than that of the map");
    // esmini writes a part of the projection into map_reference.
    CHECK(text({"+proj=utm +lat_0=37", "+proj=utm +zone=32", {}}).empty());
    CHECK(text({"", "EPSG:31467", {}}) ==
          "unknown: the projections of the map ('+proj=utm +zone=32') and the trace ('EPSG:31467') cannot be compared");
    map.offset = MapOffset{100, 0, 0, 0};
    CHECK(text({"", "", MapOffset{90, 0, 0, 0}}) ==
          "unknown: the offsets of the map and the trace differ, but the trace states no projection, so the map is not "
          "moved");
    CHECK(text({"", "", map.offset}).empty());
}
