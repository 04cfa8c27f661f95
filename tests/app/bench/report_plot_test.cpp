// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/report_plot.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

using namespace ositrace;
using namespace ositrace::bench;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string box_plot(std::vector<double> samples, Points points = Points::none)
{
    app::XmlWriter xml;
    put_box_plot(xml, {"round", 1, "frame", Clock::thread, {{"a", "what", Role::ours, 0, std::move(samples)}}}, points);
    return xml.document();
}

std::string bar_plot(const std::vector<Bar>& bars)
{
    app::XmlWriter xml;
    put_bars(xml, bars, "bars");
    return xml.document();
}

std::string line_plot(std::vector<Chart::Series> series)
{
    const auto text = [](double value) { return std::to_string(static_cast<int>(value)); };
    app::XmlWriter xml;
    put_lines(xml, {"Hz", "%", text, {1000, 10'000, 100'000}, std::move(series)});
    return xml.document();
}

std::size_t count(std::string_view what, std::string_view text)
{
    std::size_t found = 0;
    for (auto at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++found;
    return found;
}

}  // namespace

TEST_CASE("a slow outlier is drawn at the right edge and does not move the others")
{
    const auto plain = box_plot({100, 110, 120, 130, 190}), outlier = box_plot({100, 110, 120, 130, 1e6});
    const std::string median = "class=\"median\" x1=\"391.1\"";  // 120 of 195.7 on 600 pixels right of the name
    CHECK_THAT(plain, ContainsSubstring(median) && ContainsSubstring("x2=\"605.7\""));
    CHECK_THAT(outlier, ContainsSubstring(median) && ContainsSubstring("x2=\"623.2\""));
}

TEST_CASE("samples are points of a box plot only where asked for")
{
    CHECK(count("<circle", box_plot({1, 2, 3}, Points::samples)) == 3);
    CHECK(count("<circle", box_plot({1, 2, 3}, Points::none)) == 0);
}

TEST_CASE("a box without width can be seen") { CHECK_THAT(box_plot({5, 5, 5}), ContainsSubstring("width=\"1.5\"")); }

TEST_CASE("pictures of zeros have numbers only")
{
    for (const auto& picture : {box_plot({0, 0, 0}, Points::samples), bar_plot({{"a", Role::ours, 0, "0"}}),
                                line_plot({{"a", Role::ours, {0, 0, 0}}})}) {
        CHECK_THAT(picture, !ContainsSubstring("nan") && !ContainsSubstring("inf"));
        CHECK_THAT(picture, ContainsSubstring("class=\"ours\""));
    }
}

TEST_CASE("bars are as long as their values, the longest value or quartile is the width")
{
    const auto bars = bar_plot({{"a", Role::ours, 4, "4 us"}, {"b", Role::naive, 2, "2 us", 1, 8}});
    CHECK_THAT(bars, ContainsSubstring("width=\"210.0\"") && ContainsSubstring("width=\"105.0\""));
    CHECK(count("class=\"spread\"", bars) == 1);
    CHECK_THAT(bars, ContainsSubstring("x1=\"52.5\"") && ContainsSubstring("x2=\"420.0\""));
    CHECK_THAT(bars, ContainsSubstring("viewBox=\"0 0 420.0 72.0\""));
}

TEST_CASE("names in pictures are text, not markup")
{
    CHECK_THAT(bar_plot({{"a < b & c", Role::other, 1, "1"}}), ContainsSubstring(">a &lt; b &amp; c</text>"));
}

TEST_CASE("lines lie over a logarithmic axis from 0")
{
    CHECK_THAT(line_plot({{"a", Role::ours, {0, 50, 100}}}),
               ContainsSubstring("points=\"56.0,308.0 336.0,162.4 616.0,16.7\""));
}

TEST_CASE("lines with names are drawn over the others, and names at one place are moved apart")
{
    const auto lines = line_plot(
        {{"first", Role::ours, {0, 0, 50}}, {"second", Role::naive, {0, 0, 50}}, {"hidden", Role::other, {0, 0, 100}}});
    CHECK(lines.find("<title>hidden") < lines.find("<title>first"));
    CHECK(count("hidden", lines) == 1);  // its line is not named
    CHECK_THAT(lines, ContainsSubstring("y=\"166.4\" text-anchor=\"start\">first"));
    CHECK_THAT(lines, ContainsSubstring("y=\"181.4\" text-anchor=\"start\">second"));
}
