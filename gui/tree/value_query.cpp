// SPDX-License-Identifier: MPL-2.0
#include "gui/tree/value_query.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ositrace::gui {

namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool contains(std::string_view text, std::string_view lower_part)
{
    const auto equal = [](char a, char b) { return lower(a) == b; };
    return std::search(text.begin(), text.end(), lower_part.begin(), lower_part.end(), equal) != text.end();
}

std::string_view trimmed(std::string_view text) noexcept
{
    const auto begin = text.find_first_not_of(" \t");
    return begin == std::string_view::npos ? std::string_view{} : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::optional<double> number_in(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc{} && end == text.data() + text.size() && std::isfinite(number);
    return is_number ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<ValueQuery> ValueQuery::parse(std::string_view text)
{
    struct Sign {
        std::string_view text;
        Comparison comparison;
    };
    constexpr std::array signs{Sign{"<=", Comparison::less_or_equal}, Sign{">=", Comparison::greater_or_equal}, Sign{"<", Comparison::less},
                               Sign{">", Comparison::greater}, Sign{"=", Comparison::equal}};
    text = trimmed(text);
    if (text.empty()) return std::nullopt;
    ValueQuery query;
    std::ranges::transform(text, std::back_inserter(query.text_), lower);
    if (query.text_ == "nan" || query.text_ == "inf") query.comparison_ = Comparison::not_finite;
    const auto* const sign = std::ranges::find_if(signs, [&](const Sign& row) { return text.starts_with(row.text); });
    const auto number = number_in(sign == signs.end() ? text : trimmed(text.substr(sign->text.size())));
    if (!number) return query;
    query.number_ = *number;
    query.comparison_ = sign == signs.end() ? Comparison::equal : sign->comparison;
    return query;
}

bool ValueQuery::compares(double value) const noexcept
{
    switch (comparison_) {
    case Comparison::equal: return value == number_;
    case Comparison::less: return value < number_;
    case Comparison::less_or_equal: return value <= number_;
    case Comparison::greater: return value > number_;
    case Comparison::greater_or_equal: return value >= number_;
    case Comparison::not_finite: return !std::isfinite(value);
    case Comparison::text: break;
    }
    return false;
}

bool ValueQuery::matches(const FieldRow& field, const Value& value) const
{
    const bool is_text = comparison_ == Comparison::text;
    if (const auto* const text = std::get_if<std::string_view>(&value)) return contains(*text, text_);
    if (const auto* const flag = std::get_if<bool>(&value)) return is_text && text_ == (*flag ? "true" : "false");
    if (field.kind == FieldKind::enumeration && is_text)
        return contains(field.enumeration->name_of(static_cast<std::int32_t>(std::get<std::int64_t>(value))), text_);
    // 0.1F is not 0.1, and who searches for it means it.
    if (const auto* const real = std::get_if<float>(&value); real != nullptr && comparison_ == Comparison::equal)
        return *real == static_cast<float>(number_);
    const auto number = as_real(value);
    return number && compares(*number);
}

}  // namespace ositrace::gui
