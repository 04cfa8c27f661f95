// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/box_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/bench/core/report.hpp"

namespace ositrace::bench {
namespace {

constexpr double plot_width = 600, value_width = 90, line_height = 34, box_height = 16, top = 8, axis_height = 30;

std::string number(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}

/// Room for the longest name: an estimate, for the fonts that a page may be shown in differ.
double label_width_of(const RoundResult& round)
{
    constexpr double character_width = 7.2, gap = 16;
    std::size_t longest = 0;
    for (const auto& timing : round.timings) longest = std::max(longest, timing.name.size());
    return character_width * static_cast<double>(longest) + gap;
}

/// Where the axis ends. One slow outlier must not press everything else against the left edge: it is drawn at the edge.
double axis_end(const RoundResult& round)
{
    double end = 0;
    for (const auto& timing : round.timings) {
        const double q3 = timing.quantile(0.75);
        end = std::max(end, std::min(timing.quantile(1), q3 + 3 * (q3 - timing.quantile(0.25))));
    }
    return end > 0 ? end * 1.03 : 1;
}

/// 1, 2 or 5 times a power of ten, four to nine of which make up the axis.
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

}  // namespace

void put_box_plot(app::XmlWriter& xml, const RoundResult& round) { Plot(xml, round).put(); }

}  // namespace ositrace::bench
