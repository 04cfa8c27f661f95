// SPDX-License-Identifier: MPL-2.0
// Painting of plots.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <QPaintEvent>
#include <QPainter>
#include <QPalette>

#include "gui/plot/plot_view.hpp"
#include "gui/session/open_channel.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int gap = 6;                      // pixels between things
constexpr double value_tick_distance = 28;  // pixels
constexpr double time_tick_distance = 90;
constexpr int least_area = 60;
constexpr int tick_row_height = 7;                             // of a row of ticks
constexpr int swatch = 14;                                     // of a legend
constexpr double dots_from = 8;                                // pixels between samples, from which each gets a dot
constexpr auto painting_time = std::chrono::milliseconds(12);  // per event
const QColor cursor_colour(0xff, 0x6b, 0x4a);                  // as on the timeline

QString number_text(double value, double step)
{
    constexpr double largest = 1e7, smallest = 1e-5;
    if (std::abs(value) >= largest || step < smallest) return QString::number(value, 'g', 8);
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    return QString::number(value, 'f', decimals);
}

/// The names of an enum are long, and mostly begin alike: what they share up to the last underline.
qsizetype shared_length(const EnumTable& enumeration)
{
    std::string_view shared = enumeration.values.empty() ? std::string_view() : enumeration.values.front().name;
    for (const auto& each : enumeration.values) {
        std::size_t same = 0;
        while (same < shared.size() && same < each.name.size() && shared[same] == each.name[same]) ++same;
        shared = shared.substr(0, same);
    }
    const auto end = shared.rfind('_');
    return end == std::string_view::npos ? 0 : static_cast<qsizetype>(end) + 1;
}

/// Of an axis of an enum the name, of other axes the number.
QString tick_name(double tick, double step, const FieldRow* field)
{
    const bool is_whole = tick == std::floor(tick) && std::abs(tick) < 1e9;
    if (field == nullptr || field->enumeration == nullptr || !is_whole) return number_text(tick, step);
    const auto name = field->enumeration->name_of(static_cast<std::int32_t>(tick));
    if (name.empty()) return number_text(tick, step);
    constexpr qsizetype most_characters = 16;
    auto text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    text = text.mid(shared_length(*field->enumeration));
    return text.size() > most_characters ? text.left(most_characters - 1) + QChar(0x2026) : text;
}

/// With some space around the values.
ValueRange with_room(const ValueRange& range)
{
    if (range.is_empty()) return range;
    constexpr double part = 0.05;
    const auto around = (range.most / 2 - range.least / 2) * 2 * part;
    return {range.least - around, range.most + around};
}

/// Connects the finite values of a run, and ends it at a gap.
class RunPainter {
public:
    RunPainter(QPainter& painter, bool has_steps, bool has_dots)
        : painter_(painter), has_steps_(has_steps), has_dots_(has_dots)
    {
    }

    void add(const QPointF& place)
    {
        if (has_steps_ && !run_.isEmpty()) run_ += QPointF(place.x(), run_.last().y());
        run_ += place;
        if (has_dots_) dots_ += place;
    }
    /// The last value is valid up to here; then there is none.
    void end(double x)
    {
        if (has_steps_ && !run_.isEmpty()) run_ += QPointF(x, run_.last().y());
        flush();
    }
    void flush()
    {
        if (run_.size() == 1)
            dots_ += run_.first();
        else if (!run_.isEmpty())
            painter_.drawPolyline(run_);
        run_.clear();
        if (dots_.isEmpty()) return;
        painter_.save();
        painter_.setBrush(painter_.pen().color());
        painter_.setPen(Qt::NoPen);
        for (const auto& each : std::as_const(dots_)) painter_.drawEllipse(each, 2.5, 2.5);
        painter_.restore();
        dots_.clear();
    }

private:
    QPainter& painter_;
    bool has_steps_;
    bool has_dots_;
    QPolygonF run_;
    QPolygonF dots_;
};

/// The first sample from `begin` on at or after t; fast where it is near.
std::size_t next_sample(const std::vector<Nanoseconds>& times, std::size_t begin, std::size_t end, Nanoseconds t)
{
    std::size_t step = 1;
    auto from = begin;
    while (from + step < end && times[from + step] < t) {
        from += step;
        step *= 2;
    }
    const auto to = std::min(end, from + step + 1);
    const auto first = times.begin();
    return static_cast<std::size_t>(
        std::lower_bound(first + static_cast<std::ptrdiff_t>(from), first + static_cast<std::ptrdiff_t>(to), t) -
        first);
}

}  // namespace

PlotView::Plan PlotView::plan(const QRect& whole, bool is_picture) const
{
    Plan made;
    made.is_picture = is_picture;
    const QFontMetrics metrics(font());
    const auto line_height = metrics.height();
    std::map<QString, std::size_t> by_unit;
    made.axis_of.resize(lines_.size());
    for (std::size_t i = 0; i != lines_.size(); ++i) {
        if (!is_drawn(i)) continue;
        const auto& line = lines_[i];
        const auto* const enumeration = line.field == nullptr ? nullptr : line.field->enumeration;
        const auto key = enumeration == nullptr
                             ? line.unit
                             : QString::fromUtf8(enumeration->full_name.data(),
                                                 static_cast<qsizetype>(enumeration->full_name.size()));
        const auto [known, is_new] = by_unit.try_emplace(key, made.axes.size());
        if (is_new) made.axes.push_back({.unit = line.unit, .is_right = made.axes.size() % 2 == 1});
        made.axis_of[i] = known->second;
        made.axes[known->second].lines.push_back(i);
    }
    if (made.axes.empty()) made.axes.emplace_back();

    if (has_legend_ || is_picture) made.legend = legend_places(whole, is_picture);
    const int legend_bottom = made.legend.empty() ? whole.top() : made.legend.back().bottom();
    const int top = legend_bottom + gap + line_height;
    const int bottom = whole.bottom() - 2 * gap - line_height - static_cast<int>(marks_.size()) * tick_row_height;
    const int height = std::max(bottom - top, 1);
    int left = whole.left() + gap, right = whole.right() - 3 * gap - metrics.horizontalAdvance(QLatin1Char('0')) * 2;
    for (auto& axis : made.axes) {
        ValueRange range;
        for (const auto each : axis.lines) {
            auto of_line = range_of(lines_[each], visible_);
            of_line.most = std::min(of_line.most, lines_[each].most_shown);
            range.add(of_line);
            range.add(lines_[each].always_shown);
        }
        const auto chosen = chosen_ranges_.find(axis.unit);
        axis.scale = ValueScale(chosen == chosen_ranges_.end() ? with_room(range) : chosen->second, bottom, -height);
        const auto* const field = axis.lines.empty() ? nullptr : lines_[axis.lines.front()].field;
        const auto step = axis.scale.tick_step(value_tick_distance);
        axis.width = metrics.horizontalAdvance(axis.unit);
        for (const auto tick : axis.scale.ticks(value_tick_distance))
            axis.width = std::max(axis.width, metrics.horizontalAdvance(tick_name(tick, step, field)));
        axis.width += gap;
        if (axis.is_right) {
            right -= axis.width;
            axis.left = right;
        } else {
            axis.left = left;
            left += axis.width;
        }
    }
    right = std::max(right, left + least_area);
    made.area = QRect(QPoint(left, top), QPoint(right, bottom));
    made.time = TimeScale(visible_, left, made.area.width());
    if (x_line_ && lines_[*x_line_].data) {
        const auto& line = lines_[*x_line_];
        made.x = ValueScale(chosen_x_.value_or(with_room(range_of(line, visible_))), left, made.area.width());
        made.x_unit = line.unit;
    }
    return made;
}

void PlotView::paintEvent(QPaintEvent*)
{
    const auto begun = Clock::now();
    if (background_.isNull() || (is_outdated_ && painted_ == lines_.size())) {
        painting_ = now_;
        painted_ = 0;
        is_outdated_ = false;
        background_ = QPixmap(size() * devicePixelRatioF());
        background_.setDevicePixelRatio(devicePixelRatioF());
        background_.fill(palette().color(QPalette::Window));
        QPainter painter(&background_);
        painter.setFont(font());
        paint_frame(painter, painting_, palette());
    }
    if (painted_ != lines_.size()) {
        QPainter painter(&background_);
        while (painted_ != lines_.size() && Clock::now() - begun < painting_time)
            paint_line(painter, painted_++, painting_);
    }
    if (painted_ == lines_.size()) shown_ = background_;
    if (!is_complete()) QMetaObject::invokeMethod(this, qOverload<>(&QWidget::update), Qt::QueuedConnection);
    QPainter painter(this);
    painter.drawPixmap(0, 0, shown_.isNull() ? background_ : shown_);
    if (!extent_ || lines_.empty()) return;
    paint_section(painter, now_);
    paint_cursor(painter, now_);
    if (has_legend_) paint_legend(painter, now_);
    if (drag_ == Drag::zoom && (drag_now_ - drag_from_).manhattanLength() > 3) {
        auto colour = palette().color(QPalette::Highlight);
        painter.setPen(colour);
        colour.setAlphaF(0.2F);
        painter.setBrush(colour);
        painter.drawRect(QRect(drag_from_, drag_now_).normalized());
    }
}

void PlotView::paint(QPainter& painter, const QSize& size) const
{
    const auto made = plan(QRect(QPoint(0, 0), size), true);
    painter.setFont(font());
    painter.fillRect(QRect(QPoint(0, 0), size), palette().color(QPalette::Window));
    paint_frame(painter, made, palette());
    for (std::size_t i = 0; i != lines_.size(); ++i) paint_line(painter, i, made);
    if (!extent_ || lines_.empty()) return;
    paint_section(painter, made);
    paint_cursor(painter, made);
    paint_legend(painter, made);
}

void PlotView::paint_frame(QPainter& painter, const Plan& plan, const QPalette& palette) const
{
    painter.fillRect(plan.area, palette.color(QPalette::Base));
    if (is_current_ && !plan.is_picture)
        painter.fillRect(QRect(plan.area.left(), rect().top(), plan.area.width(), 2),
                         palette.color(QPalette::Highlight));
    if (!extent_ || lines_.empty()) {
        painter.setPen(palette.color(QPalette::PlaceholderText));
        painter.drawText(plan.area, Qt::AlignCenter | Qt::TextWordWrap, hint_);
        return;
    }
    for (const auto& axis : plan.axes) paint_axis(painter, axis, plan);
    const QFontMetrics metrics(font());
    const auto grid = palette.color(QPalette::Mid);
    const auto vertical = [&](double x, const QString& text) {
        painter.setPen(QPen(grid, 1, Qt::DotLine));
        painter.drawLine(QPointF(x, plan.area.top()), QPointF(x, plan.area.bottom()));
        painter.setPen(palette.color(QPalette::WindowText));
        const auto below = plan.area.bottom() + gap + static_cast<int>(marks_.size()) * tick_row_height;
        const QRectF place(x - 100, below, 200, metrics.height());
        painter.drawText(place, Qt::AlignHCenter | Qt::AlignTop, text);
    };
    if (x_line_) {
        const auto step = plan.x.tick_step(time_tick_distance);
        for (const auto tick : plan.x.ticks(time_tick_distance))
            vertical(plan.x.at(tick), number_text(tick, step) + QLatin1Char(' ') + plan.x_unit);
    } else {
        const auto step = plan.time.tick_step(time_tick_distance);
        for (const auto tick : plan.time.ticks(time_tick_distance, ruler_zero(extent_)))
            vertical(std::round(plan.time.x_of(tick)), tick_text(tick, step));
    }
    paint_marks(painter, plan);
    painter.setPen(grid);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(plan.area);
}

void PlotView::paint_marks(QPainter& painter, const Plan& plan) const
{
    int top = plan.area.bottom() + 2;
    for (const auto& each : marks_) {
        int last = -1;
        for (const auto time : each.times) {
            const auto x = static_cast<int>(std::floor(plan.time.x_of(time)));
            if (x < plan.area.left() || x > plan.area.right() || std::exchange(last, x) == x) continue;
            painter.fillRect(QRectF(x, top, 1.5, tick_row_height - 2), each.colour);
        }
        top += tick_row_height;
    }
}

QString PlotView::tick_text(Nanoseconds tick, Nanoseconds step) const
{
    return ruler_text(tick, step, ruler_zero(extent_));
}

void PlotView::paint_axis(QPainter& painter, const Axis& axis, const Plan& plan) const
{
    const QFontMetrics metrics(font());
    const auto step = axis.scale.tick_step(value_tick_distance);
    const auto* const field = axis.lines.empty() ? nullptr : lines_[axis.lines.front()].field;
    const auto align = (axis.is_right ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
    const bool is_first = &axis == plan.axes.data();
    // Where there are several axes, the first curve tells which one is whose.
    auto colour = palette().color(QPalette::WindowText);
    if (plan.axes.size() > 1)
        colour = plot_colour(lines_[axis.lines.front()].colour, palette().color(QPalette::Base).lightnessF() < 0.5F);
    const QRectF numbers(axis.left + (axis.is_right ? gap / 2.0 : 0), 0, axis.width - gap / 2.0, 1);
    for (const auto tick : axis.scale.ticks(value_tick_distance)) {
        const auto y = std::round(axis.scale.at(tick));
        if (is_first) {
            painter.setPen(QPen(palette().color(QPalette::Mid), 1, Qt::DotLine));
            painter.drawLine(QPointF(plan.area.left(), y), QPointF(plan.area.right(), y));
        }
        painter.setPen(colour);
        painter.drawText(numbers.translated(0, y - 0.5).adjusted(0, -metrics.height() / 2.0, 0, metrics.height() / 2.0),
                         align, tick_name(tick, step, field));
    }
    painter.setPen(colour);
    painter.drawText(
        QRectF(numbers.left(), plan.area.top() - metrics.height() - gap / 2.0, numbers.width(), metrics.height()),
        align, axis.unit);
}

void PlotView::paint_line(QPainter& painter, std::size_t line, const Plan& plan) const
{
    if (!is_drawn(line) || !extent_) return;
    const auto& scale = plan.axes[plan.axis_of[line]].scale;
    painter.save();
    painter.setClipRect(plan.area);
    const bool is_dark = palette().color(QPalette::Base).lightnessF() < 0.5F;
    constexpr double width = 1.5, chosen_width = 3;
    painter.setPen(QPen(plot_colour(lines_[line].colour, is_dark), line == chosen_ ? chosen_width : width));
    if (x_line_)
        paint_over_curve(painter, lines_[line], plan, scale);
    else
        paint_over_time(painter, lines_[line], plan, scale);
    painter.restore();
}

void PlotView::paint_over_time(QPainter& painter, const PlotLine& line, const Plan& plan, const ValueScale& scale) const
{
    const auto& times = line.data->curve.times;
    const auto& values = line.data->curve.values;
    const auto x_of = [&](std::size_t i) { return plan.time.x_of(line.in_session(times[i])); };
    const auto begin_after = next_sample(times, 0, times.size(), line.in_curve(plan.time.section().from));
    const auto begin = begin_after == 0 ? 0 : begin_after - 1;
    const auto last = next_sample(times, begin, times.size(), line.in_curve(plan.time.section().to));
    const auto end = std::min(times.size(), last + 2);
    const auto width = static_cast<std::size_t>(plan.area.width());
    if (end - begin <= 2 * width) {
        painter.setRenderHint(QPainter::Antialiasing);
        const bool has_dots = static_cast<double>(width) / static_cast<double>(end - begin + 1) > dots_from;
        RunPainter run(painter, line.has_steps(), has_dots);
        for (auto i = begin; i != end; ++i) {
            if (std::isfinite(values[i]))
                run.add({x_of(i), scale.at(values[i])});
            else
                run.end(x_of(i));
        }
        if (end == times.size() && line.has_steps())
            run.end(plan.area.right());  // the last value stays on the screen
        else
            run.flush();
        return;
    }
    // A column of pixels: from the least to the greatest of its samples, and connected to the sample before.
    painter.setRenderHint(QPainter::Antialiasing, false);
    QList<QLineF> strokes;
    strokes.reserve(static_cast<qsizetype>(3 * width));
    auto i = begin;
    for (int x = plan.area.left(); x <= plan.area.right() + 1 && i < end; ++x) {
        const auto next = next_sample(times, i, end, line.in_curve(plan.time.time_at(x + 1)));
        if (next == i) continue;
        const auto range = line.data->envelope.of(values, i, next);
        const auto place = x + 0.5;
        if (i != begin && std::isfinite(values[i - 1]) && std::isfinite(values[i])) {
            const auto before = scale.at(values[i - 1]);
            const auto from = std::min(x_of(i - 1), place);
            if (line.has_steps()) {
                strokes += QLineF(from, before, place, before);
                strokes += QLineF(place, before, place, scale.at(values[i]));
            } else {
                strokes += QLineF(from, before, place, scale.at(values[i]));
            }
        }
        if (!range.is_empty()) {
            const auto low = scale.at(range.least), high = scale.at(range.most);
            strokes += QLineF(place, low, place, low - high < 1 ? low - 1 : high);
        }
        i = next;
    }
    painter.drawLines(strokes);
}

void PlotView::paint_over_curve(QPainter& painter, const PlotLine& line, const Plan& plan,
                                const ValueScale& scale) const
{
    const auto& x_line = lines_[*x_line_];
    if (!x_line.data) return;
    const auto& times = line.data->curve.times;
    const auto& values = line.data->curve.values;
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& x_times = x_line.data->curve.times;
    const auto& x_values = x_line.data->curve.values;
    const auto from = next_sample(times, 0, times.size(), line.in_curve(plan.time.section().from));
    RunPainter run(painter, false, false);
    std::size_t at = 0;  // the samples of x up to the time at hand
    QPointF last;
    bool has_last = false;
    for (auto i = from; i < times.size(); ++i) {
        const auto time = line.in_session(times[i]);
        if (time > plan.time.section().to) break;
        at = next_sample(x_times, at, x_times.size(), shifted(x_line.in_curve(time), Nanoseconds(1)));
        const auto x = at == 0 ? std::numeric_limits<double>::quiet_NaN() : x_values[at - 1];
        if (!std::isfinite(x) || !std::isfinite(values[i])) {
            run.flush();
            has_last = false;
            continue;
        }
        const QPointF place(plan.x.at(x), scale.at(values[i]));
        if (has_last && (place - last).manhattanLength() < 0.5) continue;
        run.add(place);
        last = place;
        has_last = true;
    }
    run.flush();
}

void PlotView::paint_section(QPainter& painter, const Plan& plan) const
{
    if (!section_ || x_line_) return;
    painter.save();
    painter.setClipRect(plan.area);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    for (const auto each : {section_->from, section_->to}) {
        const auto x = plan.time.x_of(each);
        painter.drawLine(QPointF(x, plan.area.top()), QPointF(x, plan.area.bottom()));
    }
    painter.restore();
}

void PlotView::paint_cursor(QPainter& painter, const Plan& plan) const
{
    painter.save();
    painter.setClipRect(plan.area.adjusted(0, -gap, 0, 0));
    painter.setRenderHint(QPainter::Antialiasing);
    const auto x = plan.time.x_of(time_);
    if (!x_line_) {
        painter.setPen(QPen(cursor_colour, 1.5));
        painter.drawLine(QPointF(x, plan.area.top() - gap), QPointF(x, plan.area.bottom()));
    }
    const bool is_dark = palette().color(QPalette::Base).lightnessF() < 0.5F;
    const auto x_value = x_line_ ? lines_[*x_line_].value(time_) : std::nullopt;
    for (std::size_t i = 0; i != lines_.size(); ++i) {
        if (!is_drawn(i)) continue;
        const auto value = lines_[i].value(time_);
        if (!value || !std::isfinite(*value) || (x_line_ && !x_value)) continue;
        painter.setPen(QPen(palette().color(QPalette::Base), 1));
        painter.setBrush(plot_colour(lines_[i].colour, is_dark));
        const auto y = plan.axes[plan.axis_of[i]].scale.at(*value);
        painter.drawEllipse(QPointF(x_line_ ? plan.x.at(*x_value) : x, y), 4, 4);
    }
    painter.restore();
}

/// On the screen the places of the values stay while time goes on. A picture has values only of a time that it shows.
/// A long path is cut in its middle, so that several curves have room in a row.
std::vector<PlotView::LegendItem> PlotView::legend_items(bool is_picture) const
{
    const bool has_values = !is_picture || (time_ >= visible_.from && time_ <= visible_.to);
    const QFontMetrics metrics(font());
    const bool is_dark = palette().color(QPalette::Base).lightnessF() < 0.5F;
    const auto value_width = metrics.horizontalAdvance(QStringLiteral(" = -0000.000 "));
    constexpr int most_characters = 40;  // of a name
    std::vector<LegendItem> items;
    for (std::size_t i = 0; i != lines_.size(); ++i) {
        if (!is_drawn(i)) continue;
        const auto& line = lines_[i];
        auto text =
            metrics.elidedText(line.short_name(), Qt::ElideMiddle, most_characters * metrics.averageCharWidth());
        auto width = metrics.horizontalAdvance(text + line.unit) + value_width;
        if (const auto value = line.value(time_); value && has_values) {
            const auto number = [&] { return is_picture ? rounded_text(*value) : fixed_text(*value, 3); };
            text += QStringLiteral(" = %1 %2").arg(line.has_steps() ? line.value_text(time_) : number(), line.unit);
        }
        if (is_picture) {
            text = text.trimmed();
            width = metrics.horizontalAdvance(text) + gap;
        }
        if (!line.note.isEmpty()) {
            const auto note = QStringLiteral(" (%1)").arg(line.note);
            text += note;
            width += metrics.horizontalAdvance(note);
        }
        items.push_back({text, plot_colour(line.colour, is_dark), width});
    }
    for (const auto& each : marks_)
        if (!each.times.empty()) items.push_back({each.name, each.colour, metrics.horizontalAdvance(each.name)});
    return items;
}

/// One after the other, in as many rows as they need, but not more than a third of the height; then the last place is
/// for the number of the others.
std::vector<QRect> PlotView::legend_places(const QRect& whole, bool is_picture) const
{
    const auto height = QFontMetrics(font()).height();
    const auto right = whole.right() - gap;
    std::vector<QRect> places;
    int x = whole.left() + gap, y = whole.top() + gap / 2;
    for (const auto& each : legend_items(is_picture)) {
        const auto width = swatch + gap + each.width;
        if (x != whole.left() + gap && x + width > right) {
            x = whole.left() + gap;
            y += height;
        }
        if (y + height > whole.top() + whole.height() / 3 && x == whole.left() + gap && !places.empty()) {
            places.emplace_back(x, y, right - x, height);
            break;
        }
        places.emplace_back(x, y, std::min(width, right - x), height);
        x += width + 2 * gap;
    }
    return places;
}

void PlotView::paint_legend(QPainter& painter, const Plan& plan) const
{
    const QFontMetrics metrics(font());
    const auto items = legend_items(plan.is_picture);
    for (std::size_t i = 0; i != std::min(items.size(), plan.legend.size()); ++i) {
        const auto& place = plan.legend[i];
        if (i + 1 == plan.legend.size() && items.size() > plan.legend.size()) {
            painter.setPen(palette().color(QPalette::WindowText));
            painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, tr("and %1 more").arg(items.size() - i));
            return;
        }
        painter.fillRect(QRect(place.left(), place.center().y() - 1, swatch, 4), items[i].colour);
        painter.setPen(palette().color(QPalette::WindowText));
        const auto text = place.adjusted(swatch + gap, 0, 0, 0);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(items[i].text, Qt::ElideRight, text.width()));
    }
}

}  // namespace ositrace::gui
