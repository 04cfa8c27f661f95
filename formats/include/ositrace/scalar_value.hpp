// SPDX-License-Identifier: MPL-2.0
// The stored bits of a scalar, as MessageView::stored_scalar() returns them, as a number or a Value.
#pragma once

#include <bit>
#include <cstdint>

#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// Of an integer, enum or bool; an unsigned one keeps its bits.
[[nodiscard]] constexpr std::int64_t integer_of(const FieldRow& field, std::uint64_t stored) noexcept
{
    if (field.flat_size == 4 && !is_unsigned(field.kind)) return static_cast<std::int32_t>(stored);
    return static_cast<std::int64_t>(stored);
}

/// Of any number.
[[nodiscard]] inline double real_of(const FieldRow& field, std::uint64_t stored) noexcept
{
    if (field.kind == FieldKind::double_) return std::bit_cast<double>(stored);
    if (field.kind == FieldKind::float_)
        return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(stored)));
    if (is_unsigned(field.kind)) return static_cast<double>(stored);
    return static_cast<double>(integer_of(field, stored));
}

[[nodiscard]] inline Value scalar_value(const FieldRow& field, std::uint64_t stored) noexcept
{
    if (field.kind == FieldKind::bool_) return stored != 0;
    if (field.kind == FieldKind::double_) return std::bit_cast<double>(stored);
    if (field.kind == FieldKind::float_) return std::bit_cast<float>(static_cast<std::uint32_t>(stored));
    if (is_unsigned(field.kind)) return stored;
    return integer_of(field, stored);
}

}  // namespace ositrace
