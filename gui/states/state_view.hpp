// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <QAbstractScrollArea>
#include <QColor>
#include <QPixmap>
#include <QString>

#include <ositrace/schema.hpp>

#include "gui/playback/time_scale.hpp"
#include "gui/session/open_channel.hpp"
#include "gui/states/state_reader.hpp"

namespace ositrace::gui {

/// How a value of a field is shown.
struct StateLook {
    QColor colour;
    QString text;           ///< `RED`: without what the names of its enum begin with
    bool is_faint = false;  ///< off, unknown, false, a lamp that is off: drawn as a thin bar
};

/// `text`: the value as text; `order`: its place among the values of the field, for colours without a meaning.
[[nodiscard]] StateLook look_of(const FieldRow& field, std::string_view text, std::size_t order);

/// Black or white, whichever is readable on a colour.
[[nodiscard]] QColor text_colour_on(const QColor& colour);

/// The values of a field of an object over time.
struct StateCurve {
    SeriesCurve curve;
    std::vector<StateRun> runs;  ///< ascending, without overlaps
    /// Does the value change, or is the object there only a part of the time?
    [[nodiscard]] bool changes(std::uint64_t messages) const noexcept
    {
        return runs.size() > 1 || runs.front().first != 0 || runs.back().last + 1 != messages;
    }
};

/// Coloured bars over time, a row per object, below a row with the name of the field and the meaning of the colours.
/// The time axis is that of the timeline. A click seeks; close to a change it seeks to the change.
class StateView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit StateView(QWidget* parent = nullptr);

    /// An empty view of the fields of a plan.
    void begin(OpenChannel channel, std::vector<FieldPath> fields);
    void clear();
    /// The times have changed.
    void set_channel(OpenChannel channel);
    void add(const StateUpdate& update);
    void set_only_changes(bool only);
    void set_scale(const TimeSection& section);
    void set_time(Nanoseconds time);

    /// The first change after, or the last one before a message, of the selected row, else of all rows. Selects its
    /// row if it is one of all.
    [[nodiscard]] std::optional<std::uint64_t> change(std::uint64_t from, int direction) const;

    [[nodiscard]] const std::vector<StateCurve>& curves() const noexcept { return curves_; }
    /// The curves in the order of the rows.
    [[nodiscard]] std::vector<std::uint32_t> shown() const;
    [[nodiscard]] QString value_at(std::uint32_t curve, std::uint64_t message) const;
    /// The row of a curve in the viewport; empty: it is not shown.
    [[nodiscard]] QRect row_of(std::uint32_t curve) const;
    [[nodiscard]] const TimeScale& scale() const noexcept { return scale_; }
    [[nodiscard]] std::optional<std::uint32_t> selected() const noexcept { return selected_; }
    void select(std::optional<std::uint32_t> curve);
    [[nodiscard]] QString tip_at(const QPoint& place) const;

signals:
    void time_requested(std::chrono::nanoseconds time);
    void message_requested(std::uint64_t number);
    void curve_selected(std::uint32_t curve);
    void field_removed(std::uint32_t field);
    /// The wheel over the bars: zooms the timeline.
    void zoom_requested(double factor, std::chrono::nanoseconds around);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    struct Row {
        std::optional<std::uint32_t> curve;  ///< empty: the name of the field
        std::uint32_t field = 0;
        int top = 0;  ///< pixel below the first row
    };

    [[nodiscard]] static int height_of(const Row& row);
    void list_rows();
    void fit();
    void redraw();
    [[nodiscard]] QRect bars() const;
    [[nodiscard]] QRect rect_of(const Row& row) const;
    [[nodiscard]] const Row* row_at(const QPoint& place) const;
    [[nodiscard]] std::optional<std::uint64_t> message_at(double x) const;
    [[nodiscard]] const StateRun* run_at(std::uint32_t curve, std::uint64_t message) const;
    [[nodiscard]] QString text_of(std::uint32_t field, std::uint64_t bits) const;
    [[nodiscard]] StateLook look_of(std::uint32_t field, std::uint64_t bits, std::size_t order) const;
    [[nodiscard]] QString name_of_row(const StateCurve& curve) const;
    void paint_background();
    void paint_field(QPainter& painter, const QRect& row, std::uint32_t field) const;
    void paint_curve(QPainter& painter, const QRect& row, const StateCurve& curve) const;
    void paint_texts(QPainter& painter, const QRect& row, const StateCurve& curve) const;

    std::optional<OpenChannel> channel_;
    std::vector<FieldPath> fields_;
    std::vector<StateCurve> curves_;
    std::vector<std::string> texts_;
    std::vector<std::map<std::uint64_t, StateLook>> values_;  ///< by field: how each value is shown
    std::uint64_t messages_ = 0;
    std::vector<Row> rows_;
    bool only_changes_ = false;
    std::optional<std::uint32_t> selected_;
    TimeScale scale_;
    Nanoseconds time_{};
    QPixmap background_;  ///< everything but the cursor; null: must be painted
};

}  // namespace ositrace::gui
