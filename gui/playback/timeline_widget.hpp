// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QPixmap>
#include <QWidget>

#include "gui/playback/time_scale.hpp"
#include "gui/playback/timeline_mark.hpp"
#include "gui/session/open_channel.hpp"

class QScrollBar;

namespace ositrace::gui {

/// Pixels, from the left and from the top: names of channels, then time; ruler, marks, a lane per channel.
namespace timeline_sizes {
inline constexpr int names_width = 150;
inline constexpr int ruler_height = 20;
inline constexpr int marks_height = 10;
inline constexpr int lane_height = 18;
inline constexpr int most_lanes_at_once = 6;  // more are reached by scrolling
inline constexpr int margin = 8;
}  // namespace timeline_sizes

/// Time from left to right: a ruler, a lane per channel, marks, the section and the cursor. Drag: scrub; Shift and
/// drag: select a section; wheel: zoom, over the names: scroll; middle drag: move; double click: show all.
class TimelineWidget : public QWidget {
    Q_OBJECT
public:
    explicit TimelineWidget(QWidget* parent = nullptr);

    void set_channels(std::shared_ptr<const OpenChannels> channels, std::uint32_t active);
    /// If zoomed, the visible range follows the time, unless the user has moved it away while the trace `plays`.
    void set_time(Nanoseconds time, bool plays = false);
    [[nodiscard]] Nanoseconds time() const noexcept { return time_; }
    /// `applies`: the section limits playing; else it is only marked.
    void set_section(const std::optional<TimeSection>& section, bool applies = true);
    /// Of the index, 0 to 1; empty: unknown; 1: nothing is drawn.
    void set_progress(std::optional<double> progress);
    /// Relative to the start, with few digits, if the times are long, such as times since 1970.
    [[nodiscard]] QString tick_text(Nanoseconds tick, Nanoseconds step) const;
    [[nodiscard]] QString tip_at(const QPoint& place) const;
    void zoom(double factor, std::chrono::nanoseconds around);
    /// The findings of `check`.
    void set_marks(std::vector<TimelineMark> marks);
    /// Bookmarks, findings of reports, events.
    void set_listed_marks(std::vector<TimelineMark> marks);
    /// All of them.
    [[nodiscard]] const std::vector<TimelineMark>& marks() const noexcept { return marks_; }
    /// Marks times in the lane of a channel; ascending, without overlaps.
    void set_found(std::uint32_t source, std::vector<TimeSection> sections);
    [[nodiscard]] const std::vector<TimeSection>& found() const noexcept { return found_; }
    [[nodiscard]] const TimeScale& scale() const noexcept { return scale_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void scrubbed(std::chrono::nanoseconds time);
    void scrubbing_changed(bool scrubbing);
    void section_chosen(const std::optional<ositrace::TimeSection>& section);
    void channel_chosen(std::uint32_t source);
    /// A mark was clicked; of several at one place the first.
    void mark_chosen(const ositrace::gui::TimelineMark& mark);
    void scale_changed(const ositrace::TimeSection& section);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag : std::uint8_t { none, scrub, section, pan };
    [[nodiscard]] QRect lanes() const;
    [[nodiscard]] QRect lane(std::size_t source) const;
    [[nodiscard]] std::optional<std::uint32_t> source_at(const QPoint& place) const;
    [[nodiscard]] std::vector<MarkGroup> groups_at(int x) const;
    bool choose_mark(const QPoint& place);
    void fit_lanes();
    void show_lane(std::size_t source);
    void fit_scale();
    void show_scale(const TimeScale& scale);
    void redraw();
    void paint_background();
    void paint_ruler(QPainter& painter) const;
    void paint_names(QPainter& painter) const;
    void join_marks();
    void paint_marks(QPainter& painter) const;
    void paint_found(QPainter& painter) const;
    void paint_section(QPainter& painter) const;
    void paint_cursor(QPainter& painter) const;
    void paint_progress(QPainter& painter) const;

    std::shared_ptr<const OpenChannels> channels_ = std::make_shared<const OpenChannels>();
    std::uint32_t active_ = 0;
    std::optional<TimeSection> extent_;
    TimeScale scale_;
    bool zoomed_ = false;
    Nanoseconds time_{};
    std::optional<TimeSection> section_;
    bool section_applies_ = true;
    std::optional<double> progress_ = 1;
    std::vector<TimelineMark> checked_, listed_, marks_;  ///< of the check, of a list, both
    std::uint32_t found_source_ = 0;
    std::vector<TimeSection> found_;
    Drag drag_ = Drag::none;
    QPoint drag_from_;
    TimeScale drag_scale_;
    std::optional<int> hover_;
    QScrollBar* lane_bar_ = nullptr;  ///< its value is the first visible pixel of the lanes
    QPixmap background_;              ///< everything that does not move with the cursor; null: must be painted
};

}  // namespace ositrace::gui
