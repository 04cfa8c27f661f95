// SPDX-License-Identifier: MPL-2.0
#include <ranges>

#include "app/bench/core/box_plot.hpp"
#include "app/bench/core/report.hpp"
#include "app/bench/core/report_table.hpp"
#include "app/terminal/xml.hpp"

namespace ositrace::bench {
namespace {

constexpr std::string_view page_head = "<!DOCTYPE html>";
constexpr std::string_view generator = "osiplay bench";

// Nothing in it that XML would have to escape: in HTML a style sheet is raw text.
constexpr std::string_view style = R"(
:root { color-scheme: light dark; --back: #fcfcfb; --text: #1c1d1f; --soft: #63666b; --rule: #dcdddf; --card: #ffffff;
  --ours: #0a6cc4; --naive: #c2571a; --yardstick: #85888d; --other: #7a5bb0; }
@media (prefers-color-scheme: dark) { :root { --back: #16181b; --text: #e6e7e9; --soft: #9da1a7; --rule: #34373c; --card: #1d2024;
  --ours: #5aa9f0; --naive: #ec8d52; --yardstick: #90949a; --other: #b094e0; } }
body { background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; max-width: 66rem; margin: 2.5rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.55rem; line-height: 1.25; margin: 0 0 .6rem; }
h2 { font-size: 1.12rem; margin: 0 0 .2rem; }
code { font: .93em ui-monospace, monospace; background: var(--card); border: 1px solid var(--rule); border-radius: 4px; padding: .1em .35em; }
p { margin: .35rem 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); font-size: .88rem; }
section { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 1.1rem 1.3rem; margin: 1.4rem 0; }
.wide { overflow-x: auto; }
svg { width: 100%; min-width: 40rem; height: auto; display: block; margin: .6rem 0 .4rem; font: 12.5px system-ui, sans-serif; }
svg text { fill: var(--text); } svg .tick { fill: var(--soft); font-size: 11px; } svg .value { font-variant-numeric: tabular-nums; font-weight: 600; }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg g { --hue: var(--other); } svg g.ours { --hue: var(--ours); } svg g.naive { --hue: var(--naive); } svg g.yardstick { --hue: var(--yardstick); }
svg rect { fill: var(--hue); fill-opacity: .28; stroke: var(--hue); } svg .whisker { stroke: var(--hue); stroke-width: 1.2; }
svg .median { stroke: var(--hue); stroke-width: 3; } svg circle { fill: var(--hue); fill-opacity: .55; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .3rem .6rem; border-top: 1px solid var(--rule); white-space: nowrap; }
th { color: var(--soft); font-weight: 500; border-top: 0; } th:first-child, td:first-child { text-align: left; }
td small { display: block; color: var(--soft); font-weight: 400; white-space: normal; max-width: 26rem; }
table.words th, table.words td { text-align: left; white-space: normal; }
tr.ours td:first-child { color: var(--ours); font-weight: 600; }
@media (max-width: 40rem) { body { margin: 1.2rem auto; padding: 0 .6rem; } section { padding: .8rem; } th, td { padding: .3rem .45rem; }
  td small { max-width: 11rem; } table.words td { min-width: 4.5rem; } table.words td:first-child { min-width: 11rem; } }
)";

void put_element(app::XmlWriter& xml, std::string_view name, std::string_view text, std::string_view of_class = {})
{
    xml.begin(name);
    if (!of_class.empty()) xml.attribute("class", of_class);
    xml.text(text).end();
}

/// In a box that scrolls: what does not fit the window must not widen the page.
void begin_wide(app::XmlWriter& xml) { xml.begin("div").attribute("class", "wide"); }

void put_table(app::XmlWriter& xml, const RoundResult& round)
{
    const auto rows = cells_of(round);
    begin_wide(xml);
    xml.begin("table").begin("tr");
    for (const auto& title : rows.front()) put_element(xml, "th", title);
    xml.end();
    for (std::size_t i = 0; i < round.timings.size(); ++i) {
        xml.begin("tr").attribute("class", name_of(round.timings[i].role));
        xml.begin("td").text(rows[i + 1].front());
        put_element(xml, "small", round.timings[i].what);
        xml.end();
        for (std::size_t cell = 1; cell < rows[i + 1].size(); ++cell) put_element(xml, "td", rows[i + 1][cell]);
        xml.end();
    }
    xml.end().end();
}

void put_round(app::XmlWriter& xml, const RoundResult& round)
{
    xml.begin("section");
    put_element(xml, "h2", round.name);
    put_element(
        xml, "p",
        std::string(name_of(round.clock)) + "; box: quartiles, bar: median, line: minimum to maximum, points: samples",
        "soft");
    begin_wide(xml);
    put_box_plot(xml, round);
    xml.end();
    put_table(xml, round);
    xml.end();
}

void put_row(app::XmlWriter& xml, std::string_view cell, const std::vector<std::string>& row)
{
    xml.begin("tr");
    for (const auto& text : row) put_element(xml, cell, text);
    xml.end();
}

void put_extra_table(app::XmlWriter& xml, const Table& table)
{
    xml.begin("section");
    put_element(xml, "h2", table.name);
    for (const auto& note : table.notes) put_element(xml, "p", note, "soft");
    begin_wide(xml);
    xml.begin("table").attribute("class", "words");
    for (std::size_t i = 0; i < table.rows.size(); ++i) put_row(xml, i == 0 ? "th" : "td", table.rows[i]);
    xml.end().end().end();
}

void put_conditions(app::XmlWriter& xml, const Report& report)
{
    xml.begin("section");
    put_element(xml, "h2", conditions_title);
    for (const auto& line : conditions_of(report)) put_element(xml, "p", line);
    xml.begin("p");
    put_element(xml, "code", report.command);
    xml.end().end();
}

void put_head(app::XmlWriter& xml, const Report& report)
{
    xml.begin("head");
    xml.begin("meta").attribute("charset", "utf-8").end();
    xml.begin("meta").attribute("name", "generator").attribute("content", generator).end();
    xml.begin("meta").attribute("name", "viewport").attribute("content", "width=device-width, initial-scale=1").end();
    put_element(xml, "title", report.title);
    put_element(xml, "style", style);
    xml.end();
}

}  // namespace

std::string html_of(const Report& report)
{
    app::XmlWriter xml;
    xml.begin("html").attribute("lang", "en");
    put_head(xml, report);
    xml.begin("body");
    put_element(xml, "h1", report.title);
    for (const auto& table : report.tables | std::views::reverse) put_extra_table(xml, table);
    for (const auto& round : report.rounds) put_round(xml, round);
    put_conditions(xml, report);
    xml.end().end();
    const auto document = xml.document();
    return std::string(page_head) +
           document.substr(document.find('\n'));  // an XML declaration would put browsers into quirks mode
}

bool begins_as_page(std::string_view text) noexcept
{
    return text.starts_with(page_head) && text.find(generator) != std::string_view::npos;
}

}  // namespace ositrace::bench
