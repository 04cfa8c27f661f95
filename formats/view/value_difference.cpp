// SPDX-License-Identifier: MPL-2.0
#include "formats/view/value_difference.hpp"

#include <bit>
#include <charconv>

namespace ositrace {

namespace {

std::string quoted(std::string_view text)
{
    constexpr std::size_t longest = 40;
    return '\'' + std::string(text.substr(0, longest)) + (text.size() > longest ? "...'" : "'");
}

// Shortest digits that give the same number back, so that different numbers look different.
template <class Number>
std::string digits(Number value)
{
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

struct Print {
    std::string operator()(std::monostate) const { return "not set"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return digits(value); }
    std::string operator()(std::uint64_t value) const { return digits(value); }
    std::string operator()(float value) const { return digits(value); }
    std::string operator()(double value) const { return digits(value); }
    std::string operator()(std::string_view value) const { return quoted(value); }
    std::string operator()(Bytes value) const { return std::to_string(value.size()) + " bytes"; }
    std::string operator()(const MessageView&) const { return "a message"; }
};

struct SameValue {
    const Value& other;

    bool operator()(std::monostate) const { return true; }
    bool operator()(const MessageView&) const { return true; }  // what is in it is compared by the caller
    bool operator()(float value) const
    {
        return std::bit_cast<std::uint32_t>(value) == std::bit_cast<std::uint32_t>(std::get<float>(other));
    }
    bool operator()(double value) const
    {
        return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(std::get<double>(other));
    }
    bool operator()(Bytes value) const { return text_of(value) == text_of(std::get<Bytes>(other)); }
    template <class T>
    bool operator()(const T& value) const
    {
        return value == std::get<T>(other);
    }
};

}  // namespace

bool same_value(const Value& a, const Value& b) { return a.index() == b.index() && std::visit(SameValue{b}, a); }

std::string describe_difference(const Value& a, const Value& b)
{
    const auto left = std::visit(Print{}, a);
    const auto right = std::visit(Print{}, b);
    // Texts of different values may be equal: NaNs with different payloads, long strings, bytes of one length.
    return left == right ? left + " against another " + right : left + " against " + right;
}

}  // namespace ositrace
