// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <span>
#include <string>

#include <ositrace/series.hpp>

namespace ositrace::test {

/// The value of a sample: the name of an enumerator where the schema has one, a number in its shortest form.
inline std::string sample_text(const FieldRow& leaf, std::uint64_t bits, std::span<const std::string> texts)
{
    const auto value = series_value(leaf, bits, texts);
    if (const auto* const text = std::get_if<std::string_view>(&value)) return std::string(*text);
    if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* const number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
        const auto name = leaf.enumeration == nullptr ? std::string_view()
                                                      : leaf.enumeration->name_of(static_cast<std::int32_t>(*number));
        return name.empty() ? std::to_string(*number) : std::string(name);
    }
    const auto* const real = std::get_if<double>(&value);
    if (real == nullptr) return "no value";
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, *real).ptr};
}

}  // namespace ositrace::test
