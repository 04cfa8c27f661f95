// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/plot_data.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <QRegularExpression>

#include "gui/session/open_channel.hpp"
#include "gui/text/csv.hpp"
#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

constexpr std::size_t values_in_first = 16;
constexpr std::size_t ranges_in_next = 4;

/// The value as the message has it.
Value value_of(const FieldRow& field, double number)
{
    if (field.kind == FieldKind::double_) return number;
    if (field.kind == FieldKind::float_) return static_cast<float>(number);
    if (field.kind == FieldKind::bool_) return number != 0;
    constexpr double past_all = 18446744073709551616.0;  // 2^64: a rounded UINT64_MAX
    if (number >= past_all) return UINT64_MAX;
    if (number >= 0) return static_cast<std::uint64_t>(number);
    return static_cast<std::int64_t>(number);
}

const FieldRow& derived_field()
{
    static const FieldRow row;  // a double
    return row;
}

constexpr qsizetype piece_bytes = 1 << 16;

/// Walks over the samples of a curve, those of equal times together.
class CurveWalk {
public:
    CurveWalk(const PlotLine& line, Nanoseconds from) : line_(line)
    {
        if (!line.data) return;
        const auto& times = line.data->curve.times;
        next_ =
            static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), line.in_curve(from)) - times.begin());
    }

    [[nodiscard]] std::optional<Nanoseconds> next_time() const
    {
        if (!line_.data || next_ == line_.data->curve.times.size()) return std::nullopt;
        return line_.in_session(line_.data->curve.times[next_]);
    }
    /// The samples at this time are passed over; the text of the last one.
    QByteArray take(Nanoseconds time)
    {
        bool has_sample = false;
        for (; next_time() == time; ++next_) has_sample = true;
        return has_sample ? csv_field(line_.value_text(time)) : QByteArray();
    }

private:
    const PlotLine& line_;
    std::size_t next_ = 0;
};

}  // namespace

void ValueRange::add(double value) noexcept
{
    if (!std::isfinite(value)) return;
    least = std::min(least, value);
    most = std::max(most, value);
}

void ValueRange::add(const ValueRange& other) noexcept
{
    least = std::min(least, other.least);
    most = std::max(most, other.most);
}

void ValueSummary::add(double value) noexcept
{
    if (!std::isfinite(value)) return;
    range.add(value);
    sum += value;
    ++count;
}

void ValueSummary::add(const ValueSummary& other) noexcept
{
    range.add(other.range);
    sum += other.sum;
    count += other.count;
}

Envelope::Envelope(std::span<const double> values)
{
    if (values.size() < values_in_first) return;
    auto& first = levels_.emplace_back((values.size() + values_in_first - 1) / values_in_first);
    for (std::size_t i = 0; i != values.size(); ++i) first[i / values_in_first].add(values[i]);
    while (levels_.back().size() > ranges_in_next) {
        const auto& below = levels_.back();
        std::vector<ValueSummary> next((below.size() + ranges_in_next - 1) / ranges_in_next);
        for (std::size_t i = 0; i != below.size(); ++i) next[i / ranges_in_next].add(below[i]);
        levels_.push_back(std::move(next));
    }
}

ValueRange Envelope::of(std::span<const double> values, std::size_t from, std::size_t to) const noexcept
{
    return collect<ValueRange>(values, from, to, [](const ValueSummary& each) { return each.range; });
}

ValueSummary Envelope::summary(std::span<const double> values, std::size_t from, std::size_t to) const noexcept
{
    return collect<ValueSummary>(values, from, to, [](const ValueSummary& each) { return each; });
}

template <class Result, class Add>
Result Envelope::collect(std::span<const double> values, std::size_t from, std::size_t to,
                         const Add& block) const noexcept
{
    Result range;
    to = std::min(to, values.size());
    if (from >= to) return range;
    // Up the levels while both ends are inside, then down again: at each level what the next one does not cover.
    std::size_t unit = values_in_first;
    if (levels_.empty() || (from + unit - 1) / unit >= to / unit) {
        for (auto i = from; i != to; ++i) range.add(values[i]);
        return range;
    }
    auto begin = (from + unit - 1) / unit, end = to / unit;
    for (auto i = from; i != begin * unit; ++i) range.add(values[i]);
    for (auto i = end * unit; i != to; ++i) range.add(values[i]);
    for (std::size_t level = 0; begin < end; ++level) {
        const auto& ranges = levels_[level];
        if (level + 1 == levels_.size()) {
            for (; begin != end; ++begin) range.add(block(ranges[begin]));
            break;
        }
        for (; begin < end && begin % ranges_in_next != 0; ++begin) range.add(block(ranges[begin]));
        for (; begin < end && end % ranges_in_next != 0; --end) range.add(block(ranges[end - 1]));
        begin /= ranges_in_next;
        end /= ranges_in_next;
    }
    return range;
}

bool PlotLine::has_steps() const noexcept { return field != nullptr && !is_real(field->kind); }

Nanoseconds PlotLine::in_curve(Nanoseconds session_time) const noexcept
{
    // The least int64 has no negative.
    return shifted(session_time, shift == Nanoseconds::min() ? Nanoseconds::max() : -shift);
}

Nanoseconds PlotLine::in_session(Nanoseconds curve_time) const noexcept { return shifted(curve_time, shift); }

std::optional<double> PlotLine::value(Nanoseconds session_time) const noexcept
{
    return data ? value_at(data->curve, in_curve(session_time)) : std::nullopt;
}

QString PlotLine::short_name() const
{
    static const QRegularExpression before_element(QStringLiteral("(^|[(, ])(?:\\w+\\.)+(?=\\w+\\[)"));
    // `moving_object[id=42].base.velocity.x` is `object 42.velocity.x`.
    static const QRegularExpression object(QStringLiteral("\\b(?:moving|stationary)_object\\[id=(\\d+)\\]"));
    static const QRegularExpression base(
        QStringLiteral("\\.base(?=\\.(?:position|velocity|acceleration|orientation|dimension))"));
    static const QRegularExpression length_of_velocity(QStringLiteral("\\bnorm\\((object \\d+)\\.velocity\\)"));
    return QString(name)
        .replace(before_element, QStringLiteral("\\1"))
        .replace(object, QStringLiteral("object \\1"))
        .remove(base)
        .replace(length_of_velocity, QStringLiteral("\\1 speed"));
}

std::pair<std::size_t, std::size_t> PlotLine::samples_in(const TimeSection& section) const noexcept
{
    if (!data) return {0, 0};
    const auto& times = data->curve.times;
    const auto from = std::lower_bound(times.begin(), times.end(), in_curve(section.from));
    const auto to = std::upper_bound(from, times.end(), in_curve(section.to));
    return {static_cast<std::size_t>(from - times.begin()), static_cast<std::size_t>(to - times.begin())};
}

ValueSummary PlotLine::summary(const TimeSection& section) const noexcept
{
    const auto [from, to] = samples_in(section);
    return from == to ? ValueSummary() : data->envelope.summary(data->curve.values, from, to);
}

std::optional<Nanoseconds> PlotLine::time_nearest(double value, const TimeSection& section) const noexcept
{
    const auto [from, to] = samples_in(section);
    std::optional<std::size_t> nearest;
    for (auto i = from; i != to; ++i) {
        const auto each = data->curve.values[i];
        if (!std::isfinite(each)) continue;
        if (!nearest || std::abs(each - value) < std::abs(data->curve.values[*nearest] - value)) nearest = i;
    }
    return nearest ? std::optional(in_session(data->curve.times[*nearest])) : std::nullopt;
}

QString PlotLine::value_text(Nanoseconds session_time) const
{
    const auto number = value(session_time);
    if (!number) return {};
    const auto& row = field == nullptr ? derived_field() : *field;
    // An enumerator is looked up as the signed number that it is.
    const auto value =
        row.kind == FieldKind::enumeration ? Value(static_cast<std::int64_t>(*number)) : value_of(row, *number);
    return gui::value_text(row, value);
}

void write_csv(const std::vector<PlotLine>& lines, const TimeSection& section,
               const std::function<bool(const QByteArray&)>& write, const std::stop_token& stop)
{
    QByteArray piece = "time [s]";
    std::vector<CurveWalk> walks;
    for (const auto& each : lines) {
        piece += ',' + csv_field(each.unit.isEmpty() ? each.name : QStringLiteral("%1 [%2]").arg(each.name, each.unit));
        walks.emplace_back(each, section.from);
    }
    piece += '\n';
    while (!stop.stop_requested()) {
        std::optional<Nanoseconds> time;
        for (const auto& each : walks)
            if (const auto next = each.next_time(); next && (!time || *next < *time)) time = next;
        if (!time || *time > section.to) break;
        piece += csv_time(*time, Nanoseconds(1));
        for (auto& each : walks) piece += ',' + each.take(*time);
        piece += '\n';
        if (piece.size() < piece_bytes) continue;
        if (!write(piece)) return;
        piece.clear();
    }
    write(piece);
}

}  // namespace ositrace::gui
