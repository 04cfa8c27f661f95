// SPDX-License-Identifier: MPL-2.0
// Source: ASAM Quality Checker Framework, file formats, xqar_result_format.xsd. A bundle per file, a checker per set of
// rules. Several bundles have different names, because readers of the framework find a bundle by name.
#include <set>

#include <ositrace/version.hpp>

#include "app/osiconvert/check.hpp"
#include "app/terminal/quantity.hpp"
#include "app/terminal/xml.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace::app {
namespace {

/// `timestamp` of `ositrace.alt:osi:3.8.0:timestamp.is_set`
std::string set_of(std::string_view id)
{
    const auto rule = id.substr(id.rfind(':') + 1);
    return std::string(rule.substr(0, rule.find('.')));
}

std::string level_of(Severity severity) { return std::to_string(static_cast<int>(severity) + 1); }

bool is_checked(const FindingKind& kind, const CheckResult& result)
{
    return kind.profile == Profile::none || kind.profile == result.profile;
}

void add_locations(XmlWriter& xml, const Finding& finding)
{
    if (!finding.frame && !finding.byte && !finding.time) return;
    xml.begin("Locations").attribute("description", place_text(finding));
    if (finding.byte) xml.begin("FileLocation").attribute("offset", *finding.byte).end();
    if (finding.frame) {
        xml.begin("MessageLocation").attribute("index", *finding.frame);
        if (!finding.channel.empty()) xml.attribute("channel", finding.channel);
        if (!finding.field.empty()) xml.attribute("field", finding.field);
        if (finding.time) xml.attribute("time", exact_seconds(*finding.time));
        xml.end();
    }
    xml.end();
}

void add_checker(XmlWriter& xml, const CheckResult& result, const std::string& set, std::uint64_t& issue)
{
    std::uint64_t count = 0;
    std::set<std::string> addressed;
    for (const auto& kind : finding_kinds())
        if (set_of(kind.id()) == set && is_checked(kind, result)) addressed.insert(kind.id());
    for (const auto& found : result.counts) {
        if (set_of(found.id) != set) continue;
        count += found.count;
        addressed.insert(found.id);
    }
    xml.begin("Checker")
        .attribute("checkerId", "ositrace_" + set)
        .attribute("description", "the rules of the set " + set);
    xml.attribute("summary", count_text(count, "finding")).attribute("status", "completed");
    for (const auto& finding : result.findings) {
        if (set_of(finding.id) != set) continue;
        xml.begin("Issue").attribute("issueId", issue++).attribute("description", finding.message);
        xml.attribute("level", level_of(finding.severity)).attribute("ruleUID", finding.id);
        add_locations(xml, finding);
        xml.end();
    }
    for (const auto& id : addressed) xml.begin("AddressedRule").attribute("ruleUID", id).end();
    xml.end();
}

void add_file(XmlWriter& xml, const std::string& name, const CheckedFile& file, std::uint64_t& issue)
{
    xml.begin("CheckerBundle")
        .attribute("name", name)
        .attribute("description", "osiconvert check")
        .attribute("build_date", "");
    xml.attribute("version", version());
    xml.attribute("summary", file.result ? count_text(file.result->errors, "error") + ", " +
                                               count_text(file.result->warnings, "warning") + ", " +
                                               count_text(file.result->infos, "info")
                                         : file.error);
    xml.begin("Param").attribute("name", "InputFile").attribute("value", file.file.string()).end();
    if (!file.result) {
        xml.begin("Checker")
            .attribute("checkerId", "ositrace_framing")
            .attribute("description", "the rules of the set framing");
        xml.attribute("summary", file.error).attribute("status", "error").end();
    } else {
        std::set<std::string> sets;
        for (const auto& kind : finding_kinds())
            if (is_checked(kind, *file.result)) sets.insert(set_of(kind.id()));
        for (const auto& count : file.result->counts) sets.insert(set_of(count.id));
        for (const auto& set : sets) add_checker(xml, *file.result, set, issue);
    }
    xml.end();
}

}  // namespace

std::string check_xqar(const std::vector<CheckedFile>& files)
{
    XmlWriter xml;
    std::uint64_t issue = 0;
    xml.begin("CheckerResults").attribute("version", "1.0.0");
    std::uint64_t number = 0;
    for (const auto& file : files) {
        ++number;
        add_file(xml, files.size() == 1 ? "ositrace" : "ositrace_" + std::to_string(number), file, issue);
    }
    return xml.end().document();
}

}  // namespace ositrace::app
