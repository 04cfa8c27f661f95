// SPDX-License-Identifier: MPL-2.0
#include <ositrace/value_query.hpp>

#include <algorithm>
#include <cmath>

#include "lib/query/comparison.hpp"

namespace ositrace {

namespace {

std::string_view trimmed(std::string_view text) noexcept
{
    const auto begin = text.find_first_not_of(" \t");
    return begin == std::string_view::npos ? std::string_view{}
                                           : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string lower_text(std::string_view text)
{
    std::string all(text);
    std::ranges::transform(all, all.begin(), lower_case);
    return all;
}

std::shared_ptr<const Number> shared_number_in(std::string_view text)
{
    const auto number = number_in(text);
    return number ? std::make_shared<const Number>(*number) : nullptr;
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
    return std::ranges::equal(wanted, name, [](char a, char b) { return a == lower_case(b); });
}

}  // namespace

std::optional<ValueQuery> ValueQuery::parse(std::string_view text)
{
    text = trimmed(text);
    if (text.empty()) return std::nullopt;
    ValueQuery query;
    const bool is_quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
    const auto at = is_quoted ? std::string_view::npos : text.find_first_of("=!<>~");
    if (at == std::string_view::npos) {
        query.text_ = is_quoted ? text.substr(1, text.size() - 2) : text;
        if (!is_quoted) query.number_ = shared_number_in(text);
        if (query.number_) query.comparison_ = Comparison::equal;
        return query;
    }
    const auto sign = comparison_at(text.substr(at));
    const auto field = trimmed(text.substr(0, at));
    if (!sign || !is_path(field)) return std::nullopt;
    const auto value = trimmed(text.substr(at + sign->text.size()));
    query.field_ = lower_text(field);
    query.comparison_ = sign->comparison;
    if (sign->comparison != Comparison::contains) query.number_ = shared_number_in(value);
    query.text_ = value;
    const bool takes_text = sign->comparison == Comparison::equal || sign->comparison == Comparison::not_equal ||
                            sign->comparison == Comparison::contains;
    const bool is_finite = query.number_ && std::isfinite(query.number_->real());
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

bool ValueQuery::matches_number(const Value& value) const
{
    const auto number = Number::of(value);
    if (!number_ || !number) return false;
    if (!std::isfinite(number_->real())) return std::isfinite(number->real()) == (comparison_ == Comparison::not_equal);
    // 0.1F differs from 0.1, but a search for 0.1 must find it.
    return holds(comparison_, *number, std::holds_alternative<float>(value) ? number_->as_float() : *number_);
}

bool ValueQuery::matches(const FieldRow& field, const Value& value) const
{
    if (const auto* const text = std::get_if<std::string_view>(&value)) {
        const bool is_part = field_.empty() && comparison_ == Comparison::equal;
        return holds(is_part ? Comparison::contains : comparison_, *text, text_);
    }
    if (const auto* const flag = std::get_if<bool>(&value))
        return holds(Comparison::equal, text_, *flag ? "true" : "false") != (comparison_ == Comparison::not_equal);
    if (field.kind != FieldKind::enumeration || number_) return matches_number(value);
    const auto number = static_cast<std::int32_t>(std::get<std::int64_t>(value));
    if (comparison_ == Comparison::contains) return holds(comparison_, field.enumeration->name_of(number), text_);
    const auto* const named = find_enumerator(*field.enumeration, text_);
    return (named != nullptr && named->number == number) == (comparison_ == Comparison::equal);
}

}  // namespace ositrace
