// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <ositrace/bytes.hpp>

#include "formats/mcap/records.hpp"

namespace ositrace::mcap {

/// Reads the fields of one record in order. Throws Error (malformed) that names record and field.
class FieldCursor {
public:
    FieldCursor(Bytes content, Opcode record) noexcept : bytes_(content), record_(record) {}

    template <class T>
    [[nodiscard]] T number(std::string_view field)
    {
        return load<T>(take(sizeof(T), field).data());
    }
    [[nodiscard]] std::uint16_t u16(std::string_view field) { return number<std::uint16_t>(field); }
    [[nodiscard]] std::uint32_t u32(std::string_view field) { return number<std::uint32_t>(field); }
    [[nodiscard]] std::uint64_t u64(std::string_view field) { return number<std::uint64_t>(field); }
    /// A length of 4 bytes and a text.
    [[nodiscard]] std::string_view text(std::string_view field) { return text_of(take(u32(field), field)); }
    [[nodiscard]] Bytes bytes(std::uint64_t length, std::string_view field) { return take(length, field); }
    [[nodiscard]] Bytes rest() noexcept { return bytes_.subspan(position_); }
    [[nodiscard]] std::size_t position() const noexcept { return position_; }

    /// A list behind its length in bytes; `element(cursor)` reads one.
    template <class Element>
    void list(std::string_view field, Element&& element)
    {
        const auto length = u32(field);
        const auto start = position_;
        FieldCursor inside(bytes_.first(start + take(length, field).size()), record_);
        inside.position_ = start;
        while (inside.position_ != inside.bytes_.size()) element(inside);
    }

private:
    Bytes take(std::uint64_t count, std::string_view field)
    {
        if (count > bytes_.size() - position_) fail(count, field);
        const auto taken = bytes_.subspan(position_, static_cast<std::size_t>(count));
        position_ += taken.size();
        return taken;
    }
    [[noreturn]] void fail(std::uint64_t count, std::string_view field) const;

    Bytes bytes_;
    std::size_t position_ = 0;
    Opcode record_;
};

}  // namespace ositrace::mcap
