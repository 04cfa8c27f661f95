// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <thread>
#include <vector>

#include <QColor>
#include <QPixmap>
#include <QString>
#include <QWidget>

#include <ositrace/timeline.hpp>

#include "gui/playback/time_scale.hpp"
#include "gui/plot/plot_data.hpp"

class QMenu;
class QPainter;

namespace ositrace::gui {

/// Maps values to positions: `range` over `length` pixels from `begin`, upward or to the right. A value.
class ValueScale {
public:
    ValueScale() = default;
    /// An empty range shows -1 to 1, and one of a single value some space around it.
    ValueScale(ValueRange range, double begin, double length) noexcept;

    [[nodiscard]] double at(double value) const noexcept
    {
        // Half the distances, which do not overflow.
        return begin_ + (value / 2 - range_.least / 2) / (range_.most / 2 - range_.least / 2) * length_;
    }
    [[nodiscard]] double value_at(double place) const noexcept
    {
        const auto part = (place - begin_) / length_;
        return range_.least * (1 - part) + range_.most * part;
    }
    [[nodiscard]] const ValueRange& range() const noexcept { return range_; }
    /// Multiples of 1, 2 or 5 times a power of ten, at least `least_distance` pixels apart.
    [[nodiscard]] std::vector<double> ticks(double least_distance) const;
    /// The distance of ticks().
    [[nodiscard]] double tick_step(double least_distance) const noexcept;
    /// The range zoomed around a position.
    [[nodiscard]] ValueRange zoomed(double factor, double around) const noexcept;
    /// The range moved by a distance.
    [[nodiscard]] ValueRange panned(double by) const noexcept;

private:
    ValueRange range_{-1, 1};
    double begin_ = 0;
    double length_ = 1;
};

/// The colour of a curve by its place in the list of colours; for a dark or a light background.
[[nodiscard]] QColor plot_colour(std::size_t place, bool is_dark);

/// Times that have a tick below the curves.
struct PlotMarks {
    QString name;
    QColor colour;
    std::vector<Nanoseconds> times;  ///< never descending
};

/// Curves over the time of the session, or over another curve. Left drag: zoom to the rectangle; click, or Shift and
/// drag, or drag of the cursor: seek; Ctrl and drag, or middle drag: move; wheel: zoom, over an axis that axis only;
/// double click: show all. Painting takes a few milliseconds for a million samples; of many curves, a part per event.
class PlotView : public QWidget {
    Q_OBJECT
public:
    explicit PlotView(QWidget* parent = nullptr);

    /// `x_line`: the place of the curve that is the x axis; empty: the time.
    void set_lines(std::vector<PlotLine> lines, std::optional<std::size_t> x_line = {});
    [[nodiscard]] const std::vector<PlotLine>& lines() const noexcept { return lines_; }
    /// A row of ticks each.
    void set_marks(std::vector<PlotMarks> marks);
    [[nodiscard]] const std::vector<PlotMarks>& marks() const noexcept { return marks_; }
    /// Above the curves: their names with the values at the time on the screen, and the names of the marks.
    void set_legend(bool has_legend);
    /// What is said while there is no curve.
    void set_hint(const QString& hint);
    /// Of all open traces; empty: nothing is open.
    void set_extent(const std::optional<TimeSection>& extent);
    /// Of the screen.
    void set_time(Nanoseconds time);
    void set_section(const std::optional<TimeSection>& section);
    /// Draws this curve broader; empty: none.
    void set_chosen(std::optional<std::size_t> line);

    /// The visible range of times.
    [[nodiscard]] const TimeSection& visible() const noexcept { return visible_; }
    void show_section(const TimeSection& section);
    /// Of a plot beside it: the same times, without a signal.
    void follow(const TimeSection& visible);
    /// Is it the one of several that new curves are added to?
    void set_current(bool is_current);
    void show_all();
    /// Is everything painted?
    [[nodiscard]] bool is_complete() const noexcept
    {
        return !is_outdated_ && painted_ == lines_.size() && !background_.isNull();
    }

    /// Paints the plot with its legend onto any device.
    void paint(QPainter& painter, const QSize& size) const;
    /// Writes what is visible. Return an empty text, or the error. CSV is written in the background; see `written`.
    QString save_png(const QString& file) const;
    QString save_svg(const QString& file) const;
    void save_csv(const QString& file);
    /// They ask for the file.
    void add_save_actions(QMenu& menu);

    /// The area of the curves, and where a time and a value of a line are in it.
    [[nodiscard]] QRect area() const noexcept { return area_; }
    [[nodiscard]] QPointF place_of(std::size_t line, Nanoseconds time, double value) const;
    [[nodiscard]] QString tip_at(const QPoint& place) const;
    [[nodiscard]] QSize sizeHint() const override { return {600, 220}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 150}; }

signals:
    void seek_requested(std::chrono::nanoseconds time);
    void section_chosen(const std::optional<ositrace::TimeSection>& section);
    /// The user has zoomed, moved or shown all.
    void visible_changed(const ositrace::TimeSection& visible);
    /// The user has pressed a mouse button on it.
    void pressed();
    /// The context menu is about to be shown: others can add to it.
    void menu_opened(QMenu* menu);
    /// The values were written; `problem` is empty, or the error.
    void written(const QString& file, const QString& problem);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// A curve or a row of marks.
    struct LegendItem {
        QString text;
        QColor colour;
        int width = 0;  ///< whatever its value is
    };
    enum class Drag : std::uint8_t { none, zoom, seek, pan };
    /// A vertical axis: the curves with one unit.
    struct Axis {
        QString unit;
        ValueScale scale;
        int left = 0;   ///< of its numbers
        int width = 0;  ///< of its numbers
        bool is_right = false;
        std::vector<std::size_t> lines;
    };
    /// What is where, for a size.
    struct Plan {
        QRect area;
        TimeScale time;
        ValueScale x;  ///< of the curve that is the x axis
        QString x_unit;
        std::vector<Axis> axes;
        std::vector<std::size_t> axis_of;  ///< by line
        std::vector<QRect> legend;         ///< by item
        bool is_picture = false;           ///< not the screen
    };
    [[nodiscard]] Plan plan(const QRect& whole, bool is_picture) const;
    [[nodiscard]] ValueRange range_of(const PlotLine& line, const TimeSection& section) const;
    [[nodiscard]] bool is_drawn(std::size_t line) const;
    /// `at_once`: what is painted now is of no use. Otherwise it is completed first: live data changes faster than all
    /// lines are painted.
    void plan_again(bool at_once = true);
    void set_visible(const TimeSection& section);

    void paint_frame(QPainter& painter, const Plan& plan, const QPalette& palette) const;
    void paint_axis(QPainter& painter, const Axis& axis, const Plan& plan) const;
    void paint_line(QPainter& painter, std::size_t line, const Plan& plan) const;
    void paint_over_time(QPainter& painter, const PlotLine& line, const Plan& plan, const ValueScale& scale) const;
    void paint_over_curve(QPainter& painter, const PlotLine& line, const Plan& plan, const ValueScale& scale) const;
    void paint_section(QPainter& painter, const Plan& plan) const;
    void paint_cursor(QPainter& painter, const Plan& plan) const;
    void paint_marks(QPainter& painter, const Plan& plan) const;
    void paint_legend(QPainter& painter, const Plan& plan) const;
    [[nodiscard]] std::vector<LegendItem> legend_items(bool is_picture) const;
    [[nodiscard]] std::vector<QRect> legend_places(const QRect& whole, bool is_picture) const;
    [[nodiscard]] QString tick_text(Nanoseconds tick, Nanoseconds step) const;
    [[nodiscard]] std::optional<std::size_t> axis_at(const QPoint& place) const;
    [[nodiscard]] bool is_on_cursor(const QPoint& place) const;
    void zoom_to(const QRect& rectangle);
    void move_by(const QPoint& distance);
    void seek_to(const QPoint& place);
    void ask_and_save(const QString& title, const QString& suffix);
    void tell(const QString& problem);

    std::vector<PlotLine> lines_;
    std::vector<PlotMarks> marks_;
    QString hint_;
    bool has_legend_ = false;
    bool is_current_ = false;
    std::optional<std::size_t> x_line_;
    std::optional<TimeSection> extent_;
    std::optional<TimeSection> section_;
    std::optional<std::size_t> chosen_;
    Nanoseconds time_{};
    TimeSection visible_{};
    bool is_zoomed_ = false;
    std::map<QString, ValueRange> chosen_ranges_;  ///< by unit: what the user has zoomed to
    std::optional<ValueRange> chosen_x_;           ///< likewise, of the curve that is the x axis

    Plan now_;
    QRect area_;
    QPixmap background_;        ///< all but section and cursor; null: to be painted
    Plan painting_;             ///< of it
    std::size_t painted_ = 0;   ///< lines in it
    bool is_outdated_ = false;  ///< when it is complete it is painted again
    QPixmap shown_;             ///< the last complete one
    Drag drag_ = Drag::none;
    QPoint drag_from_, drag_now_;
    Plan drag_plan_;
    std::jthread writer_;  ///< of the CSV file
};

}  // namespace ositrace::gui
