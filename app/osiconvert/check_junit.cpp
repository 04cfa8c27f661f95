// SPDX-License-Identifier: MPL-2.0
// JUnit XML as CI servers read it: a suite per file, a test per id that was found.
#include "app/osiconvert/check.hpp"
#include "app/terminal/quantity.hpp"
#include "app/terminal/xml.hpp"

namespace ositrace::app {
namespace {

std::string lines_of(const CheckResult& result, const std::string& id)
{
    std::string lines;
    for (const auto& finding : result.findings) {
        if (finding.id != id) continue;
        const auto place = place_text(finding);
        lines += (lines.empty() ? "" : "; ") + place + (place.empty() ? "" : ": ") +
                 (finding.field.empty() ? "" : finding.field + ": ") + finding.message;
    }
    return lines;
}

void add_count(XmlWriter& xml, const CheckedFile& file, const FindingCount& count)
{
    xml.begin("testcase").attribute("classname", file.file.string()).attribute("name", count.id);
    const auto lines = lines_of(*file.result, count.id);
    if (count.severity == Severity::info)
        xml.begin("system-out").text(lines).end();
    else
        xml.begin("failure")
            .attribute("type", name_of(count.severity))
            .attribute("message", count.description + " (" + count_text(count.count, "finding") + ")")
            .text(lines)
            .end();
    xml.end();
}

void add_file(XmlWriter& xml, const CheckedFile& file)
{
    std::uint64_t failures = 0;
    if (file.result)
        for (const auto& count : file.result->counts) failures += count.severity != Severity::info;
    const std::uint64_t tests = 1 + (file.result ? file.result->counts.size() : 0);
    xml.begin("testsuite").attribute("name", file.file.string()).attribute("tests", tests);
    xml.attribute("failures", failures).attribute("errors", std::uint64_t{file.result ? 0u : 1u});
    xml.begin("testcase").attribute("classname", file.file.string()).attribute("name", "can be checked");
    if (!file.result) xml.begin("error").attribute("message", file.error).end();
    xml.end();
    if (file.result)
        for (const auto& count : file.result->counts) add_count(xml, file, count);
    xml.end();
}

}  // namespace

std::string check_junit(const std::vector<CheckedFile>& files)
{
    XmlWriter xml;
    xml.begin("testsuites").attribute("name", "osiconvert check");
    for (const auto& file : files) add_file(xml, file);
    return xml.end().document();
}

}  // namespace ositrace::app
