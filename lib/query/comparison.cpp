// SPDX-License-Identifier: MPL-2.0
#include "lib/query/comparison.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace ositrace {

std::optional<ComparisonSign> comparison_at(std::string_view text) noexcept
{
    constexpr std::array signs{
        ComparisonSign{"==", Comparison::equal},         ComparisonSign{"!=", Comparison::not_equal},
        ComparisonSign{"<=", Comparison::less_or_equal}, ComparisonSign{">=", Comparison::greater_or_equal},
        ComparisonSign{"<", Comparison::less},           ComparisonSign{">", Comparison::greater},
        ComparisonSign{"=", Comparison::equal},          ComparisonSign{"~", Comparison::contains}};
    const auto* const found =
        std::ranges::find_if(signs, [&](const ComparisonSign& sign) { return text.starts_with(sign.text); });
    return found == signs.end() ? std::nullopt : std::optional(*found);
}

std::optional<Number> Number::of(const Value& value) noexcept
{
    if (const auto* const real = std::get_if<double>(&value)) return Number(*real);
    if (const auto* const real = std::get_if<float>(&value)) return Number(static_cast<double>(*real));
    if (const auto* const integer = std::get_if<std::int64_t>(&value)) return Number(*integer);
    if (const auto* const integer = std::get_if<std::uint64_t>(&value)) return Number(*integer);
    return std::nullopt;
}

Number Number::negative() const noexcept
{
    auto other = *this;
    other.real_ = -real_;
    other.is_negative_ = is_integer_ && !is_negative_ && magnitude_ != 0;
    return other;
}

Number Number::as_float() const noexcept
{
    const bool fits = std::abs(real_) <= static_cast<double>(std::numeric_limits<float>::max());
    return fits ? Number(static_cast<double>(static_cast<float>(real_))) : *this;
}

std::partial_ordering operator<=>(const Number& a, const Number& b) noexcept
{
    if (!a.is_integer_ || !b.is_integer_) return a.real_ <=> b.real_;
    if (a.is_negative_ != b.is_negative_)
        return a.is_negative_ ? std::partial_ordering::less : std::partial_ordering::greater;
    return a.is_negative_ ? b.magnitude_ <=> a.magnitude_ : a.magnitude_ <=> b.magnitude_;
}

bool holds(Comparison comparison, const Number& a, const Number& b) noexcept
{
    const auto order = a <=> b;
    switch (comparison) {
    case Comparison::equal: return order == 0;
    case Comparison::not_equal: return order != 0;
    case Comparison::less: return order < 0;
    case Comparison::less_or_equal: return order <= 0;
    case Comparison::greater: return order > 0;
    case Comparison::greater_or_equal: return order >= 0;
    case Comparison::contains: break;
    }
    return false;
}

bool holds(Comparison comparison, std::string_view a, std::string_view b) noexcept
{
    const auto same = [](char x, char y) { return lower_case(x) == lower_case(y); };
    switch (comparison) {
    case Comparison::equal: return std::ranges::equal(a, b, same);
    case Comparison::not_equal: return !std::ranges::equal(a, b, same);
    case Comparison::contains: return b.empty() || std::search(a.begin(), a.end(), b.begin(), b.end(), same) != a.end();
    default: return false;
    }
}

std::optional<Number> number_in(std::string_view text) noexcept
{
    const auto whole = [&](auto number) -> std::optional<Number> {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
        return Number(number);
    };
    if (const auto number = whole(std::uint64_t{})) return number;
    if (const auto number = whole(std::int64_t{})) return number;
    return whole(double{});
}

const EnumTable::Value* find_enumerator(const EnumTable& table, std::string_view name) noexcept
{
    const auto is_same = [&](std::string_view other) { return holds(Comparison::equal, other, name); };
    const EnumTable::Value* shortest = nullptr;  // `RED` is COLOR_RED rather than COLOR_NOT_RED
    for (const auto& value : table.values) {
        if (is_same(value.name)) return &value;
        if (value.name.size() <= name.size()) continue;
        const auto end = value.name.substr(value.name.size() - name.size() - 1);
        if (!end.starts_with('_') || !is_same(end.substr(1))) continue;
        if (shortest == nullptr || value.name.size() < shortest->name.size()) shortest = &value;
    }
    return shortest;
}

}  // namespace ositrace
