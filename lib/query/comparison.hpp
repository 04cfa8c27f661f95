// SPDX-License-Identifier: MPL-2.0
// How values are compared, in expressions and in searches for a value.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/value_query.hpp>

namespace ositrace {

/// The operator that a text begins with; empty: none.
struct ComparisonSign {
    std::string_view text;
    Comparison comparison;
};
[[nodiscard]] std::optional<ComparisonSign> comparison_at(std::string_view text) noexcept;

/// A number without loss: an integer of 64 bits, signed or not, or a double.
class Number {
public:
    Number() = default;
    explicit Number(double real) noexcept : real_(real) {}
    explicit Number(std::uint64_t integer) noexcept
        : real_(static_cast<double>(integer)), magnitude_(integer), is_integer_(true)
    {
    }
    explicit Number(std::int64_t integer) noexcept
        : real_(static_cast<double>(integer)),
          magnitude_(integer < 0 ? 0 - static_cast<std::uint64_t>(integer) : static_cast<std::uint64_t>(integer)),
          is_negative_(integer < 0),
          is_integer_(true)
    {
    }
    /// Empty for a value that is no number; a bool is none.
    [[nodiscard]] static std::optional<Number> of(const Value& value) noexcept;

    [[nodiscard]] double real() const noexcept { return real_; }
    [[nodiscard]] bool is_integer() const noexcept { return is_integer_; }
    [[nodiscard]] Number negative() const noexcept;
    /// As a field of kind float holds it.
    [[nodiscard]] Number as_float() const noexcept;
    friend std::partial_ordering operator<=>(const Number& a, const Number& b) noexcept;

private:
    double real_ = 0;
    std::uint64_t magnitude_ = 0;  ///< of an integer
    bool is_negative_ = false;
    bool is_integer_ = false;
};

[[nodiscard]] bool holds(Comparison comparison, const Number& a, const Number& b) noexcept;
/// Without regard to case; false for an order.
[[nodiscard]] bool holds(Comparison comparison, std::string_view a, std::string_view b) noexcept;

/// The whole text as a number; `nan` and `inf` among them.
[[nodiscard]] std::optional<Number> number_in(std::string_view text) noexcept;

/// The enumerator that a name means: `COLOR_RED`, `color_red`, `RED`; null: none.
[[nodiscard]] const EnumTable::Value* find_enumerator(const EnumTable& table, std::string_view name) noexcept;

[[nodiscard]] constexpr char lower_case(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace ositrace
