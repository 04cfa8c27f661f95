// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstring>
#include <string_view>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/transcoder.hpp>

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

}  // namespace ositrace::text
