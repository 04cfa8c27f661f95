// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <QByteArray>
#include <QString>

#include <ositrace/curve.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/timeline.hpp>

namespace ositrace::gui {

/// The least and the greatest of some values; empty without a finite one.
struct ValueRange {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    [[nodiscard]] bool is_empty() const noexcept { return !(least <= most); }
    /// Values that are not finite do not count.
    void add(double value) noexcept;
    void add(const ValueRange& other) noexcept;
    friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// Range, sum and number of the finite ones of some values.
struct ValueSummary {
    ValueRange range;
    double sum = 0;
    std::uint64_t count = 0;

    void add(double value) noexcept;
    void add(const ValueSummary& other) noexcept;
    [[nodiscard]] double mean() const noexcept { return sum / static_cast<double>(count); }
};

/// The range of any part of a long list of values in a few steps: those of 16 values, of 64, 256 ... of them.
class Envelope {
public:
    Envelope() = default;
    explicit Envelope(std::span<const double> values);
    /// Of values[from, to); `values` are those of the constructor.
    [[nodiscard]] ValueRange of(std::span<const double> values, std::size_t from, std::size_t to) const noexcept;
    [[nodiscard]] ValueSummary summary(std::span<const double> values, std::size_t from, std::size_t to) const noexcept;

private:
    template <class Result, class Add>
    Result collect(std::span<const double> values, std::size_t from, std::size_t to, const Add& block) const noexcept;

    std::vector<std::vector<ValueSummary>> levels_;
};

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
    std::size_t plot = 0;  ///< of several side by side
    QString note;          ///< after the value in the legend
    /// What its axis shows besides its values, and the largest value that it shows, unless the user zooms.
    ValueRange always_shown;
    double most_shown = std::numeric_limits<double>::infinity();

    /// Without the fields before the first element of a list and those that say nothing: `object 42.velocity.x`,
    /// `object 42 speed`.
    [[nodiscard]] QString short_name() const;
    /// Does its value stay until the next one? True for integers, enums and bools.
    [[nodiscard]] bool has_steps() const noexcept;
    /// A session time in the time of the curve, and back.
    [[nodiscard]] Nanoseconds in_curve(Nanoseconds session_time) const noexcept;
    [[nodiscard]] Nanoseconds in_session(Nanoseconds curve_time) const noexcept;
    /// The value that the screen shows at a session time; empty: none.
    [[nodiscard]] std::optional<double> value(Nanoseconds session_time) const noexcept;
    /// The same as text, as the message tree shows it; without unit.
    [[nodiscard]] QString value_text(Nanoseconds session_time) const;
    /// Of the samples from `from` to `to`, both included; samples that are no finite number do not count.
    [[nodiscard]] ValueSummary summary(const TimeSection& section) const noexcept;
    /// The session time of the first of these samples whose value is nearest to `value`; empty: there is none. Reads
    /// each of them.
    [[nodiscard]] std::optional<Nanoseconds> time_nearest(double value, const TimeSection& section) const noexcept;

private:
    [[nodiscard]] std::pair<std::size_t, std::size_t> samples_in(const TimeSection& section) const noexcept;
};

/// The values of curves as comma-separated text: a column of the session time in seconds and one per curve, a row per
/// time at which one of them has a sample, from `section.from` to `section.to`. A curve without a sample at this time,
/// and one in a gap, has an empty field. Passes it on piece by piece; false from `write` ends it, as a stop does.
/// Any thread.
void write_csv(const std::vector<PlotLine>& lines, const TimeSection& section,
               const std::function<bool(const QByteArray&)>& write, const std::stop_token& stop = {});

}  // namespace ositrace::gui
