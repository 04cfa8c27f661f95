// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <QString>

#include <ositrace/curve.hpp>
#include <ositrace/schema.hpp>

#include "gui/plot/envelope.hpp"

namespace ositrace::gui {

/// A curve in the time of its trace, ready to be painted. Immutable; any thread.
struct PlotData {
    explicit PlotData(Curve from) : curve(std::move(from)), envelope(curve.values) {}

    Curve curve;
    Envelope envelope;
};

/// A curve of a plot: a value.
struct PlotLine {
    QString name;  ///< `moving_object[id=42].base.velocity.x`
    QString unit;
    QString channel;                       ///< display name of its channel
    std::shared_ptr<const PlotData> data;  ///< null: nothing is read yet
    Nanoseconds shift{};                   ///< session time = time of the curve + shift
    /// Of a path: the field, whose values keep their text (names of an enum); null for what is derived. Kept alive by
    /// `owner`.
    const FieldRow* field = nullptr;
    std::shared_ptr<const void> owner;
    std::size_t colour = 0;  ///< place in the list of colours
    bool is_hidden = false;
    QString note;  ///< after the value in the legend
    /// What its axis shows besides its values, and the largest value that it shows, unless the user zooms.
    ValueRange always_shown;
    double most_shown = std::numeric_limits<double>::infinity();

    /// Does its value stay until the next one? True for integers, enums and bools.
    [[nodiscard]] bool has_steps() const noexcept;
    /// A session time in the time of the curve, and back.
    [[nodiscard]] Nanoseconds in_curve(Nanoseconds session_time) const noexcept;
    [[nodiscard]] Nanoseconds in_session(Nanoseconds curve_time) const noexcept;
    /// The value that the screen shows at a session time; empty: none.
    [[nodiscard]] std::optional<double> value(Nanoseconds session_time) const noexcept;
    /// The same as text, as the message tree shows it; without unit.
    [[nodiscard]] QString value_text(Nanoseconds session_time) const;
};

}  // namespace ositrace::gui
