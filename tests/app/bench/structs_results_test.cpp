// SPDX-License-Identifier: MPL-2.0
#include "app/bench/structs/structs_results.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ositrace;
using namespace ositrace::bench;

namespace {

constexpr const char* reference = "memcpy, the reference";

/// A round of one struct with one time per row, in nanoseconds.
RoundResult times_of(const std::vector<std::pair<const char*, double>>& rows)
{
    RoundResult round{"", 1, "struct", Clock::thread, {}};
    for (const auto& [name, time] : rows) round.timings.push_back({name, "", Role::other, 0, {time}});
    return round;
}

/// Runs of 100 structs with these losses.
std::shared_ptr<PacedSeries> losing(double frequency, std::string_view name, const std::vector<std::size_t>& losses)
{
    auto series = std::make_shared<PacedSeries>(frequency, name);
    for (const auto lost : losses)
        series->runs.push_back({.user = 10, .system = 5, .elapsed = 100, .due = 100, .sent = 100, .lost = lost});
    return series;
}

using Cells = std::vector<std::string>;

/// The row of a conclusion, and the one below.
std::pair<Cells, Cells> conclusion(const StructsResults& results, const std::string& name)
{
    const auto rows = structs_conclusions(results).rows;
    const auto found = std::ranges::find_if(rows, [&](const Cells& cells) { return cells.front() == name; });
    REQUIRE(rows.end() - found > 1);
    return {found[0], found[1]};
}

const std::string equal_work = "... with equal work: text or bytes are written and parsed";

}  // namespace

TEST_CASE("processor time and rate are those of all runs, quantiles those of single ones")
{
    const PacedSeries series{1000,
                             "row",
                             {{.user = 10, .system = 5, .elapsed = 100, .due = 10, .sent = 10, .lost = 1},
                              {.user = 0, .system = 0, .elapsed = 300, .due = 10, .sent = 10, .lost = 4}}};
    CHECK(series.user() == 2.5);
    CHECK(series.system() == 1.25);
    CHECK(series.processor() == 3.75);
    CHECK(series.reached() == 50e6);
    CHECK(series.lost(0) == 10);
    CHECK(series.lost(0.5) == 25);
    CHECK(series.lost(1) == 40);
    CHECK(series.processor(0) == 0);
    CHECK(series.processor(1) == 15);
}

TEST_CASE("a series is found by frequency and row, but not without runs")
{
    const StructsResults results{
        {}, {}, {}, {losing(1000, "a", {1}), losing(2000, "a", {2}), std::make_shared<PacedSeries>(1000, "b")}};
    REQUIRE(results.at(2000, "a") != nullptr);
    CHECK(results.at(2000, "a")->lost(0.5) == 2);
    CHECK(results.at(3000, "a") == nullptr);
    CHECK(results.at(1000, "b") == nullptr);
}

TEST_CASE("no published conclusion holds or fails if nothing was measured")
{
    const auto table = structs_conclusions({});
    REQUIRE(table.rows.size() > 40);
    for (std::size_t i = 1; i < table.rows.size(); ++i) {
        INFO(table.rows[i][0]);
        CHECK(table.rows[i].back() == "was not comparable");
    }
}

TEST_CASE("times are compared as published, without the reference, and again with equal work")
{
    StructsResults results;
    results.together = times_of({{reference, 1000},
                                 {"json-c objects, map", 6000},
                                 {"json-c objects, array", 2800},
                                 {"json-c, map", 9000},
                                 {"json-c, array", 11'000}});
    const auto [as_published, equal] = conclusion(results, "arrays are faster than maps: json-c");
    CHECK(as_published == Cells{"arrays are faster than maps: json-c", "0.36", "0.36", "holds"});
    CHECK(equal == Cells{equal_work, "0.36", "1.25", "does not hold"});
}

TEST_CASE("a time that is not above the reference cannot be compared with")
{
    StructsResults results;
    results.together = times_of({{reference, 1000}, {"XDR", 1400}, {"Protobuf, protobuf-c", 1000}});
    CHECK(conclusion(results, "XDR is the fastest: beside Protobuf").first[3] == "was not comparable");
    results.together.timings.back().samples = {3000};
    CHECK(conclusion(results, "XDR is the fastest: beside Protobuf").first[2] == "0.20");
}

TEST_CASE("structs are lost if they are more than the reference lost in any run")
{
    constexpr double frequency = 100'000;
    const StructsResults results{
        {},
        {},
        {},
        {losing(frequency, reference, {0, 1, 2}), losing(frequency, "json-c objects, map", {3}),
         losing(frequency, "json-c, map", {2}), losing(frequency, "XDR", {2})}};
    const auto [as_published, equal] = conclusion(results, "every 10 us, lost: json-c, map");
    CHECK(as_published == Cells{"every 10 us, lost: json-c, map", "10 %", "3.0 % (0.0 .. 2.0)", "holds"});
    CHECK(equal == Cells{equal_work, "10 %", "2.0 % (0.0 .. 2.0)", "does not hold"});
    CHECK(conclusion(results, "every 10 us, lost: XDR").first.back() == "holds");  // none, as published
}

TEST_CASE("the curve of processor time has a column per frequency, and no row with gaps")
{
    const StructsResults results{
        {}, {}, {}, {losing(2000, "ositrace", {0}), losing(1000, "ositrace", {0}), losing(1000, reference, {0})}};
    const auto table = processor_curve(results);
    CHECK(table.rows == std::vector<Cells>{{"", "1 kHz, 1000 us", "2 kHz, 500 us"}, {"ositrace", "15.0", "15.0"}});
    REQUIRE(table.chart);
    CHECK(table.chart->at == std::vector<double>{1000, 2000});
    REQUIRE(table.chart->series.size() == 1);
    CHECK(table.chart->series[0].name == "ositrace");
}

TEST_CASE("the headline takes strings where json-c is missing, and shows what can be parsed elsewhere as bars")
{
    StructsResults results;
    results.together = times_of({{"ositrace", 100},
                                 {"Protobuf", 200},
                                 {"FlatBuffers, verified", 300},
                                 {"strings, map", 4000},
                                 {"CBOR items, map", 50}});
    results.parsing = times_of({{"ositrace", 40}, {"strings, map", 3000}});
    const auto conclusions = structs_conclusions({});
    auto headline = structs_headline(results, conclusions);
    CHECK(headline.sentence ==
          "Choose a binary format: a struct takes 100 ns with ositrace, 200 ns with libprotobuf and 300 ns as verified "
          "FlatBuffers, but 4.00 us as JSON (strings, map).");
    REQUIRE(headline.bars.size() == 2);
    CHECK(headline.bars[1].name == "strings, map");
    CHECK(headline.bars[1].value == 4000);
    CHECK(headline.advice.back() == "Read the published report with care: 0 of its conclusions hold here, 0 do not.");

    results.together.timings.push_back({"json-c, map", "", Role::other, 0, {5000}});
    headline = structs_headline(results, conclusions);
    CHECK(headline.sentence.ends_with("but 5.00 us as JSON (json-c, map)."));
}
