// SPDX-License-Identifier: MPL-2.0
#include "lib/open_drive/xml_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <ositrace/error.hpp>

namespace ositrace::open_drive {

namespace {

/// Elements of the standard that say nothing that OSI has.
constexpr std::array unused{
    std::string_view("CRG"),
    std::string_view("access"),
    std::string_view("alternative"),
    std::string_view("boundary"),
    std::string_view("bridge"),
    std::string_view("connectionLine"),
    std::string_view("controller"),
    std::string_view("crossPath"),
    std::string_view("crossSectionSurface"),
    std::string_view("dataQuality"),
    std::string_view("default"),
    std::string_view("defaultRegulations"),
    std::string_view("dependency"),
    std::string_view("elevationGrid"),
    std::string_view("explicit"),
    std::string_view("include"),
    std::string_view("junctionGroup"),
    std::string_view("junctionReference"),
    std::string_view("license"),
    std::string_view("markings"),
    std::string_view("material"),
    std::string_view("objectReference"),
    std::string_view("parkingSpace"),
    std::string_view("planeOffset"),
    std::string_view("priority"),
    std::string_view("railroad"),
    std::string_view("reference"),
    std::string_view("roadSection"),
    std::string_view("rule"),
    std::string_view("skeleton"),
    std::string_view("staticBoard"),
    std::string_view("station"),
    std::string_view("surface"),
    std::string_view("sway"),
    std::string_view("switch"),
    std::string_view("tunnel"),
    std::string_view("userData"),
    std::string_view("visibility"),
    std::string_view("vmsBoard"),
    std::string_view("vmsGroup"),
};

std::string_view trimmed(std::string_view text)
{
    constexpr auto space = " \t\r\n";
    const auto first = std::min(text.find_first_not_of(space), text.size());
    text.remove_prefix(first);
    return text.substr(0, text.find_last_not_of(space) + 1);
}

std::string quoted(std::string_view text)
{
    constexpr std::size_t most = 40;
    return '"' + std::string(text.substr(0, most)) + (text.size() > most ? "..." : "") + '"';
}

}  // namespace

XmlReader::XmlReader(std::string_view xml) : xml_(xml)
{
    const auto parsed = document_.load_buffer(xml.data(), xml.size(), pugi::parse_default, pugi::encoding_auto);
    if (!parsed)
        throw Error(Cause::malformed, "line " + std::to_string(line_of(parsed.offset)) + ": " + parsed.description());
}

std::uint64_t XmlReader::line_of(std::ptrdiff_t offset) const
{
    if (line_ends_.empty()) {
        for (std::size_t i = 0; i < xml_.size(); ++i)
            if (xml_[i] == '\n') line_ends_.push_back(static_cast<std::ptrdiff_t>(i));
        line_ends_.push_back(static_cast<std::ptrdiff_t>(xml_.size()));
    }
    return 1 + static_cast<std::uint64_t>(std::ranges::lower_bound(line_ends_, offset) - line_ends_.begin());
}

std::string XmlReader::place(pugi::xml_node node) const
{
    return "line " + std::to_string(line_of(node.offset_debug())) + ": <" + node.name() + '>';
}

void XmlReader::fail(pugi::xml_node node, const std::string& what) const
{
    throw Error(Cause::malformed, place(node) + ": " + what);
}

void XmlReader::fail_limit(pugi::xml_node node, const std::string& what) const
{
    throw Error(Cause::limit, place(node) + ": " + what);
}

void XmlReader::leave_out(pugi::xml_node node, const Error& error)
{
    left_out_.add(error.cause(), [&] {
        const bool is_itself = error.reason().starts_with(place(node) + ": ");
        return error.reason() + "; " +
               (is_itself ? "it"
                          : "the <" + std::string(node.name()) + "> in line " +
                                std::to_string(line_of(node.offset_debug()))) +
               " is left out";
    });
}

void XmlReader::doubt(pugi::xml_node node, const std::string& what)
{
    doubts_.add(Cause::malformed, [&] { return place(node) + ": " + what; });
}

std::string_view XmlReader::text(pugi::xml_node node, const char* name)
{
    return trimmed(node.attribute(name).value());
}

bool XmlReader::is_true(pugi::xml_node node, const char* name)
{
    const auto value = text(node, name);
    return value == "true" || value == "1" || value == "yes";
}

double XmlReader::number(pugi::xml_node node, const char* name) const
{
    constexpr double most = 1e12;
    const auto attribute = node.attribute(name);
    if (!attribute) fail(node, std::string("the attribute ") + name + " is missing");
    auto text = trimmed(attribute.value());
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool tiny = error == std::errc::result_out_of_range && text.find("e-") != std::string_view::npos;
    if (tiny) return 0;
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        fail(node, std::string(name) + " is " + quoted(attribute.value()) + ", expected a number");
    if (std::abs(value) > most)
        fail_limit(node, std::string(name) + " is " + quoted(text) + ", which exceeds the limit of 1e12");
    return value;
}

double XmlReader::number(pugi::xml_node node, const char* name, double otherwise) const
{
    return text(node, name).empty() ? otherwise : number(node, name);
}

int XmlReader::integer(pugi::xml_node node, const char* name) const
{
    const double value = number(node, name);
    if (value != std::trunc(value) || std::abs(value) > 1e9)
        fail(node, std::string(name) + " is " + quoted(text(node, name)) + ", expected a whole number");
    return static_cast<int>(value);
}

void XmlReader::other(pugi::xml_node node)
{
    if (node.type() != pugi::node_element || std::ranges::binary_search(unused, std::string_view(node.name()))) return;
    if (unknown_++ == 0) first_unknown_ = place(node);
}

}  // namespace ositrace::open_drive
