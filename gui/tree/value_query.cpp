// SPDX-License-Identifier: MPL-2.0
#include "gui/tree/value_search.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

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
    return begin == std::string_view::npos ? std::string_view{}
                                           : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string lower(std::string_view text)
{
    std::string all(text);
    std::ranges::transform(all, all.begin(), [](char c) { return lower(c); });
    return all;
}

/// `nan` and `inf` are equivalent.
std::optional<double> number_in(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return std::isfinite(number) ? number : std::numeric_limits<double>::infinity();
}

bool is_path(std::string_view text) noexcept
{
    return text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]*") ==
           std::string_view::npos;
}

/// Removes the last name from a path and returns it.
std::string_view pop_last(std::string_view& path) noexcept
{
    const auto dot = path.rfind('.');
    const auto name = dot == std::string_view::npos ? path : path.substr(dot + 1);
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
    return name;
}

std::string_view without_element(std::string_view name) noexcept { return name.substr(0, name.find('[')); }

/// Does `wanted`, in lower case, name `name`? With an index only that element; `name[]` of the schema is any element.
bool is_name(std::string_view wanted, std::string_view name) noexcept
{
    const auto has_number = !wanted.ends_with("[]") && !wanted.ends_with("[*]") && wanted.ends_with(']');
    if (!has_number || name.ends_with("[]")) {
        wanted = without_element(wanted);
        name = without_element(name);
    }
    return std::ranges::equal(wanted, name, [](char a, char b) { return a == lower(b); });
}

}  // namespace

std::optional<ValueQuery> ValueQuery::parse(std::string_view text)
{
    struct Sign {
        std::string_view text;
        Comparison comparison;
    };
    constexpr std::array signs{Sign{"==", Comparison::equal},         Sign{"!=", Comparison::not_equal},
                               Sign{"<=", Comparison::less_or_equal}, Sign{">=", Comparison::greater_or_equal},
                               Sign{"<", Comparison::less},           Sign{">", Comparison::greater},
                               Sign{"=", Comparison::equal}};
    text = trimmed(text);
    if (text.empty()) return std::nullopt;
    ValueQuery query;
    const bool is_quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
    const auto at = is_quoted ? std::string_view::npos : text.find_first_of("=!<>");
    if (at == std::string_view::npos) {
        query.text_ = lower(is_quoted ? text.substr(1, text.size() - 2) : text);
        if (!is_quoted) query.number_ = number_in(text);
        if (query.number_) query.comparison_ = Comparison::equal;
        return query;
    }
    const auto* const sign =
        std::ranges::find_if(signs, [&](const Sign& row) { return text.substr(at).starts_with(row.text); });
    const auto field = trimmed(text.substr(0, at));
    if (sign == signs.end() || !is_path(field)) return std::nullopt;
    const auto value = trimmed(text.substr(at + sign->text.size()));
    query.field_ = lower(field);
    query.comparison_ = sign->comparison;
    query.number_ = number_in(value);
    query.text_ = lower(value);
    const bool takes_text = sign->comparison == Comparison::equal || sign->comparison == Comparison::not_equal;
    const bool is_finite = query.number_ && std::isfinite(*query.number_);
    if (value.empty() || (!takes_text && !is_finite)) return std::nullopt;
    return query;
}

bool ValueQuery::names(std::string_view path) const noexcept
{
    std::string_view wanted = field_;
    if (wanted.empty()) return true;
    // An Identifier has a single field: `id == 3` means `id.value`.
    if (auto above = path; pop_last(above) == "value" && wanted != "value" && !wanted.ends_with(".value")) path = above;
    while (!wanted.empty() && !path.empty())
        if (!is_name(pop_last(wanted), pop_last(path))) return false;
    return wanted.empty();
}

bool ValueQuery::compares(double value) const noexcept
{
    const bool is_equal = std::isfinite(*number_) ? value == *number_ : !std::isfinite(value);
    switch (comparison_) {
    case Comparison::equal: return is_equal;
    case Comparison::not_equal: return !is_equal;
    case Comparison::less: return value < *number_;
    case Comparison::less_or_equal: return value <= *number_;
    case Comparison::greater: return value > *number_;
    case Comparison::greater_or_equal: return value >= *number_;
    case Comparison::contained: break;
    }
    return false;
}

bool ValueQuery::compares(std::string_view text) const
{
    const bool is_equal = std::ranges::equal(text, text_, [](char a, char b) { return lower(a) == b; });
    switch (comparison_) {
    case Comparison::equal: return field_.empty() ? contains(text, text_) : is_equal;
    case Comparison::not_equal: return !is_equal;
    case Comparison::contained: return contains(text, text_);
    default: return false;
    }
}

bool ValueQuery::matches(const FieldRow& field, const Value& value) const
{
    if (const auto* const text = std::get_if<std::string_view>(&value)) return compares(*text);
    if (const auto* const flag = std::get_if<bool>(&value))
        return (text_ == (*flag ? "true" : "false")) != (comparison_ == Comparison::not_equal);
    if (field.kind == FieldKind::enumeration && !number_)
        return compares(field.enumeration->name_of(static_cast<std::int32_t>(std::get<std::int64_t>(value))));
    if (!number_) return false;
    // 0.1F differs from 0.1, but a search for 0.1 must find it.
    if (const auto* const real = std::get_if<float>(&value); real != nullptr && *real == static_cast<float>(*number_))
        return compares(*number_);
    const auto number = as_real(value);
    return number && compares(*number);
}

}  // namespace ositrace::gui
