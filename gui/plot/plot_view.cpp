// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/plot_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <QEvent>
#include <QPainter>

namespace ositrace::gui {

namespace {

constexpr std::size_t most_ticks = 200;

/// Keeps a range apart from a single value, as far as doubles go, and finite.
ValueRange usable(ValueRange range) noexcept
{
    if (range.is_empty()) return {-1, 1};
    constexpr double largest = std::numeric_limits<double>::max() / 4;
    range.least = std::clamp(range.least, -largest, largest);
    range.most = std::clamp(range.most, -largest, largest);
    constexpr double least_part = 1e-12;  // of the values: less is noise of their digits
    const auto size = std::max(std::abs(range.least), std::abs(range.most));
    const auto least_span = std::max(size * least_part, std::numeric_limits<double>::min());
    if (range.most - range.least >= least_span) return range;
    const auto middle = range.least / 2 + range.most / 2;
    const auto half = size == 0 ? 1 : std::max(size * 0.05, std::numeric_limits<double>::min());
    return {middle - half, middle + half};
}

constexpr QRgb dark_curves[] = {0x5cc8ff, 0xffb454, 0x8be57b, 0xff7b8a, 0xc792ea, 0x4de0c8, 0xf2e36b,
                                0xff9e64, 0x9aa7ff, 0xd3d7de, 0x2f7fb8, 0xa86e1c, 0x4f9a3f, 0xb03a4c,
                                0x8a4fb8, 0x1f9480, 0xa89a20, 0xb04f1c, 0x5a66d8, 0x848b96};
constexpr QRgb light_curves[] = {0x1565c0, 0xd9730d, 0x2e7d32, 0xc62828, 0x7b1fa2, 0x00838f, 0x8d6e00,
                                 0xad1457, 0x3949ab, 0x455a64, 0x64a8ec, 0xf2ac64, 0x72bc76, 0xee7c7c,
                                 0xbc7cd6, 0x4cbac6, 0xc8aa3a, 0xe478a8, 0x8e9ae8, 0x90a2ac};

}  // namespace

ValueScale::ValueScale(ValueRange range, double begin, double length) noexcept
    : range_(usable(range)), begin_(begin), length_(length == 0 ? 1 : length)
{
}

double ValueScale::tick_step(double least_distance) const noexcept
{
    const auto least = (range_.most - range_.least) * least_distance / std::abs(length_);
    const auto power = std::pow(10, std::floor(std::log10(least)));
    for (const auto factor : {1.0, 2.0, 5.0})
        if (factor * power >= least) return factor * power;
    return 10 * power;
}

std::vector<double> ValueScale::ticks(double least_distance) const
{
    const auto step = tick_step(least_distance);
    std::vector<double> ticks;
    const auto first = std::ceil(range_.least / step);
    for (std::size_t i = 0; i != most_ticks; ++i) {
        const auto tick = (first + static_cast<double>(i)) * step;
        if (!(tick <= range_.most)) break;
        ticks.push_back(tick == 0 ? 0 : tick);  // not -0
    }
    return ticks;
}

ValueRange ValueScale::zoomed(double factor, double around) const noexcept
{
    const auto fixed = value_at(around);
    return usable({fixed - (fixed - range_.least) / factor, fixed + (range_.most - fixed) / factor});
}

ValueRange ValueScale::panned(double by) const noexcept
{
    const auto moved = value_at(begin_) - value_at(begin_ + by);
    return {range_.least + moved, range_.most + moved};
}

QColor plot_colour(std::size_t place, bool is_dark)
{
    const auto& curves = is_dark ? dark_curves : light_curves;
    return QColor::fromRgb(curves[place % std::size(curves)]);
}

PlotView::PlotView(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("plot_view"));
    setAccessibleName(tr("Plot"));
    setMouseTracking(true);
    setFocusPolicy(Qt::ClickFocus);
    plan_again();
}

void PlotView::set_lines(std::vector<PlotLine> lines, std::optional<std::size_t> x_line)
{
    const bool are_others = lines.size() != lines_.size() || x_line != x_line_;
    lines_ = std::move(lines);
    if (std::exchange(x_line_, x_line) != x_line) chosen_x_.reset();
    if (chosen_ && *chosen_ >= lines_.size()) chosen_.reset();
    plan_again(are_others);
}

void PlotView::set_marks(std::vector<PlotMarks> marks)
{
    marks_ = std::move(marks);
    plan_again(false);
}

void PlotView::set_legend(bool has_legend)
{
    has_legend_ = has_legend;
    plan_again();
}

void PlotView::set_hint(const QString& hint)
{
    if (std::exchange(hint_, hint) != hint) plan_again();
}

void PlotView::set_extent(const std::optional<TimeSection>& extent)
{
    const bool is_same = extent.has_value() == extent_.has_value() &&
                         (!extent || (extent->from == extent_->from && extent->to == extent_->to));
    if (is_same) return;
    extent_ = extent;
    if (!extent_ || !is_zoomed_ || visible_.to <= extent_->from || visible_.from >= extent_->to) {
        is_zoomed_ = false;
        visible_ = extent_.value_or(TimeSection{});
    }
    plan_again(false);
}

void PlotView::set_time(Nanoseconds time)
{
    if (std::exchange(time_, time) != time) update();
}

void PlotView::set_section(const std::optional<TimeSection>& section)
{
    section_ = section;
    update();
}

void PlotView::set_chosen(std::optional<std::size_t> line)
{
    if (std::exchange(chosen_, line) != line) plan_again();
}

void PlotView::show_section(const TimeSection& section)
{
    chosen_ranges_.clear();
    set_visible(section);
}

void PlotView::show_all()
{
    chosen_ranges_.clear();
    chosen_x_.reset();
    is_zoomed_ = false;
    visible_ = extent_.value_or(TimeSection{});
    plan_again();
    emit visible_changed(visible_);
}

void PlotView::set_visible(const TimeSection& section)
{
    if (!extent_) return;
    follow(section);
    emit visible_changed(visible_);
}

void PlotView::follow(const TimeSection& visible)
{
    if (!extent_) return;
    const TimeScale scale(visible, 0, 1);
    const auto before = visible_;
    visible_ = scale.panned(0, *extent_).section();  // within the extent
    is_zoomed_ = visible_.from != extent_->from || visible_.to != extent_->to;
    if (visible_.from != before.from || visible_.to != before.to || !chosen_ranges_.empty()) plan_again();
}

void PlotView::set_current(bool is_current)
{
    if (std::exchange(is_current_, is_current) != is_current) plan_again();
}

bool PlotView::is_drawn(std::size_t line) const
{
    return lines_[line].data && !lines_[line].is_hidden && line != x_line_;
}

ValueRange PlotView::range_of(const PlotLine& line, const TimeSection& section) const
{
    const auto& curve = line.data->curve;
    const auto from = std::upper_bound(curve.times.begin(), curve.times.end(), line.in_curve(section.from));
    const auto to = std::upper_bound(from, curve.times.end(), line.in_curve(section.to));
    auto begin = static_cast<std::size_t>(from - curve.times.begin());
    if (begin != 0) --begin;  // its value reaches into the section
    return line.data->envelope.of(curve.values, begin, static_cast<std::size_t>(to - curve.times.begin()));
}

void PlotView::plan_again(bool at_once)
{
    now_ = plan(rect(), false);
    area_ = now_.area;
    is_outdated_ = true;
    if (at_once) background_ = shown_ = QPixmap();
    update();
}

QPointF PlotView::place_of(std::size_t line, Nanoseconds time, double value) const
{
    const auto& scale = now_.axes[now_.axis_of[line]].scale;
    if (!x_line_) return {now_.time.x_of(time), scale.at(value)};
    return {now_.x.at(lines_[*x_line_].value(time).value_or(0)), scale.at(value)};
}

void PlotView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    plan_again();
}

void PlotView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) plan_again();
    QWidget::changeEvent(event);
}

}  // namespace ositrace::gui
