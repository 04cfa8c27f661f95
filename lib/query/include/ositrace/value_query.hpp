// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

enum class Comparison : std::uint8_t { equal, not_equal, less, less_or_equal, greater, greater_or_equal, contains };

class Number;

/// A condition for any value of a message: `42`, `> 30`, `nan` (any value that is not finite), `TYPE_CAR` or another
/// part of a text, `"a=b"` for a text with an operator. A field may precede the operator, by its last name or more of
/// its path: `signal_strength > -66`, `base.velocity.x <= 0`, `moving_object[3].type != VEHICLE`. Operators and the
/// comparison of values are those of a Query. Cheap to copy.
class ValueQuery {
public:
    /// Empty for an empty or invalid text.
    [[nodiscard]] static std::optional<ValueQuery> parse(std::string_view text);

    /// In lower case; empty: all fields.
    [[nodiscard]] const std::string& field() const noexcept { return field_; }
    /// Does field() name the value at this path? `[]` and `[*]` in field() match any element.
    [[nodiscard]] bool names(std::string_view path) const noexcept;
    /// Matches scalars, strings and enums; messages and bytes never match.
    [[nodiscard]] bool matches(const FieldRow& field, const Value& value) const;

private:
    [[nodiscard]] bool matches_number(const Value& value) const;

    std::string field_;
    Comparison comparison_ = Comparison::contains;
    std::shared_ptr<const Number> number_;  ///< null: none; not finite: matches any value that is not finite
    std::string text_;                      ///< as it was written, without quotes
};

}  // namespace ositrace
