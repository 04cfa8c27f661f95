// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ositrace/message_view.hpp>

namespace ositrace::gui {

/// What a value is searched by: `42`, `> 30`, `<= -0.5`, `nan` (what is not finite), `TYPE_CAR` or another part of a text.
class ValueQuery {
public:
    /// Empty for a text without words.
    [[nodiscard]] static std::optional<ValueQuery> parse(std::string_view text);

    /// Of a scalar, a string or an enum; messages and bytes match nothing.
    [[nodiscard]] bool matches(const FieldRow& field, const Value& value) const;

private:
    enum class Comparison : std::uint8_t { equal, less, less_or_equal, greater, greater_or_equal, not_finite, text };

    [[nodiscard]] bool compares(double value) const noexcept;

    Comparison comparison_ = Comparison::text;
    double number_ = 0;
    std::string text_;  ///< lower case
};

}  // namespace ositrace::gui
