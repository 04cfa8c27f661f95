// SPDX-License-Identifier: MPL-2.0
#include "gui/playback/timeline_widget.hpp"

#include <algorithm>
#include <utility>

#include <QEvent>
#include <QScrollBar>

namespace ositrace::gui {

namespace {

constexpr double at_edge = 0.1;  // of the width: where a time appears that was not visible

}  // namespace

using namespace timeline_sizes;

TimelineWidget::TimelineWidget(QWidget* parent) : QWidget(parent), lane_bar_(new QScrollBar(Qt::Vertical, this))
{
    lane_bar_->setSingleStep(lane_height);
    connect(lane_bar_, &QScrollBar::valueChanged, this, &TimelineWidget::redraw);
    setMouseTracking(true);
    setFocusPolicy(Qt::ClickFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
}

void TimelineWidget::set_channels(std::shared_ptr<const OpenChannels> channels, std::uint32_t active)
{
    const bool same_height = channels->size() == channels_->size();
    const bool same_active = same_height && active == active_;
    channels_ = std::move(channels);
    active_ = active;
    extent_ = extent_of(*channels_);
    if (!extent_ || channels_->empty()) zoomed_ = false;
    if (!same_height) updateGeometry();
    fit_lanes();
    if (!same_active) show_lane(active_);
    fit_scale();
}

void TimelineWidget::set_time(Nanoseconds time, bool plays)
{
    const auto is_seen = [&](Nanoseconds t) { return scale_.section().from <= t && t <= scale_.section().to; };
    const bool follows = zoomed_ && time != time_ && drag_ == Drag::none && (!plays || is_seen(time_));
    time_ = time;
    if (follows && !is_seen(time)) {
        const auto place = time > scale_.section().to ? at_edge : 1 - at_edge;
        show_scale(scale_.panned(scale_.left() + scale_.width() * place - scale_.x_of(time), *extent_));
    }
    update();
}

void TimelineWidget::set_section(const std::optional<TimeSection>& section, bool applies)
{
    section_ = section;
    section_applies_ = applies;
    update();
}

void TimelineWidget::set_progress(std::optional<double> progress)
{
    progress_ = progress;
    update();
}

void TimelineWidget::set_marks(std::vector<TimelineMark> marks)
{
    checked_ = std::move(marks);
    join_marks();
}

void TimelineWidget::set_listed_marks(std::vector<TimelineMark> marks)
{
    listed_ = std::move(marks);
    join_marks();
}

void TimelineWidget::join_marks()
{
    marks_ = checked_;
    marks_.insert(marks_.end(), listed_.begin(), listed_.end());
    redraw();
}

void TimelineWidget::set_found(std::uint32_t source, std::vector<TimeSection> sections)
{
    found_source_ = source;
    found_ = std::move(sections);
    redraw();
}

QSize TimelineWidget::sizeHint() const
{
    const auto lanes = std::clamp(static_cast<int>(channels_->size()), 2, most_lanes_at_once);
    return {800, ruler_height + marks_height + lanes * lane_height + margin / 2};
}

QSize TimelineWidget::minimumSizeHint() const { return {300, sizeHint().height()}; }

QRect TimelineWidget::lanes() const
{
    const int bar = lane_bar_->maximum() != 0 ? lane_bar_->sizeHint().width() : 0;
    return rect().adjusted(names_width, ruler_height + marks_height, -margin - bar, -margin / 2);
}

QRect TimelineWidget::lane(std::size_t source) const
{
    const auto all = lanes();
    const int top = all.top() + static_cast<int>(source) * lane_height - lane_bar_->value();
    return {all.left(), top, all.width(), lane_height};
}

/// If not all lanes fit, a bar scrolls them: each lane keeps the height of its name.
void TimelineWidget::fit_lanes()
{
    const int room = std::max(lanes().height(), 0);
    const int hidden = static_cast<int>(channels_->size()) * lane_height - room;
    // No bar for a few pixels of rounding in the layout.
    lane_bar_->setRange(0, hidden > lane_height / 2 ? hidden : 0);
    lane_bar_->setPageStep(room);
    lane_bar_->setVisible(lane_bar_->maximum() != 0);
    const int bar = lane_bar_->sizeHint().width();
    lane_bar_->setGeometry(width() - bar, lanes().top(), bar, room);
}

void TimelineWidget::show_lane(std::size_t source)
{
    const auto row = lane(source);
    const auto all = lanes();
    if (row.top() < all.top()) lane_bar_->setValue(lane_bar_->value() - (all.top() - row.top()));
    if (row.bottom() > all.bottom()) lane_bar_->setValue(lane_bar_->value() + row.bottom() - all.bottom());
}

std::optional<std::uint32_t> TimelineWidget::source_at(const QPoint& place) const
{
    if (place.y() < lanes().top() || place.y() > lanes().bottom()) return std::nullopt;
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
    emit scale_changed(scale_.section());
    redraw();
}

void TimelineWidget::show_scale(const TimeScale& scale)
{
    scale_ = scale;
    zoomed_ = extent_ && scale.section() != *extent_;
    emit scale_changed(scale_.section());
    redraw();
}

void TimelineWidget::zoom(double factor, Nanoseconds around)
{
    if (extent_) show_scale(scale_.zoomed(factor, scale_.x_of(around), *extent_));
}

void TimelineWidget::redraw()
{
    background_ = {};
    update();
}

void TimelineWidget::resizeEvent(QResizeEvent*)
{
    fit_lanes();
    fit_scale();
}

QString TimelineWidget::tick_text(Nanoseconds tick, Nanoseconds step) const
{
    return ruler_text(tick, step, ruler_zero(extent_));
}

void TimelineWidget::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) redraw();
    QWidget::changeEvent(event);
}

}  // namespace ositrace::gui
