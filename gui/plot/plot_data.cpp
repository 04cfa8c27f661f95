// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/plot_data.hpp"

#include "gui/session/open_channel.hpp"
#include "gui/tree/value_text.hpp"

namespace ositrace::gui {

namespace {

bool is_real(FieldKind kind) noexcept { return kind == FieldKind::double_ || kind == FieldKind::float_; }

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

}  // namespace

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

}  // namespace ositrace::gui
