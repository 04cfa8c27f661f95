// SPDX-License-Identifier: MPL-2.0
// Source: ASAM Quality Checker Framework, file formats, xqar_result_format.xsd: CheckerResults/CheckerBundle/Checker/
// Issue/Locations. The level of an issue: 1 error, 2 warning, 3 information.
#include <ositrace/check_report.hpp>

#include <charconv>
#include <cmath>
#include <fstream>
#include <string>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace_selection.hpp>

#include "lib/open_drive/xml_reader.hpp"

namespace ositrace {

namespace {

using open_drive::XmlReader;

constexpr std::size_t most_text = 4096;

std::string text_of(pugi::xml_node node, const char* name)
{
    auto text = std::string(XmlReader::text(node, name).substr(0, most_text));
    // Not in the middle of a character of UTF-8.
    if (text.size() == most_text)
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0U) == 0x80U) text.pop_back();
    return text;
}

/// Seconds, exact where they are written with digits and a point.
std::optional<Nanoseconds> seconds_of(std::string_view text)
{
    const bool is_negative = text.starts_with('-');
    if (is_negative) text.remove_prefix(1);
    if (const auto exact = parse_duration(text)) return is_negative ? -*exact : *exact;
    double seconds = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    constexpr double most_seconds = 9.2e9;  // of int64 nanoseconds
    if (problem != std::errc() || end != text.data() + text.size() || !(std::abs(seconds) < most_seconds)) return {};
    const auto nanoseconds = Nanoseconds(std::llround(seconds * 1e9));
    return is_negative ? -nanoseconds : nanoseconds;
}

std::optional<std::uint64_t> number_of(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

Severity severity_of(std::string_view level)
{
    return level == "1" ? Severity::error : level == "2" ? Severity::warning : Severity::info;
}

/// What is stated first counts: an issue may have several places.
void add_places(pugi::xml_node issue, ReportedFinding& finding)
{
    for (const auto places : issue.children("Locations")) {
        if (finding.place.empty()) finding.place = text_of(places, "description");
        for (const auto place : places.children()) {
            if (!finding.time) finding.time = seconds_of(XmlReader::text(place, "time"));
            if (std::string_view(place.name()) != "MessageLocation") continue;
            if (!finding.message_number) finding.message_number = number_of(XmlReader::text(place, "index"));
            if (finding.field.empty()) finding.field = text_of(place, "field");
            if (finding.channel.empty()) finding.channel = text_of(place, "channel");
        }
    }
}

}  // namespace

CheckReport parse_check_report(std::string_view xml, const CheckReportOptions& options)
{
    const XmlReader reader(xml);
    const auto root = reader.root();
    if (std::string_view(root.name()) != "CheckerResults")
        reader.fail(root, "is no report of a checker (expected <CheckerResults>)");
    CheckReport report;
    for (const auto bundle : root.children("CheckerBundle")) {
        for (const auto param : bundle.children("Param"))
            if (XmlReader::text(param, "name") == "InputFile" && report.inputs.size() < options.most_findings)
                report.inputs.push_back(text_of(param, "value"));
        for (const auto checker : bundle.children("Checker")) {
            for (const auto issue : checker.children("Issue")) {
                if (report.findings.size() >= options.most_findings) {
                    ++report.left_out;
                    continue;
                }
                auto& finding = report.findings.emplace_back();
                finding.checker = text_of(checker, "checkerId");
                finding.rule = text_of(issue, "ruleUID");
                finding.severity = severity_of(XmlReader::text(issue, "level"));
                finding.message = text_of(issue, "description");
                add_places(issue, finding);
            }
        }
    }
    return report;
}

CheckReport read_check_report(const std::filesystem::path& file, const CheckReportOptions& options)
{
    try {
        std::error_code problem;
        if (!std::filesystem::is_regular_file(file, problem))
            throw Error(Cause::io, problem ? problem.message() : "is no regular file");
        std::ifstream in(file, std::ios::binary);
        std::string xml;
        constexpr std::size_t piece = std::size_t{1} << 20;
        // As bytes arrive: the file may grow meanwhile.
        while (in && xml.size() <= options.most_bytes) {
            const auto before = xml.size();
            xml.resize(before + piece);
            in.read(xml.data() + before, static_cast<std::streamsize>(piece));
            xml.resize(before + static_cast<std::size_t>(in.gcount()));
        }
        if (!in.eof() && xml.size() <= options.most_bytes) throw Error(Cause::io, "cannot be read");
        if (xml.size() > options.most_bytes)
            throw Error(Cause::limit,
                        "the report exceeds the limit of " + std::to_string(options.most_bytes) + " bytes");
        return parse_check_report(xml, options);
    } catch (const Error& error) {
        throw error.within({.file = file});
    }
}

}  // namespace ositrace
