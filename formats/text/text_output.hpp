// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>
#include <ositrace/message_view.hpp>

namespace ositrace::text {

/// Appends characters to a buffer. Borrows it.
class Output {
public:
    explicit Output(ByteBuffer& out) : out_(out), start_(out.size()) {}

    /// Tables of a FlatBuffer may be shared, so that a small one can produce endless text. Throws Error
    /// (limit).
    void check_size() const
    {
        if (out_.size() - start_ > max_encodable_bytes)
            throw Error(Cause::limit, "the text of the message exceeds the limit of 2147483647 bytes");
    }

    void put(char c)
    {
        *out_.reserve_back(1) = static_cast<std::byte>(c);
        out_.commit_back(1);
    }
    void put(std::string_view text)
    {
        if (text.empty()) return;  // and then perhaps nowhere
        std::memcpy(out_.reserve_back(text.size()), text.data(), text.size());
        out_.commit_back(text.size());
    }
    void put_spaces(std::size_t count)
    {
        if (count == 0) return;
        std::memset(out_.reserve_back(count), ' ', count);
        out_.commit_back(count);
    }
    void put_integer(std::integral auto value)
    {
        put_digits([&](char* from, char* to) { return std::to_chars(from, to, value).ptr; });
    }
    /// The shortest digits that give a finite number back; written out as libprotobuf does where they are few, else
    /// with an exponent.
    template <std::floating_point Real>
    void put_real(Real value)
    {
        constexpr auto smallest = static_cast<Real>(1e-4);
        constexpr auto largest = static_cast<Real>(sizeof(Real) == 8 ? 1e15 : 1e8);
        const auto size = std::abs(value);
        const auto form = size == 0 || (size >= smallest && size < largest) ? std::chars_format::fixed
                                                                            : std::chars_format::scientific;
        put_digits([&](char* from, char* to) { return std::to_chars(from, to, value, form).ptr; });
    }

private:
    template <class Print>
    void put_digits(Print&& print)
    {
        constexpr std::size_t longest = 48;
        auto* const from = reinterpret_cast<char*>(out_.reserve_back(longest));
        out_.commit_back(static_cast<std::size_t>(print(from, from + longest) - from));
    }

    ByteBuffer& out_;
    std::size_t start_;
};

// Strings between quotes, as the two text forms escape them.

/// `"a\nb\303\237"`: every byte is kept.
void put_c_quoted(std::string_view text, Output& out);
/// Throws Error (malformed) when the text is no UTF-8.
void put_json_quoted(std::string_view text, Output& out);
/// `"AAEC"`
void put_base64_quoted(Bytes bytes, Output& out);

/// Calls `print`; an error from inside an element (`i`) or a value becomes one of that field. (An error of the message
/// itself names it.)
template <class Print>
void within_field(const FieldRow& field, const std::size_t* i, Print&& print)
{
    try {
        print();
    } catch (const Error& error) {
        auto name = std::string(field.name);
        if (i != nullptr) name += '[' + std::to_string(*i) + ']';
        throw error.within({.field = std::move(name)});
    }
}

}  // namespace ositrace::text
