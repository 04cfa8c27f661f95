// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string_view>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>

#include "formats/protobuf/wire.hpp"

namespace ositrace::wire {

/// Walks the fields of one message, for code that is not in a hurry: `while (reader.next()) switch (reader.number())
/// ...`. Throws Error (malformed) with the offset. Borrows the bytes.
class FieldReader {
public:
    /// `origin`: where offsets in errors count from, when the message is a part of something.
    explicit FieldReader(Bytes message, const std::byte* origin = nullptr) noexcept
        : origin_(origin == nullptr ? message.data() : origin), at_(message.data()), end_(at_ + message.size())
    {
    }

    bool next()
    {
        if (at_ == end_) return false;
        const auto* const start = start_ = at_;
        at_ = read_tag(at_, end_, tag_);
        if (at_ == nullptr) fail(start, why_broken_tag(start, end_));
        const auto* const value = at_;
        if (wire_type_of(tag_) == length_delimited) {
            std::size_t length = 0;
            at_ = read_length(value, end_, length);
            if (at_ == nullptr) fail(value, why_broken(value, end_, length_delimited));
            bytes_ = {at_, length};
            at_ += length;
        } else {
            at_ = skip_field(value, end_, tag_, max_message_depth);
            if (at_ == nullptr) fail(value, why_broken(value, end_, wire_type_of(tag_)));
            if (wire_type_of(tag_) == varint) static_cast<void>(read_varint(value, end_, varint_));
        }
        return true;
    }

    [[nodiscard]] std::uint32_t number() const noexcept { return number_of(tag_); }
    [[nodiscard]] std::uint8_t wire_type() const noexcept { return wire_type_of(tag_); }
    /// The whole field: tag, length and value.
    [[nodiscard]] Bytes field() const noexcept { return {start_, at_}; }
    /// Of a length-delimited field.
    [[nodiscard]] Bytes bytes() const noexcept { return wire_type() == length_delimited ? bytes_ : Bytes{}; }
    [[nodiscard]] std::string_view text() const noexcept { return text_of(bytes()); }
    /// Of a varint field; 0 otherwise.
    [[nodiscard]] std::uint64_t integer() const noexcept { return wire_type() == varint ? varint_ : 0; }

private:
    [[noreturn]] void fail(const std::byte* where, std::string_view what) const
    {
        throw Error(Cause::malformed,
                    {.file = {}, .frame = {}, .offset = static_cast<std::uint64_t>(where - origin_), .field = {}},
                    what);
    }

    const std::byte* origin_;
    const std::byte* at_;
    const std::byte* end_;
    const std::byte* start_ = nullptr;  ///< of the current field
    std::uint32_t tag_ = 0;
    std::uint64_t varint_ = 0;
    Bytes bytes_;
};

}  // namespace ositrace::wire
