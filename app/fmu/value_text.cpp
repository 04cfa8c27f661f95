// SPDX-License-Identifier: MPL-2.0
#include "app/fmu/value_text.hpp"

#include <array>
#include <cstdio>

namespace ositrace::fmu {

namespace {

/// The shortest that is read as the same number again.
std::string text_of_number(double number)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.17g", number);
    for (int digits = 1; digits < 17; ++digits) {
        std::array<char, 32> shorter{};
        std::snprintf(shorter.data(), shorter.size(), "%.*g", digits, number);
        if (std::stod(shorter.data()) == number) return shorter.data();
    }
    return text.data();
}

}  // namespace

std::string text_of(const Value& value)
{
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* count = std::get_if<std::int32_t>(&value)) return std::to_string(*count);
    if (const auto* number = std::get_if<double>(&value)) return text_of_number(*number);
    return std::get<std::string>(value);
}

}  // namespace ositrace::fmu
