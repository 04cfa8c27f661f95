// SPDX-License-Identifier: MPL-2.0
#include <ositrace/count_text.hpp>
#include <ositrace/open_drive.hpp>

#include <algorithm>
#include <array>

#include "formats/protobuf/named_writer.hpp"
#include "lib/open_drive/map_writer.hpp"
#include "lib/open_drive/parse.hpp"

namespace ositrace {

namespace {

using namespace open_drive;

struct Country {
    std::string_view two, three;
    std::uint64_t number;
};

/// ISO 3166-1, of the countries with maps in OpenDRIVE that are known to us.
constexpr std::array countries{
    Country{"AT", "AUT", 40},  Country{"AU", "AUS", 36},  Country{"BE", "BEL", 56},  Country{"CA", "CAN", 124},
    Country{"CH", "CHE", 756}, Country{"CN", "CHN", 156}, Country{"CZ", "CZE", 203}, Country{"DE", "DEU", 276},
    Country{"DK", "DNK", 208}, Country{"ES", "ESP", 724}, Country{"FI", "FIN", 246}, Country{"FR", "FRA", 250},
    Country{"GB", "GBR", 826}, Country{"HU", "HUN", 348}, Country{"IE", "IRL", 372}, Country{"IN", "IND", 356},
    Country{"IT", "ITA", 380}, Country{"JP", "JPN", 392}, Country{"KR", "KOR", 410}, Country{"NL", "NLD", 528},
    Country{"NO", "NOR", 578}, Country{"PL", "POL", 616}, Country{"PT", "PRT", 620}, Country{"SE", "SWE", 752},
    Country{"SG", "SGP", 702}, Country{"US", "USA", 840},
};

std::uint64_t country_code(const Document& document)
{
    for (const auto& road : document.roads)
        for (const auto& type : road.types)
            for (const auto& country : countries)
                if (type.country == country.two || type.country == country.three) return country.number;
    return 0;
}

void append(NamedWriter& out, const MapWriter& map, Part from, Part to)
{
    for (auto part = static_cast<int>(from); part <= static_cast<int>(to); ++part)
        out.raw().buffer().append(map.part(static_cast<Part>(part)));
}

void write_ground_truth(NamedWriter& out, const MapWriter& map, const Schema& schema, const MapOptions& options)
{
    const auto& document = map.document();
    if (options.states_version) {
        out.version("version", schema.osi_version());
        out.message("timestamp", [&] {
            out.integer("seconds", 0);
            out.unsigned_integer("nanos", 0);
        });
    }
    append(out, map, Part::stationary_object, Part::lane);
    if (const auto country = country_code(document); country != 0) out.unsigned_integer("country_code", country);
    if (!document.geo_reference.empty()) write_text(out, "proj_string", document.geo_reference);
    if (!options.reference.empty()) write_text(out, "map_reference", options.reference);
    append(out, map, Part::reference_line, Part::logical_lane);
    if (document.offset) {
        out.message("proj_frame_offset", [&] {
            write_vector(out, "position", {document.offset->x, document.offset->y, document.offset->z});
            out.real("yaw", document.offset->yaw);
        });
    }
}

/// A note for each road with gaps, of a few roads.
void add_gaps(const Document& document, std::vector<Error>& notes)
{
    constexpr std::size_t most_roads = 10;
    std::size_t roads = 0;
    for (const auto& road : document.roads) {
        if (road.gaps == 0 || ++roads > most_roads) continue;
        notes.emplace_back(
            Cause::malformed,
            "road " + road.id + ": " +
                (road.gaps == 1 ? "a geometry of the planView does not start"
                                : std::to_string(road.gaps) + " geometries of the planView do not start") +
                " where the one before ends: " + (road.gaps == 1 ? "" : "up to ") + two_digits(road.largest_gap) +
                " m apart at s = " + two_digits(road.largest_gap_s));
    }
    if (roads > most_roads)
        notes.emplace_back(Cause::malformed,
                           "the planViews of " + std::to_string(roads - most_roads) + " more roads have such gaps");
}

std::vector<Error> notes_of(const MapWriter& map)
{
    std::vector<Error> notes;
    const auto& document = map.document();
    document.left_out.append_to(notes, "elements are left out");
    if (document.is_newer)
        notes.emplace_back(Cause::unsupported, "the map is OpenDRIVE " + document.revision +
                                                   ": it is read as 1.8, and what is new is not read");
    document.doubts.append_to(notes, "elements have values that cannot be right");
    if (document.unknown_elements != 0)
        notes.emplace_back(Cause::unsupported, count_text(document.unknown_elements, "element") +
                                                   " that OpenDRIVE does not have " +
                                                   is_or_are(document.unknown_elements) + " not read, the first in " +
                                                   document.first_unknown);
    if (const auto count = map.network().broken_links(); count != 0)
        notes.emplace_back(Cause::malformed, count_text(count, "link") + (count == 1 ? " leads" : " lead") +
                                                 " to a road, junction or lane that the map does not have");
    add_gaps(document, notes);
    map.repeats().append_to(notes, "repetitions of objects are left out");
    if (map.network().lanes().empty()) notes.emplace_back(Cause::missing, "the map has no lanes");
    return notes;
}

}  // namespace

std::string_view open_drive::alpha_2(std::string_view country)
{
    const auto* const found = std::ranges::find(countries, country, &Country::three);
    return found == countries.end() ? country : found->two;
}

GroundTruthMap read_open_drive(std::string_view xml, const MapOptions& options)
{
    auto document = parse(xml);
    if (options.placement) place(document, *options.placement);
    const auto schema = Schema::built_in();
    MapWriter map(document, *schema, options.first_id, options.max_message_bytes);
    write_objects(map);
    write_signals(map);
    for (std::size_t road = 0; road < document.roads.size(); ++road)
        if (!map.network().is_connecting(road)) write_road(map, road, options.max_deviation);
    for (const auto& intersection : map.network().intersections())
        write_intersection(map, intersection, options.max_deviation);

    GroundTruthMap result;
    auto message = std::make_shared<ByteBuffer>();
    NamedWriter out(*message, schema->root(MessageType::ground_truth));
    write_ground_truth(out, map, *schema, options);
    result.message = std::move(message);
    result.geo_reference = document.geo_reference;
    result.offset = document.offset;
    result.roads = document.roads.size();
    result.lanes = map.network().lanes().size();
    result.intersections = map.network().intersections().size();
    result.left_out = document.left_out.count();
    result.notes = notes_of(map);
    return result;
}

}  // namespace ositrace
