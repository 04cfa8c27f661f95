// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/report_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

constexpr double plot_width = 600, value_width = 90, line_height = 34, box_height = 16, top = 8, axis_height = 30;

std::string number(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}

void line(app::XmlWriter& xml, const char* of_class, double x1, double y1, double x2, double y2)
{
    xml.begin("line").attribute("class", of_class).attribute("x1", number(x1)).attribute("y1", number(y1));
    xml.attribute("x2", number(x2)).attribute("y2", number(y2)).end();
}

void label(app::XmlWriter& xml, const char* of_class, double x, double y, const char* anchor, std::string_view text)
{
    xml.begin("text")
        .attribute("class", of_class)
        .attribute("x", number(x))
        .attribute("y", number(y))
        .attribute("text-anchor", anchor);
    xml.text(text).end();
}

void begin_picture(app::XmlWriter& xml, double width, double height, std::string_view name)
{
    xml.begin("svg")
        .attribute("xmlns", "http://www.w3.org/2000/svg")
        .attribute("viewBox", "0 0 " + number(width) + ' ' + number(height));
    xml.attribute("role", "img").attribute("aria-label", name);
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
    Plot(app::XmlWriter& xml, const RoundResult& round, Points points)
        : xml_(xml), round_(round), points_(points), end_(axis_end(round)), label_width_(label_width_of(round))
    {
    }
    void put();

private:
    [[nodiscard]] double x(double time) const { return label_width_ + plot_width * std::min(time / end_, 1.0); }
    [[nodiscard]] double whole_width() const { return label_width_ + plot_width + value_width; }
    [[nodiscard]] double axis_y() const { return top + line_height * static_cast<double>(round_.timings.size()); }
    void axis();
    void variant(const Timing& timing, double y);

    app::XmlWriter& xml_;
    const RoundResult& round_;
    Points points_;
    double end_;
    double label_width_;
};

void Plot::axis()
{
    const double step = tick_step(end_);
    for (int i = 0; i * step <= end_; ++i) {
        line(xml_, "grid", x(i * step), top, x(i * step), axis_y());
        label(xml_, "tick", x(i * step), axis_y() + 18, "middle", i == 0 ? "0" : time_text(i * step));
    }
}

void Plot::variant(const Timing& timing, double y)
{
    const auto role = std::string(name_of(timing.role));
    label(xml_, "name", label_width_ - 12, y + 4, "end", timing.name);
    xml_.begin("g").attribute("class", role);
    xml_.begin("title").text(timing.what).end();
    line(xml_, "whisker", x(timing.quantile(0)), y, x(timing.quantile(1)), y);
    const double left = x(timing.quantile(0.25)), right = x(timing.quantile(0.75));
    xml_.begin("rect").attribute("x", number(left)).attribute("y", number(y - box_height / 2));
    xml_.attribute("width", number(std::max(right - left, 1.5)))
        .attribute("height", number(box_height))
        .attribute("rx", "2")
        .end();
    if (points_ == Points::samples)
        for (const double sample : timing.samples)
            xml_.begin("circle")
                .attribute("cx", number(x(sample)))
                .attribute("cy", number(y))
                .attribute("r", "1.8")
                .end();
    line(xml_, "median", x(timing.median()), y - box_height / 2 - 2, x(timing.median()), y + box_height / 2 + 2);
    xml_.end();
    label(xml_, "value", whole_width() - 4, y + 4, "end", time_text(timing.median()));
}

void Plot::put()
{
    begin_picture(xml_, whole_width(), axis_y() + axis_height, round_.name);
    axis();
    double y = top + line_height / 2;
    for (const auto& timing : round_.timings) {
        variant(timing, y);
        y += line_height;
    }
    xml_.end();
}

/// The lines of a chart.
class Lines {
public:
    Lines(app::XmlWriter& xml, const Chart& chart) : xml_(xml), chart_(chart)
    {
        for (const auto& series : chart.series) end_ = std::max(end_, std::ranges::max(series.values));
        end_ = end_ > 0 ? end_ * 1.03 : 1;
    }
    void put()
    {
        begin_picture(xml_, left + width + label_room, top + height + axis_height + 14, chart_.y_title);
        axes();
        for (const bool named : {false, true})  // those with names are drawn over the others
            for (const auto& series : chart_.series)
                if ((series.role != Role::other) == named) put(series);
        put_names();
        xml_.end();
    }

private:
    static constexpr double left = 56, width = 560, height = 300, label_room = 170;

    [[nodiscard]] double x(double place) const
    {
        const double first = std::log(chart_.at.front()), last = std::log(chart_.at.back());
        return left + width * (std::log(place) - first) / (last - first);
    }
    [[nodiscard]] double y(double value) const { return top + height * (1 - value / end_); }

    void axes()
    {
        const double step = tick_step(end_);
        for (int i = 0; i * step <= end_; ++i) {
            line(xml_, "grid", left, y(i * step), left + width, y(i * step));
            label(xml_, "tick", left - 8, y(i * step) + 4, "end", chart_.text(i * step));
        }
        for (const double place : chart_.at) {
            line(xml_, "grid", x(place), top, x(place), top + height);
            label(xml_, "tick", x(place), top + height + 18, "middle", app::decimal_text(place, 0));
        }
        label(xml_, "tick", left + width / 2, top + height + 36, "middle", chart_.x_title);
        label(xml_, "tick", left + width + 10, top + 4, "start", chart_.y_title);
    }
    void put(const Chart::Series& series)
    {
        xml_.begin("g").attribute("class", name_of(series.role));
        xml_.begin("title").text(series.name).end();
        std::string points;
        for (std::size_t i = 0; i < series.values.size(); ++i)
            points += (i == 0 ? "" : " ") + number(x(chart_.at[i])) + ',' + number(y(series.values[i]));
        xml_.begin("polyline").attribute("class", "line").attribute("points", points).end();
        xml_.end();
    }
    /// At the ends of their lines, one below the other.
    void put_names()
    {
        std::vector<const Chart::Series*> named;
        for (const auto& series : chart_.series)
            if (series.role != Role::other) named.push_back(&series);
        std::ranges::sort(named, std::greater{}, [](const auto* series) { return series->values.back(); });
        double last = top + 4;  // below the title of the axis
        for (const auto* const series : named) {
            last = std::max(y(series->values.back()) + 4, last + 15);
            xml_.begin("g").attribute("class", name_of(series->role));
            label(xml_, "name", left + width + 10, last, "start", series->name);
            xml_.end();
        }
    }

    app::XmlWriter& xml_;
    const Chart& chart_;
    double end_ = 0;
};

/// A bar per row, each below its name and value: it can be read in a narrow window.
class Bars {
public:
    Bars(app::XmlWriter& xml, std::span<const Bar> bars) : xml_(xml), bars_(bars)
    {
        for (const auto& bar : bars) end_ = std::max(end_, std::max(bar.value, bar.high));
    }
    void put(std::string_view name)
    {
        begin_picture(xml_, width, row_height * static_cast<double>(bars_.size()) + 4, name);
        double y = 0;
        for (const auto& bar : bars_) {
            put(bar, y);
            y += row_height;
        }
        xml_.end();
    }

private:
    static constexpr double width = 420, row_height = 34, text_height = 14, bar_height = 11;

    [[nodiscard]] double x(double value) const { return end_ > 0 ? width * value / end_ : 0; }
    void put(const Bar& bar, double y)
    {
        xml_.begin("g").attribute("class", name_of(bar.role));
        label(xml_, "name", 0, y + text_height, "start", bar.name);
        label(xml_, "value", width, y + text_height, "end", bar.text);
        xml_.begin("rect").attribute("class", "bar").attribute("x", "0").attribute("y", number(y + text_height + 5));
        xml_.attribute("width", number(std::max(x(bar.value), 1.5))).attribute("height", number(bar_height)).end();
        if (bar.high > bar.low) {
            const double middle = y + text_height + 5 + bar_height / 2;
            line(xml_, "spread", x(bar.low), middle, x(bar.high), middle);
        }
        xml_.end();
    }

    app::XmlWriter& xml_;
    std::span<const Bar> bars_;
    double end_ = 0;
};

}  // namespace

void put_bars(app::XmlWriter& xml, std::span<const Bar> bars, std::string_view name) { Bars(xml, bars).put(name); }

void put_box_plot(app::XmlWriter& xml, const RoundResult& round, Points points) { Plot(xml, round, points).put(); }

void put_lines(app::XmlWriter& xml, const Chart& chart) { Lines(xml, chart).put(); }

}  // namespace ositrace::bench
