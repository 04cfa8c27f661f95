// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <charconv>
#include <string>

#include "lib/picture/looks.hpp"
#include "lib/picture/still_things.hpp"

namespace ositrace::picture {

namespace {

/// Alpha of a lamp, as in the OSI converter of Lichtblick. A flashing lamp is a state: time does not change it.
float strength_of(std::int64_t mode) noexcept
{
    constexpr float dark = 0.2F, other = 0.8F;
    switch (mode) {
    case lamp_off: return dark;
    case lamp_constant:
    case lamp_flashing:
    case lamp_counting: return 1;
    default: return other;
    }
}

/// `50 kilometer per hour` of a TrafficSignValue.
std::string value_text(const MessageView& classification)
{
    const auto value = message_in(classification, "value");
    if (!value) return {};
    if (const auto text = text_in(*value, "text"); !text.empty()) return ' ' + std::string(text.substr(0, 40));
    const auto number = real_in(*value, "value");
    const auto unit = words_in(*value, "value_unit");
    if (!number || unit.empty() || unit == "unknown" || unit == "other") return {};
    return ' ' + number_text(*number) + (unit == "no unit" ? "" : ' ' + unit);
}

}  // namespace

std::string number_text(double number)
{
    std::array<char, 32> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::general, 6).ptr;
    return {digits.data(), end};
}

StillKind kind_of_stationary_object(const std::optional<MessageView>& classification)
{
    if (!classification) return {Look::stationary, "stationary object"};
    return {look_of_stationary_object(integer_in(*classification, "color")), words_in(*classification, "type")};
}

std::string number_on_sign(const MessageView& classification)
{
    const auto value = message_in(classification, "value");
    const auto number = value ? real_in(*value, "value").value_or(0) : 0;
    return number > 0 ? number_text(number) : std::string();
}

StillKind kind_of_traffic_sign(const std::optional<MessageView>& classification)
{
    if (!classification) return {Look::sign, "traffic sign"};
    return {Look::sign, words_in(*classification, "type") + value_text(*classification)};
}

StillKind kind_of_traffic_light(const std::optional<MessageView>& classification)
{
    if (!classification) return {Look::light_housing, "traffic light"};
    const auto mode = words_in(*classification, "mode");
    return {look_of_traffic_light(integer_in(*classification, "color")),
            words_in(*classification, "color") + " light" + (mode.empty() || mode == "constant" ? "" : ", " + mode),
            strength_of(integer_in(*classification, "mode").value_or(0))};
}

StillKind kind_of_road_marking(const std::optional<MessageView>& classification)
{
    if (!classification) return {Look::marking, "road marking"};
    auto type = words_in(*classification, "type") + value_text(*classification);
    if (const auto text = text_in(*classification, "value_text"); !text.empty())
        type += ' ' + std::string(text.substr(0, 40));
    return {look_of_road_marking(integer_in(*classification, "monochrome_color")), std::move(type)};
}

}  // namespace ositrace::picture
