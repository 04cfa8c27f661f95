// SPDX-License-Identifier: MPL-2.0
#include "gui/playback/timeline_widget.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include "gui/playback/channel_lane.hpp"
#include "gui/playback/time_text.hpp"

namespace ositrace::gui {

namespace {

constexpr int names_width = 150;
constexpr int ruler_height = 20;
constexpr int marks_height = 10;
constexpr int lane_height = 18;
constexpr int least_lane_height = 4;
constexpr int most_lanes_at_full_height = 6;
constexpr int margin = 8;
constexpr int mark_reach = 4;
constexpr double least_label_distance = 90;

QColor colour_of(Severity severity)
{
    if (severity == Severity::error) return {0xe5, 0x48, 0x4d};
    return severity == Severity::warning ? QColor(0xf5, 0xa5, 0x24) : QColor(0x3b, 0x9e, 0xff);
}

}  // namespace

TimelineWidget::TimelineWidget(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
}

void TimelineWidget::set_channels(std::shared_ptr<const OpenChannels> channels, std::uint32_t active)
{
    const bool same_height = channels->size() == channels_->size();
    channels_ = std::move(channels);
    active_ = active;
    extent_ = extent_of(*channels_);
    if (!extent_ || channels_->empty()) zoomed_ = false;
    if (!same_height) updateGeometry();
    fit_scale();
}

void TimelineWidget::set_time(Nanoseconds time)
{
    time_ = time;
    update();
}

void TimelineWidget::set_section(const std::optional<TimeSection>& section)
{
    section_ = section;
    update();
}

void TimelineWidget::set_progress(std::optional<double> progress)
{
    progress_ = progress;
    update();
}

void TimelineWidget::set_marks(std::vector<TimelineMark> marks)
{
    marks_ = std::move(marks);
    std::stable_sort(marks_.begin(), marks_.end(), [](const auto& a, const auto& b) { return a.severity > b.severity; });  // errors on top
    redraw();
}

QSize TimelineWidget::sizeHint() const
{
    const auto lanes = std::clamp(static_cast<int>(channels_->size()), 2, most_lanes_at_full_height);
    return {800, ruler_height + marks_height + lanes * lane_height + margin / 2};
}

QSize TimelineWidget::minimumSizeHint() const { return {300, sizeHint().height()}; }

QRect TimelineWidget::lanes() const { return rect().adjusted(names_width, ruler_height + marks_height, -margin, -margin / 2); }

QRect TimelineWidget::lane(std::size_t source) const
{
    const auto all = lanes();
    const auto count = std::max<std::size_t>(channels_->size(), 1);
    const auto height = std::clamp(all.height() / static_cast<int>(count), least_lane_height, lane_height);
    return {all.left(), all.top() + static_cast<int>(source) * height, all.width(), height};
}

std::optional<std::uint32_t> TimelineWidget::source_at(const QPoint& place) const
{
    for (std::size_t i = 0; i != channels_->size(); ++i) {
        const auto row = lane(i);
        if (place.y() >= row.top() && place.y() <= row.bottom()) return static_cast<std::uint32_t>(i);
    }
    return std::nullopt;
}

void TimelineWidget::fit_scale()
{
    const auto area = lanes();
    const auto shown = extent_.value_or(TimeSection{Nanoseconds(0), Nanoseconds(std::chrono::seconds(1))});
    scale_ = TimeScale(zoomed_ ? scale_.section() : shown, area.left(), area.width());
    redraw();
}

void TimelineWidget::show_scale(const TimeScale& scale)
{
    scale_ = scale;
    zoomed_ = extent_ && scale.section() != *extent_;
    redraw();
}

void TimelineWidget::redraw()
{
    background_ = {};
    update();
}

void TimelineWidget::paintEvent(QPaintEvent*)
{
    if (background_.isNull()) paint_background();
    QPainter painter(this);
    painter.drawPixmap(0, 0, background_);
    if (!extent_) return;
    painter.setClipRect(lanes().adjusted(-1, -ruler_height - marks_height, 1, 0));
    paint_section(painter);
    paint_progress(painter);
    paint_cursor(painter);
}

void TimelineWidget::paint_background()
{
    background_ = QPixmap(size() * devicePixelRatioF());
    background_.setDevicePixelRatio(devicePixelRatioF());
    background_.fill(palette().color(QPalette::Window));
    QPainter painter(&background_);
    painter.setFont(font());
    painter.fillRect(lanes(), palette().color(QPalette::Base));
    if (!extent_) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(lanes(), Qt::AlignCenter, tr("The messages of a trace appear here"));
        return;
    }
    paint_ruler(painter);
    paint_names(painter);
    painter.setClipRect(lanes());
    for (std::size_t i = 0; i != channels_->size(); ++i)
        paint_channel_lane(painter, lane(i), (*channels_)[i], scale_, palette(), i == active_);
    painter.setClipping(false);
    paint_marks(painter);
}

void TimelineWidget::paint_ruler(QPainter& painter) const
{
    const auto step = scale_.tick_step(least_label_distance);
    const QFontMetrics metrics(font());
    for (const auto tick : scale_.ticks(least_label_distance)) {
        const auto x = static_cast<int>(std::lround(scale_.x_of(tick)));
        painter.setPen(palette().color(QPalette::Mid));
        painter.drawLine(x, ruler_height - 5, x, height() - margin / 2);
        const auto text = QString::fromStdString(seconds_text(tick, step));
        if (x + 4 + metrics.horizontalAdvance(text) > width()) continue;
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(x + 4, metrics.ascent() + 2, text);
    }
}

void TimelineWidget::paint_names(QPainter& painter) const
{
    const QFontMetrics metrics(font());
    for (std::size_t i = 0; i != channels_->size(); ++i) {
        const auto row = lane(i);
        if (row.height() < metrics.ascent()) return;
        const QRect place(margin, row.top(), names_width - 2 * margin, row.height());
        auto colour = palette().color((*channels_)[i].shown ? QPalette::WindowText : QPalette::PlaceholderText);
        painter.setPen(i == active_ ? palette().color(QPalette::Link) : colour);
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignRight,
                         metrics.elidedText(QString::fromStdString((*channels_)[i].name), Qt::ElideMiddle, place.width()));
    }
}

void TimelineWidget::paint_marks(QPainter& painter) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (const auto& mark : marks_) {
        const auto x = scale_.x_of(mark.time);
        if (x < scale_.left() - 1 || x > scale_.left() + scale_.width() + 1) continue;
        const double top = ruler_height;
        painter.setBrush(colour_of(mark.severity));
        painter.drawPolygon(QPolygonF({{x - mark_reach, top}, {x + mark_reach, top}, {x, top + marks_height - 1}}));
    }
}

void TimelineWidget::paint_section(QPainter& painter) const
{
    if (!section_) return;
    auto colour = palette().color(QPalette::Highlight);
    const auto from = scale_.x_of(section_->from);
    const auto to = scale_.x_of(section_->to);
    auto outside = palette().color(QPalette::Window);
    outside.setAlphaF(0.65F);
    const QRectF area = lanes();
    painter.fillRect(QRectF(QPointF(area.left(), area.top()), QPointF(std::max(from, area.left()), area.bottom())), outside);
    painter.fillRect(QRectF(QPointF(std::min(to, area.right()), area.top()), QPointF(area.right() + 1, area.bottom())), outside);
    painter.fillRect(QRectF(QPointF(from, ruler_height - 3), QPointF(to, ruler_height)), colour);
    painter.setPen(QPen(colour, 2));
    for (const auto x : {from, to}) painter.drawLine(QPointF(x, ruler_height - 3), QPointF(x, area.bottom()));
}

void TimelineWidget::paint_progress(QPainter& painter) const
{
    if (progress_ && *progress_ >= 1) return;
    const auto area = lanes();
    const QString text = progress_ ? tr("reading the index: %1 %").arg(static_cast<int>(*progress_ * 100)) : tr("reading the index");
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(area.adjusted(0, -marks_height - 4, -4, 0), Qt::AlignRight | Qt::AlignTop, text);
    if (progress_) painter.fillRect(QRectF(area.left(), area.bottom() - 1, area.width() * *progress_, 2), palette().color(QPalette::Highlight));
}

void TimelineWidget::paint_cursor(QPainter& painter) const
{
    if (hover_ && drag_ == Drag::none) {
        auto colour = palette().color(QPalette::WindowText);
        colour.setAlphaF(0.35F);
        painter.setPen(colour);
        painter.drawLine(*hover_, ruler_height, *hover_, height());
    }
    const auto x = scale_.x_of(time_);
    const QColor colour(0xff, 0x6b, 0x4a);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.5));
    painter.drawLine(QPointF(x, 6), QPointF(x, height()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({{x - 6, 2}, {x + 6, 2}, {x + 6, 8}, {x, 14}, {x - 6, 8}}));
}

void TimelineWidget::resizeEvent(QResizeEvent*) { fit_scale(); }

void TimelineWidget::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) redraw();
    QWidget::changeEvent(event);
}

void TimelineWidget::mousePressEvent(QMouseEvent* event)
{
    if (!extent_) return;
    drag_from_ = event->pos();
    drag_scale_ = scale_;
    if (event->button() == Qt::MiddleButton) {
        drag_ = Drag::pan;
    } else if (event->button() == Qt::LeftButton && event->pos().x() < names_width - margin) {
        if (const auto source = source_at(event->pos())) emit channel_chosen(*source);
    } else if (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier)) {
        drag_ = Drag::section;
    } else if (event->button() == Qt::LeftButton) {
        drag_ = Drag::scrub;
        emit scrubbing_changed(true);
        emit scrubbed(scale_.time_at(event->position().x()));
    }
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event)
{
    const auto x = event->position().x();
    hover_ = x >= scale_.left() ? std::optional(event->pos().x()) : std::nullopt;
    if (drag_ == Drag::scrub) emit scrubbed(scale_.time_at(x));
    if (drag_ == Drag::pan && extent_) show_scale(drag_scale_.panned(x - drag_from_.x(), *extent_));
    if (drag_ == Drag::section) {
        const auto [from, to] = std::minmax({scale_.time_at(drag_from_.x()), scale_.time_at(x)});  // a list: values, not references
        emit section_chosen(TimeSection{from, to});
    }
    update();
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event)
{
    const auto drag = std::exchange(drag_, Drag::none);
    if (drag == Drag::scrub) emit scrubbing_changed(false);
    if (drag == Drag::section && std::abs(event->pos().x() - drag_from_.x()) < 3) emit section_chosen(std::nullopt);
    update();
}

void TimelineWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (extent_ && event->button() == Qt::LeftButton && zoomed_) {
        zoomed_ = false;
        fit_scale();
    }
}

void TimelineWidget::wheelEvent(QWheelEvent* event)
{
    if (!extent_) return;
    const auto turned = event->angleDelta();
    if (turned.y() != 0) show_scale(scale_.zoomed(std::pow(1.2, turned.y() / 120.0), event->position().x(), *extent_));
    if (turned.x() != 0) show_scale(scale_.panned(turned.x() / 2.0, *extent_));
    event->accept();
}

void TimelineWidget::leaveEvent(QEvent*)
{
    hover_.reset();
    update();
}

bool TimelineWidget::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tip_at(help->pos()), this);
    return true;
}

QString TimelineWidget::tip_at(const QPoint& place) const
{
    if (!extent_) return {};
    const auto source = source_at(place);
    if (place.x() < names_width) return source ? QString::fromStdString((*channels_)[*source].name) : QString();
    QStringList lines{QString::fromStdString(seconds_text(scale_.time_at(place.x())))};
    for (const auto& mark : marks_)
        if (std::abs(scale_.x_of(mark.time) - place.x()) <= mark_reach && lines.size() < 12) lines += mark.text;
    if (source) {
        if (const auto number = (*channels_)[*source].last_until(scale_.time_at(place.x())))
            lines += tr("%1: message %2").arg(QString::fromStdString((*channels_)[*source].name)).arg(*number);
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace ositrace::gui
