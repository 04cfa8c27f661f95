// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ranges>

#include "app/bench/core/report.hpp"
#include "app/bench/core/report_table.hpp"
#include "app/bench/core/round.hpp"
#include "app/terminal/xml.hpp"

namespace ositrace::bench {
namespace {

constexpr double plot_width = 600, value_width = 90, line_height = 34, box_height = 16, top = 8, axis_height = 30;

std::string number(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}

/// The width of the longest name: an estimate, because the font of the page is unknown.
double label_width_of(const RoundResult& round)
{
    constexpr double character_width = 7.2, gap = 16;
    std::size_t longest = 0;
    for (const auto& timing : round.timings) longest = std::max(longest, timing.name.size());
    return character_width * static_cast<double>(longest) + gap;
}

/// The end of the axis. One slow outlier must not compress everything else at the left edge: it is drawn at the right
/// edge.
double axis_end(const RoundResult& round)
{
    double end = 0;
    for (const auto& timing : round.timings) {
        const double q3 = timing.quantile(0.75);
        end = std::max(end, std::min(timing.quantile(1), q3 + 3 * (q3 - timing.quantile(0.25))));
    }
    return end > 0 ? end * 1.03 : 1;
}

/// 1, 2 or 5 times a power of ten, so that the axis has four to nine steps.
double tick_step(double end)
{
    const double power = std::pow(10, std::floor(std::log10(end / 4)));
    for (const double factor : {5.0, 2.0})
        if (factor * power <= end / 4) return factor * power;
    return power;
}

class Plot {
public:
    Plot(app::XmlWriter& xml, const RoundResult& round)
        : xml_(xml), round_(round), end_(axis_end(round)), label_width_(label_width_of(round))
    {
    }
    void put();

private:
    [[nodiscard]] double x(double time) const { return label_width_ + plot_width * std::min(time / end_, 1.0); }
    [[nodiscard]] double whole_width() const { return label_width_ + plot_width + value_width; }
    [[nodiscard]] double axis_y() const { return top + line_height * static_cast<double>(round_.timings.size()); }
    void line(const char* of_class, double x1, double y1, double x2, double y2);
    void label(const char* of_class, double x, double y, const char* anchor, std::string_view text);
    void axis();
    void variant(const Timing& timing, double y);

    app::XmlWriter& xml_;
    const RoundResult& round_;
    double end_;
    double label_width_;
};

void Plot::line(const char* of_class, double x1, double y1, double x2, double y2)
{
    xml_.begin("line").attribute("class", of_class).attribute("x1", number(x1)).attribute("y1", number(y1));
    xml_.attribute("x2", number(x2)).attribute("y2", number(y2)).end();
}

void Plot::label(const char* of_class, double x, double y, const char* anchor, std::string_view text)
{
    xml_.begin("text")
        .attribute("class", of_class)
        .attribute("x", number(x))
        .attribute("y", number(y))
        .attribute("text-anchor", anchor);
    xml_.text(text).end();
}

void Plot::axis()
{
    const double step = tick_step(end_);
    for (int i = 0; i * step <= end_; ++i) {
        line("grid", x(i * step), top, x(i * step), axis_y());
        label("tick", x(i * step), axis_y() + 18, "middle", i == 0 ? "0" : time_text(i * step));
    }
}

void Plot::variant(const Timing& timing, double y)
{
    const auto role = std::string(name_of(timing.role));
    label("name", label_width_ - 12, y + 4, "end", timing.name);
    xml_.begin("g").attribute("class", role);
    xml_.begin("title").text(timing.what).end();
    line("whisker", x(timing.quantile(0)), y, x(timing.quantile(1)), y);
    const double left = x(timing.quantile(0.25)), right = x(timing.quantile(0.75));
    xml_.begin("rect").attribute("x", number(left)).attribute("y", number(y - box_height / 2));
    xml_.attribute("width", number(std::max(right - left, 1.5)))
        .attribute("height", number(box_height))
        .attribute("rx", "2")
        .end();
    for (const double sample : timing.samples)
        xml_.begin("circle").attribute("cx", number(x(sample))).attribute("cy", number(y)).attribute("r", "1.8").end();
    line("median", x(timing.median()), y - box_height / 2 - 2, x(timing.median()), y + box_height / 2 + 2);
    xml_.end();
    label("value", whole_width() - 4, y + 4, "end", time_text(timing.median()));
}

void Plot::put()
{
    const auto height = number(axis_y() + axis_height);
    xml_.begin("svg")
        .attribute("xmlns", "http://www.w3.org/2000/svg")
        .attribute("viewBox", "0 0 " + number(whole_width()) + ' ' + height);
    xml_.attribute("role", "img").attribute("aria-label", round_.name);
    axis();
    double y = top + line_height / 2;
    for (const auto& timing : round_.timings) {
        variant(timing, y);
        y += line_height;
    }
    xml_.end();
}

/// A round as an <svg>: a line per variant with all its samples as points, a box from quartile to quartile, a bar at
/// the median and whiskers to the minimum and the maximum, on one time axis from 0. Colours come from the page's style
/// sheet by class: the roles' names.
void put_box_plot(app::XmlWriter& xml, const RoundResult& round) { Plot(xml, round).put(); }

constexpr std::string_view page_head = "<!DOCTYPE html>";
constexpr std::string_view generator = "osiplay bench";

// Contains nothing that XML would have to escape: in HTML a style sheet is raw text.
constexpr std::string_view style = R"(
:root { color-scheme: light dark; --back: #fcfcfb; --text: #1c1d1f; --soft: #63666b; --rule: #dcdddf; --card: #ffffff;
  --ours: #0a6cc4; --naive: #c2571a; --yardstick: #85888d; --other: #7a5bb0; }
@media (prefers-color-scheme: dark) {
  :root { --back: #16181b; --text: #e6e7e9; --soft: #9da1a7; --rule: #34373c; --card: #1d2024;
    --ours: #5aa9f0; --naive: #ec8d52; --yardstick: #90949a; --other: #b094e0; } }
body { background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif;
  max-width: 66rem; margin: 2.5rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.55rem; line-height: 1.25; margin: 0 0 .6rem; }
h2 { font-size: 1.12rem; margin: 0 0 .2rem; }
code { font: .93em ui-monospace, monospace; background: var(--card); border: 1px solid var(--rule); border-radius: 4px;
  padding: .1em .35em; }
p { margin: .35rem 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); font-size: .88rem; }
section { background: var(--card); border: 1px solid var(--rule); border-radius: 8px;
  padding: 1.1rem 1.3rem; margin: 1.4rem 0; }
.wide { overflow-x: auto; }
svg { width: 100%; min-width: 40rem; height: auto; display: block; margin: .6rem 0 .4rem;
  font: 12.5px system-ui, sans-serif; }
svg text { fill: var(--text); } svg .tick { fill: var(--soft); font-size: 11px; }
svg .value { font-variant-numeric: tabular-nums; font-weight: 600; }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg g { --hue: var(--other); } svg g.ours { --hue: var(--ours); } svg g.naive { --hue: var(--naive); }
svg g.yardstick { --hue: var(--yardstick); }
svg rect { fill: var(--hue); fill-opacity: .28; stroke: var(--hue); }
svg .whisker { stroke: var(--hue); stroke-width: 1.2; }
svg .median { stroke: var(--hue); stroke-width: 3; } svg circle { fill: var(--hue); fill-opacity: .55; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .3rem .6rem; border-top: 1px solid var(--rule); white-space: nowrap; }
th { color: var(--soft); font-weight: 500; border-top: 0; } th:first-child, td:first-child { text-align: left; }
td small { display: block; color: var(--soft); font-weight: 400; white-space: normal; max-width: 26rem; }
table.words th, table.words td { text-align: left; white-space: normal; }
tr.ours td:first-child { color: var(--ours); font-weight: 600; }
@media (max-width: 40rem) {
  body { margin: 1.2rem auto; padding: 0 .6rem; } section { padding: .8rem; } th, td { padding: .3rem .45rem; }
  td small { max-width: 11rem; } table.words td { min-width: 4.5rem; }
  table.words td:first-child { min-width: 11rem; } }
)";

void put_element(app::XmlWriter& xml, std::string_view name, std::string_view text, std::string_view of_class = {})
{
    xml.begin(name);
    if (!of_class.empty()) xml.attribute("class", of_class);
    xml.text(text).end();
}

/// A box that scrolls: content that does not fit into the window must not widen the page.
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
