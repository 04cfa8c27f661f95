// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <ranges>
#include <string>

#include "app/bench/core/report.hpp"
#include "app/bench/core/report_plot.hpp"
#include "app/bench/core/report_table.hpp"
#include "app/terminal/xml.hpp"

namespace ositrace::bench {
namespace {

constexpr std::string_view page_head = "<!DOCTYPE html>";
constexpr std::string_view generator = "osiplay bench";

// Contains nothing that XML would have to escape: in HTML a style sheet is raw text.
constexpr std::string_view style = R"(
:root { color-scheme: light dark; --back: #f6f6f4; --text: #1c1d1f; --soft: #5c5f64; --rule: #dcdddf; --card: #ffffff;
  --ours: #0a62b4; --naive: #b54c12; --yardstick: #7c7f84; --other: #8d9096; }
@media (prefers-color-scheme: dark) {
  :root { --back: #16181b; --text: #e6e7e9; --soft: #a4a8ae; --rule: #34373c; --card: #1d2024;
    --ours: #5aa9f0; --naive: #ec8d52; --yardstick: #90949a; --other: #767a80; } }
body { background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif;
  max-width: 68rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.05rem; font-weight: 500; color: var(--soft); margin: 0 0 .4rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 0 0 .3rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .1rem; }
code { font: .93em ui-monospace, monospace; }
p { margin: .35rem 0; overflow-wrap: anywhere; }
ul { margin: .3rem 0; padding-left: 1.2rem; } li { margin: .3rem 0; }
.answer { font-size: 1.45rem; line-height: 1.3; font-weight: 600; margin: 0 0 1rem; }
.soft { color: var(--soft); font-size: .88rem; }
section { background: var(--card); border: 1px solid var(--rule); border-radius: 8px;
  padding: 1.1rem 1.3rem; margin: 1.2rem 0; }
section.first { padding: 1.4rem 1.5rem; }
.pair { display: flex; flex-wrap: wrap; gap: .4rem 2.2rem; align-items: flex-start; margin: .5rem 0; }
.pair figure { flex: 1 1 20rem; margin: 0; min-width: 0; max-width: 32rem; }
.pair div { flex: 1 1 22rem; min-width: 0; }
figcaption { color: var(--soft); font-size: .88rem; margin-bottom: .3rem; }
.wide { overflow-x: auto; }
svg { width: 100%; height: auto; display: block; font: 12.5px system-ui, sans-serif; }
.wide svg { min-width: 40rem; margin: .6rem 0 .4rem; }
svg text { fill: var(--text); } svg .tick { fill: var(--soft); font-size: 11px; }
svg .value { font-variant-numeric: tabular-nums; font-weight: 600; }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg g { --hue: var(--other); } svg g.ours { --hue: var(--ours); } svg g.naive { --hue: var(--naive); }
svg g.yardstick { --hue: var(--yardstick); }
svg g.ours .name { fill: var(--ours); font-weight: 600; }
svg rect { fill: var(--hue); fill-opacity: .28; stroke: var(--hue); }
svg .bar { fill-opacity: 1; stroke: none; } svg g.yardstick .bar { fill-opacity: .35; stroke: var(--hue); }
svg .line { fill: none; stroke: var(--hue); stroke-width: 1; }
svg .ours .line, svg .naive .line, svg .yardstick .line { stroke-width: 2.5; }
svg .whisker { stroke: var(--hue); stroke-width: 1.2; } svg .spread { stroke: var(--text); stroke-width: 1.2; }
svg .median { stroke: var(--hue); stroke-width: 3; } svg circle { fill: var(--hue); fill-opacity: .55; }
details { margin-top: .7rem; } summary { color: var(--soft); font-size: .88rem; cursor: pointer; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: .2rem; }
th, td { text-align: right; padding: .25rem .5rem; border-top: 1px solid var(--rule); white-space: nowrap;
  font-weight: 400; }
thead th { color: var(--soft); font-weight: 500; border-top: 0; vertical-align: bottom;
  white-space: normal; }
th:first-child, th.word, td.word { text-align: left; white-space: normal; }
small { display: block; color: var(--soft); font-weight: 400; white-space: normal; max-width: 26rem; }
tr.ours th:first-child { color: var(--ours); font-weight: 600; }
tr.other, tr.naive, tr.yardstick { color: var(--soft); }
b { color: var(--text); font-weight: 700; }
@media (max-width: 40rem) {
  body { margin: .8rem auto; padding: 0 .5rem; } section { padding: .8rem; } section.first { padding: .8rem; }
  .answer { font-size: 1.2rem; } th, td { padding: .25rem .3rem; } table { font-size: .82rem; }
  small { max-width: 11rem; } th.word, td.word { min-width: 4.5rem; } th:first-child { min-width: 7rem; } }
@media print {
  :root { font-size: 11px; color-scheme: light; --back: #ffffff; --text: #000000; --soft: #4a4d52; --rule: #c8c9cb;
    --card: #ffffff;
    --ours: #0a62b4; --naive: #b54c12; --yardstick: #7c7f84; --other: #8d9096; }
  body { font-size: 11px; margin: 0; padding: 0; max-width: none; print-color-adjust: exact; }
  section { border: 0; padding: 0; margin: 0 0 1.2rem; } section.first { padding: 0; }
  .pair { display: flex; gap: 1rem; } .pair figure { flex: 1 1 15rem; max-width: 20rem; }
  .pair div { flex: 1 1 18rem; } .answer { font-size: 16px; } .wide { overflow-x: visible; }
  .pair, tr { break-inside: avoid; } h2, h3 { break-after: avoid; } table { font-size: 9px; }
  th, td { padding: .1rem .25rem; white-space: normal; } .wide svg { min-width: 0; } details { display: none; } }
@page { size: A4; margin: 14mm; }
)";

void put_element(app::XmlWriter& xml, std::string_view name, std::string_view text, std::string_view of_class = {})
{
    xml.begin(name);
    if (!of_class.empty()) xml.attribute("class", of_class);
    xml.text(text).end();
}

/// A box that scrolls: content that does not fit into the window must not widen the page.
void begin_wide(app::XmlWriter& xml) { xml.begin("div").attribute("class", "wide"); }

using Cells = std::vector<std::vector<std::string>>;

/// Begins a table with its titles: the first column is that of the names.
void begin_table(app::XmlWriter& xml, std::string_view caption, const Cells& rows, const std::vector<bool>& words)
{
    begin_wide(xml);
    xml.begin("table");
    if (!caption.empty()) put_element(xml, "caption", caption);
    xml.begin("thead").begin("tr");
    for (std::size_t i = 0; i < rows[0].size(); ++i) {
        xml.begin("th").attribute("scope", "col");
        if (words[i]) xml.attribute("class", "word");
        xml.text(rows[0][i]).end();
    }
    xml.end().end();
    xml.begin("tbody");
}

void end_table(app::XmlWriter& xml) { xml.end().end().end(); }

/// The name of a row, which its other cells belong to; with a remark below it.
void put_row_title(app::XmlWriter& xml, std::string_view title, std::string_view remark = {})
{
    xml.begin("th").attribute("scope", "row").text(title);
    if (!remark.empty()) put_element(xml, "small", remark);
    xml.end();
}

/// The fastest that solves the task; null if there is only one.
const Timing* best_of(const RoundResult& round)
{
    const Timing* best = nullptr;
    std::size_t candidates = 0;
    for (const auto& timing : round.timings) {
        if (timing.role == Role::yardstick) continue;
        ++candidates;
        if (best == nullptr || timing.median() < best->median()) best = &timing;
    }
    return candidates > 1 ? best : nullptr;
}

void put_table(app::XmlWriter& xml, const RoundResult& round, Columns columns)
{
    const auto rows = cells_of(round, columns);
    const auto* const best = best_of(round);
    begin_table(xml, columns == Columns::all ? "all figures" : "", rows, std::vector<bool>(rows[0].size()));
    for (std::size_t i = 0; i < round.timings.size(); ++i) {
        const auto& timing = round.timings[i];
        xml.begin("tr").attribute("class", name_of(timing.role));
        put_row_title(xml, rows[i + 1][0], columns == Columns::all ? timing.what : "");
        for (std::size_t cell = 1; cell < rows[i + 1].size(); ++cell) {
            xml.begin("td");
            if (&timing == best && cell == 1)
                put_element(xml, "b", rows[i + 1][cell]);
            else
                xml.text(rows[i + 1][cell]);
            xml.end();
        }
        xml.end();
    }
    end_table(xml);
}

std::vector<Bar> bars_of(const RoundResult& round)
{
    std::vector<Bar> bars;
    const auto things = static_cast<double>(round.things);
    for (const auto& timing : round.timings)
        bars.push_back({timing.name, timing.role, timing.median() / things, time_text(timing.median() / things),
                        timing.quantile(0.25) / things, timing.quantile(0.75) / things});
    return bars;
}

void put_round(app::XmlWriter& xml, const RoundResult& round, Points points)
{
    xml.begin("div").attribute("class", "pair");
    xml.begin("figure");
    put_element(xml, "figcaption",
                "time of a " + round.thing + ", " + std::string(name_of(round.clock)) + "; median, line: quartiles");
    put_bars(xml, bars_of(round), round.name);
    xml.end();
    xml.begin("div");
    put_table(xml, round, Columns::few);
    xml.end().end();
    xml.begin("details");
    put_element(xml, "summary", "Samples, quartiles and what each row is");
    begin_wide(xml);
    put_box_plot(xml, round, points);
    xml.end();
    put_table(xml, round, Columns::all);
    xml.end();
}

/// The page stays below 1 MB: with so many samples boxes alone are drawn.
Points points_of(const std::vector<RoundResult>& rounds)
{
    constexpr std::size_t most_samples = 4000;
    std::size_t samples = 0;
    for (const auto& round : rounds)
        for (const auto& timing : round.timings) samples += timing.samples.size();
    return samples <= most_samples ? Points::samples : Points::none;
}

/// Rounds that answer the same question share a section.
void put_rounds(app::XmlWriter& xml, const std::vector<RoundResult>& rounds)
{
    const auto points = points_of(rounds);
    for (std::size_t i = 0; i < rounds.size();) {
        const auto& question = rounds[i].question;
        xml.begin("section");
        put_element(xml, "h2", question.empty() ? rounds[i].name : question);
        do {
            if (!question.empty()) put_element(xml, "h3", rounds[i].name);
            put_round(xml, rounds[i++], points);
        } while (i < rounds.size() && !question.empty() && rounds[i].question == question);
        xml.end();
    }
}

void put_extra_table(app::XmlWriter& xml, const Table& table)
{
    xml.begin("section");
    put_element(xml, "h2", table.name);
    for (const auto& note : table.notes) put_element(xml, "p", note, "soft");
    if (table.chart) {
        begin_wide(xml);
        put_lines(xml, *table.chart);
        xml.end();
    }
    const auto words = columns_of_words(table.rows);
    begin_table(xml, "", table.rows, words);
    for (const auto& row : table.rows | std::views::drop(1)) {
        xml.begin("tr");
        put_row_title(xml, row.front());
        for (std::size_t i = 1; i < row.size(); ++i) put_element(xml, "td", row[i], words[i] ? "word" : "");
        xml.end();
    }
    end_table(xml);
    xml.end();
}

/// The first screen: the answer, the times that it rests on, and what to do.
void put_headline(app::XmlWriter& xml, const Headline& headline)
{
    xml.begin("section").attribute("class", "first");
    put_element(xml, "p", headline.sentence, "answer");
    xml.begin("div").attribute("class", "pair");
    xml.begin("figure");
    put_element(xml, "figcaption", headline.chart);
    put_bars(xml, headline.bars, headline.chart);
    xml.end();
    xml.begin("div");
    put_element(xml, "h2", "What to do");
    xml.begin("ul");
    for (const auto& advice : headline.advice) put_element(xml, "li", advice);
    xml.end().end().end().end();
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
    xml.begin("body").begin("main");
    put_element(xml, "h1", report.title);
    if (report.headline) put_headline(xml, *report.headline);
    for (const auto& table : report.tables | std::views::reverse) put_extra_table(xml, table);
    put_rounds(xml, report.rounds);
    put_conditions(xml, report);
    xml.end().end().end();
    const auto document = xml.document();
    return std::string(page_head) +
           document.substr(document.find('\n'));  // an XML declaration would put browsers into quirks mode
}

bool begins_as_page(std::string_view text) noexcept
{
    return text.starts_with(page_head) && text.find(generator) != std::string_view::npos;
}

}  // namespace ositrace::bench
