// SPDX-License-Identifier: MPL-2.0
#include "gui/playback/timeline_widget.hpp"

#include <algorithm>
#include <utility>

#include <QEvent>

#include "gui/playback/timeline_sizes.hpp"

namespace ositrace::gui {

using namespace timeline_sizes;

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
    marks_ = std::move(marks);
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

void TimelineWidget::resizeEvent(QResizeEvent*) { fit_scale(); }

void TimelineWidget::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) redraw();
    QWidget::changeEvent(event);
}

}  // namespace ositrace::gui
