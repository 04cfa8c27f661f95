// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <charconv>
#include <string>

#include <ositrace/dummy_sensor.hpp>
#include <ositrace/error.hpp>

#include "lib/trace/near_word.hpp"

namespace ositrace {

namespace {

constexpr std::array known_parameters{
    DummySensorParameter{"nominal_range", "Real", "135"},
    DummySensorParameter{"carry_input", "Boolean", "on"},
    DummySensorParameter{"encoding", "String", ""},
};

[[noreturn]] void refuse(std::string_view name, std::string_view value, std::string_view expected)
{
    throw Error(Cause::usage,
                std::string(name) + " is " + std::string(expected) + ", not '" + std::string(value) + "'");
}

double parse_range(std::string_view text)
{
    double range = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), range);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size())
        refuse("nominal_range", text, "a number of metres");
    return range;
}

bool parse_switch(std::string_view name, std::string_view text)
{
    if (text == "on" || text == "true") return true;
    if (text == "off" || text == "false") return false;
    refuse(name, text, "on or off");
}

Encoding parse_encoding(std::string_view text)
{
    const auto encoding = encoding_named(text);
    if (!encoding) refuse("encoding", text, "protobuf or flatbuffers");
    return *encoding;
}

}  // namespace

std::span<const DummySensorParameter> dummy_sensor_parameters() noexcept { return known_parameters; }

void set_parameter(DummySensorOptions& options, std::string_view name, std::string_view value)
{
    if (name == "nominal_range")
        options.nominal_range = parse_range(value);
    else if (name == "carry_input")
        options.carry_input = parse_switch(name, value);
    else if (name == "encoding")
        options.encoding = parse_encoding(value);
    else
        throw Error(Cause::usage, "the dummy sensor has no parameter '" + std::string(name) +
                                      "' (known: nominal_range, carry_input, encoding)" +
                                      did_you_mean(name, {"nominal_range", "carry_input", "encoding"}));
}

}  // namespace ositrace
