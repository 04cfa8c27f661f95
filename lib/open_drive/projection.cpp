// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/projection.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <system_error>
#include <utility>

namespace ositrace {

namespace {

constexpr std::string_view white_space = " \t\r\n";

using Parameters = std::map<std::string, std::string, std::less<>>;

struct Projection {
    Parameters parameters;  ///< empty: not known
    std::string name;       ///< `epsg:31467`, or the whole text; equal names are the same projection
};

std::string lower(std::string_view text)
{
    std::string result(text);
    for (auto& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string_view stripped(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(white_space), text.size()));
    return text.substr(0, text.find_last_not_of(white_space) + 1);
}

std::optional<double> number_in(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

bool is_value(const Parameters& all, std::string_view name, double expected)
{
    const auto found = all.find(name);
    const auto value = found == all.end() ? std::nullopt : number_in(found->second);
    return value && std::abs(*value - expected) <= 1e-9 * std::max(1.0, std::abs(expected));
}

std::optional<int> whole_number(std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// `epsg:25832`, `urn:ogc:def:crs:epsg::25832`, `http://www.opengis.net/def/crs/epsg/0/25832`; in lower case.
std::optional<int> epsg_code(std::string_view text)
{
    constexpr std::string_view authority = "epsg";
    const auto at = text.find(authority);
    if (at == std::string_view::npos || !(at == 0 || text.starts_with("urn:") || text.starts_with("http")))
        return std::nullopt;
    const auto rest = text.substr(at + authority.size());
    const auto last = rest.find_last_of(":/");
    if (last == std::string_view::npos || rest.find_first_not_of("0123456789.:/") != std::string_view::npos)
        return std::nullopt;
    return whole_number(rest.substr(last + 1));
}

/// As a PROJ string; empty: not known.
std::string proj_of_code(int code)
{
    const auto utm = [&](const char* rest) { return "+proj=utm +zone=" + std::to_string(code % 100) + rest; };
    if (code > 32600 && code <= 32660) return utm(" +datum=WGS84");
    if (code > 32700 && code <= 32760) return utm(" +south +datum=WGS84");
    if (code >= 25828 && code <= 25838) return utm(" +ellps=GRS80");
    if (code == 4326) return "+proj=longlat +datum=WGS84";
    if (code == 3857) return "+proj=merc +a=6378137 +b=6378137";
    return {};
}

/// WGS84 and GRS80 in all their spellings, and PROJ's default, become one.
void unify_ellipsoid(Parameters& all)
{
    const auto is = [&](std::string_view name, std::string_view value) {
        const auto found = all.find(name);
        return found != all.end() && lower(found->second) == value;
    };
    // An ellipsoid that is stated counts, and not that of the datum.
    const bool is_stated = all.contains("ellps") || all.contains("a");
    const bool by_name = is("ellps", "wgs84") || is("ellps", "grs80");
    const bool by_datum = is("datum", "wgs84") || is("datum", "nad83") || is("datum", "etrs89");
    const bool by_axes =
        is_value(all, "a", 6378137) && (is_value(all, "rf", 298.257223563) || is_value(all, "rf", 298.257222101) ||
                                        is_value(all, "b", 6356752.314245) || is_value(all, "b", 6356752.31414));
    if (by_datum) all.erase("datum");
    if (!by_name && !by_axes && is_stated) return;
    for (const auto* const name : {"ellps", "a", "b", "rf"}) all.erase(name);
}

/// A zone is a transverse Mercator projection.
void expand_utm(Parameters& all)
{
    const auto zone = whole_number(all["zone"]);
    if (!zone || *zone < 1 || *zone > 60) return void(all.erase("zone"));
    all["proj"] = "tmerc";
    all["lon_0"] = std::to_string(6 * *zone - 183);
    all["k_0"] = "0.9996";
    all["x_0"] = "500000";
    all["y_0"] = all.contains("south") ? "10000000" : "0";
    all["lat_0"] = "0";
    all.erase("zone");
    all.erase("south");
}

bool is_zero_shift(std::string_view text) { return text.find_first_not_of("0., +-") == std::string_view::npos; }

/// Names and values as they are compared: what says nothing about the plane, and what is PROJ's default, is removed.
void normalize(Parameters& all)
{
    for (const auto* const name : {"no_defs", "wktext", "type", "over", "title", "vunits", "vto_meter", "geoidgrids"})
        all.erase(name);
    if (auto k = all.extract("k")) {
        k.key() = "k_0";
        all.insert(std::move(k));
    }
    const auto erase_text = [&](std::string_view name, std::string_view value) {
        const auto found = all.find(name);
        if (found != all.end() && lower(found->second) == value) all.erase(found);
    };
    erase_text("units", "m");
    erase_text("axis", "enu");
    erase_text("pm", "greenwich");
    erase_text("nadgrids", "@null");
    if (const auto shift = all.find("towgs84"); shift != all.end() && is_zero_shift(shift->second)) all.erase(shift);
    auto& kind = all["proj"];
    if (kind == "latlong" || kind == "latlon" || kind == "lonlat") kind = "longlat";
    if (kind == "etmerc") kind = "tmerc";
    if (kind == "utm") expand_utm(all);
    unify_ellipsoid(all);
    const auto erase_number = [&](std::string_view name, double value) {
        if (is_value(all, name, value)) all.erase(all.find(name));
    };
    erase_number("to_meter", 1);
    erase_number("k_0", 1);
    for (const auto* const name : {"lat_0", "lon_0", "x_0", "y_0", "lat_ts", "pm"}) erase_number(name, 0);
}

/// `+proj=utm +zone=32`, also without the signs.
Parameters parameters_in(std::string_view text)
{
    Parameters all;
    while (!(text = stripped(text)).empty()) {
        const auto word = text.substr(0, text.find_first_of(white_space));
        text.remove_prefix(word.size());
        const auto parameter = word.substr(word.starts_with('+') ? 1 : 0);
        const auto name = parameter.substr(0, parameter.find('='));
        const auto value = parameter.substr(std::min(name.size() + 1, parameter.size()));
        const auto code = name == "init" ? epsg_code(lower(value)) : std::nullopt;
        if (code)
            all.merge(parameters_in(proj_of_code(*code)));
        else
            all.emplace(name, value);  // of two PROJ uses the first
    }
    return all;
}

bool is_wkt(std::string_view text)
{
    constexpr std::array starts{std::string_view("projcs"),   std::string_view("projcrs"),
                                std::string_view("geogcs"),   std::string_view("geogcrs"),
                                std::string_view("compd_cs"), std::string_view("compoundcrs"),
                                std::string_view("boundcrs")};
    const auto first = lower(text.substr(0, text.find_first_of("[(")));
    return first.size() < text.size() && std::ranges::find(starts, stripped(first)) != starts.end();
}

/// `AUTHORITY["EPSG","25832"]]` or `ID["EPSG",25832]]` at the end, which is of the whole and not of a part.
std::optional<int> code_at_end(std::string_view wkt)
{
    constexpr std::size_t longest = 60;
    std::string end;
    for (const char c : lower(wkt.substr(wkt.size() - std::min(wkt.size(), longest))))
        if (c != '"' && white_space.find(c) == std::string_view::npos) end += c == '(' ? '[' : c == ')' ? ']' : c;
    const auto open = end.rfind('[');
    if (open == std::string::npos || !end.ends_with("]]")) return std::nullopt;
    const auto keyword = std::string_view(end).substr(0, open);
    auto code = std::string_view(end).substr(open + 1);
    code.remove_suffix(2);
    constexpr std::string_view authority = "epsg,";
    if (!(keyword.ends_with(",authority") || keyword.ends_with(",id")) || !code.starts_with(authority))
        return std::nullopt;
    return whole_number(code.substr(authority.size()));
}

/// `WGS 84 / UTM zone 32N`, also as ESRI writes it: `WGS_1984_UTM_Zone_32N`.
std::optional<int> code_of_name(std::string_view wkt)
{
    std::string name;
    const auto quote = wkt.find('"');
    for (const char c : lower(wkt.substr(std::min(quote + 1, wkt.size()), 60))) {
        if (c == '"') break;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) name += c;
    }
    struct Start {
        std::string_view text;
        int north, south;
    };
    constexpr std::array starts{Start{"wgs84utmzone", 32600, 32700}, Start{"wgs1984utmzone", 32600, 32700},
                                Start{"etrs89utmzone", 25800, 0}, Start{"etrs1989utmzone", 25800, 0}};
    for (const auto& start : starts) {
        if (!name.starts_with(start.text) || name.size() <= start.text.size()) continue;
        const int base = name.back() == 'n' ? start.north : name.back() == 's' ? start.south : 0;
        const auto zone =
            whole_number(std::string_view(name).substr(start.text.size(), name.size() - 1 - start.text.size()));
        if (base != 0 && zone && *zone >= 1 && *zone <= 60) return base + *zone;
    }
    if (name == "wgs84" || name == "gcswgs1984") return 4326;
    if (name == "wgs84pseudomercator" || name == "wgs1984webmercatorauxiliarysphere") return 3857;
    return std::nullopt;
}

Projection projection_in(std::string_view text)
{
    text = stripped(text);
    Projection found{{}, lower(text)};
    auto code = epsg_code(found.name);
    if (!code && is_wkt(text)) {
        code = code_at_end(text);
        if (!code) code = code_of_name(text);
    }
    found.parameters = code ? parameters_in(proj_of_code(*code)) : parameters_in(text);
    if (code) found.name = "epsg:" + std::to_string(*code);
    if (found.parameters.contains("proj"))
        normalize(found.parameters);
    else
        found.parameters.clear();
    return found;
}

/// A zone is missing.
bool is_incomplete(const Projection& projection)
{
    const auto kind = projection.parameters.find("proj");
    return kind == projection.parameters.end() || kind->second == "utm";
}

bool is_same_value(const std::string& a, const std::string& b)
{
    if (a == b) return true;
    const auto x = number_in(a), y = number_in(b);
    return x && y && std::abs(*x - *y) <= 1e-9 * std::max(1.0, std::abs(*x));
}

std::string shown(std::string_view text)
{
    constexpr std::size_t most = 60;
    return '\'' + std::string(text.substr(0, most)) + (text.size() > most ? "..." : "") + '\'';
}

}  // namespace

ProjectionMatch compare_projections(std::string_view a, std::string_view b)
{
    const auto of_a = projection_in(a), of_b = projection_in(b);
    if (of_a.name == of_b.name && !of_a.name.empty()) return ProjectionMatch::same;
    if (is_incomplete(of_a) || is_incomplete(of_b)) return ProjectionMatch::unknown;
    const bool same = std::ranges::equal(of_a.parameters, of_b.parameters, [](const auto& x, const auto& y) {
        return x.first == y.first && is_same_value(x.second, y.second);
    });
    return same ? ProjectionMatch::same : ProjectionMatch::other;
}

bool is_projection(std::string_view text)
{
    text = stripped(text);
    return epsg_code(lower(text)) || is_wkt(text) || text.starts_with("+proj=") || text.starts_with("proj=") ||
           text.starts_with("+init=");
}

std::string_view projection_of(const MapFrame& trace)
{
    if (!stripped(trace.projection).empty() || !is_projection(trace.reference)) return stripped(trace.projection);
    return trace.reference;
}

std::optional<ProjectionNote> projection_note(const GroundTruthMap& map, const MapFrame& trace)
{
    const auto of_trace = projection_of(trace);
    const std::string_view of_map = stripped(map.geo_reference);
    if (of_trace.empty() || of_map.empty()) {
        if (!trace.offset || !map.offset || *trace.offset == *map.offset) return std::nullopt;
        return ProjectionNote{false, std::string("the offsets of the map and the trace differ, but ") +
                                         (!of_map.empty()     ? "the trace states"
                                          : !of_trace.empty() ? "the map states"
                                                              : "they state") +
                                         " no projection, so the map is not moved"};
    }
    switch (compare_projections(of_map, of_trace)) {
    case ProjectionMatch::same: break;
    case ProjectionMatch::other:
        return ProjectionNote{true, trace.projection.empty()
                                        ? "map_reference of the trace is another projection than that of the map"
                                        : "the map has another projection than the trace"};
    case ProjectionMatch::unknown:
        return ProjectionNote{false, "the projections of the map (" + shown(of_map) + ") and the trace (" +
                                         shown(of_trace) + ") cannot be compared"};
    }
    return std::nullopt;
}

}  // namespace ositrace
