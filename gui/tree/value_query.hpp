// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ositrace/message_view.hpp>

namespace ositrace::gui {

/// What a value is searched by: `42`, `> 30`, `nan` (what is not finite), `TYPE_CAR` or another part of a text, `"a=b"`
/// where a text contains an operator. A field may come before the operator, by its last name or more of its path:
/// `signal_strength > -66`, `base.velocity.x <= 0`, `moving_object[3].type != TYPE_VEHICLE`.
class ValueQuery {
public:
    /// Empty for a text without words, and for one that is none of these.
    [[nodiscard]] static std::optional<ValueQuery> parse(std::string_view text);

    /// Lower case, as it was written; empty: all fields.
    [[nodiscard]] const std::string& field() const noexcept { return field_; }
    /// Does field() name the value at this path? `[]` and `[*]` of field() are any element.
    [[nodiscard]] bool names(std::string_view path) const noexcept;
    /// Of a scalar, a string or an enum; messages and bytes match nothing.
    [[nodiscard]] bool matches(const FieldRow& field, const Value& value) const;

private:
    enum class Comparison : std::uint8_t {
        equal,
        not_equal,
        less,
        less_or_equal,
        greater,
        greater_or_equal,
        contained
    };

    [[nodiscard]] bool compares(double value) const noexcept;
    [[nodiscard]] bool compares(std::string_view text) const;

    std::string field_;
    Comparison comparison_ = Comparison::contained;
    std::optional<double> number_;  ///< infinite: any value that is not finite
    std::string text_;              ///< lower case
};

}  // namespace ositrace::gui
