// SPDX-License-Identifier: MPL-2.0
// Result files of checkers as other programs write them.
#include <fstream>
#include <string>

#include <ositrace/check_report.hpp>
#include <ositrace/error.hpp>

#include "tests/catch.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

std::string report_error(const auto& call)
{
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

constexpr auto foreign_report = R"(<?xml version="1.0" encoding="UTF-8"?>
<CheckerResults version="1.0.0">
  <CheckerBundle name="otherBundle" description="" build_date="2024-06-01" version="0.1" summary="">
    <Param name="InputFile" value="drive.osi"/>
    <Checker checkerId="other_checker" description="" summary="" status="completed">
      <Issue issueId="0" description="Speed &lt; 0 &#246;" level="1" ruleUID="example.com:osi:3.7:speed">
        <Locations description="moving object 7"><TimeLocation time="1.25"/></Locations>
      </Issue>
      <Issue issueId="1" description="late" level="2" ruleUID="r2">
        <Locations description=""><FileLocation row="3" column="0"/><MessageLocation index="12" channel="/gt" field="id"/></Locations>
        <Locations description="second"><TimeLocation time="9"/></Locations>
      </Issue>
      <Issue issueId="2" description="no place" level="3" ruleUID="r3"/>
      <Issue issueId="3" description="before zero" level="7" ruleUID="r4">
        <Locations><TimeLocation time="-1609459200.000000001"/></Locations>
      </Issue>
      <Unknown><Issue description="not one"/></Unknown>
      <Issue description="strange" level="1"><Locations><MessageLocation index="-1" time="soon"/></Locations></Issue>
    </Checker>
  </CheckerBundle>
</CheckerResults>)";

}  // namespace

TEST_CASE("the report of any checker: levels, times, messages and channels")
{
    const auto report = parse_check_report(foreign_report);
    REQUIRE(report.inputs == std::vector<std::string>{"drive.osi"});
    REQUIRE(report.findings.size() == 5);
    CHECK(report.left_out == 0);
    const auto& first = report.findings[0];
    CHECK(first.checker == "other_checker");
    CHECK(first.rule == "example.com:osi:3.7:speed");
    CHECK(first.severity == Severity::error);
    CHECK(first.message == "Speed < 0 \xc3\xb6");
    CHECK(first.place == "moving object 7");
    CHECK(first.time == Nanoseconds(1250ms));
    CHECK_FALSE(first.message_number);
    const auto& second = report.findings[1];
    CHECK(second.severity == Severity::warning);
    CHECK(second.message_number == 12);
    CHECK(second.channel == "/gt");
    CHECK(second.field == "id");
    CHECK(second.place == "second");
    CHECK(second.time == Nanoseconds(9s));
    CHECK(report.findings[2].severity == Severity::info);
    CHECK_FALSE(report.findings[2].time);
    CHECK(report.findings[3].time == Nanoseconds(-1'609'459'200'000'000'001));
    CHECK_FALSE(report.findings[4].message_number);
    CHECK_FALSE(report.findings[4].time);
}

TEST_CASE("a report that is none is an error with its line")
{
    CHECK(report_error([] { static_cast<void>(parse_check_report("<a>\n<b></a>")); }).starts_with("line 2: "));
    CHECK(report_error([] { static_cast<void>(parse_check_report("\n<OpenDRIVE/>")); }) ==
          "line 2: <OpenDRIVE>: is no report of a checker (expected <CheckerResults>)");
    CHECK_FALSE(report_error([] { static_cast<void>(parse_check_report("")); }).empty());
    CHECK_FALSE(report_error([] { static_cast<void>(parse_check_report("not XML")); }).empty());
    CHECK(parse_check_report("<CheckerResults/>").findings.empty());
}

TEST_CASE("what a report costs is bounded by its length")
{
    // Entities are not expanded, depth is not recursed into, and long texts are cut.
    const std::string bomb =
        "<!DOCTYPE a [<!ENTITY b \"xxxxxxxxxx\"><!ENTITY c \"&b;&b;&b;&b;\">]>"
        "<CheckerResults><CheckerBundle><Checker><Issue description=\"&c;\"/></Checker>"
        "</CheckerBundle></CheckerResults>";
    CHECK(parse_check_report(bomb).findings.front().message == "&c;");
    std::string deep = "<CheckerResults>";
    for (int i = 0; i != 200'000; ++i) deep += "<a>";
    CHECK_FALSE(report_error([&] { static_cast<void>(parse_check_report(deep)); }).empty());
    std::string many = "<CheckerResults><CheckerBundle><Checker>";
    for (int i = 0; i != 1000; ++i) many += "<Issue description=\"" + std::string(5000, 'x') + "\"/>";
    many += "</Checker></CheckerBundle></CheckerResults>";
    const auto report = parse_check_report(many, {.most_findings = 10});
    CHECK(report.findings.size() == 10);
    CHECK(report.left_out == 990);
    CHECK(report.findings.front().message.size() == 4096);
}

TEST_CASE("a file of a report names itself in errors, and has a limit")
{
    const ScratchFolder scratch;
    const auto file = scratch / "findings.xqar";
    std::ofstream(file) << foreign_report;
    CHECK(read_check_report(file).findings.size() == 5);
    CHECK(report_error([&] { static_cast<void>(read_check_report(file, {.most_bytes = 100})); }) ==
          file.string() + ": the report exceeds the limit of 100 bytes");
    CHECK(report_error([&] {
              static_cast<void>(read_check_report(scratch / "missing.xqar"));
          }).starts_with((scratch / "missing.xqar").string() + ": "));
    CHECK_FALSE(report_error([&] { static_cast<void>(read_check_report("/dev/zero")); }).empty());
}
