// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/still_things.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <utility>

#include "lib/picture/body.hpp"
#include "lib/picture/face.hpp"
#include "lib/picture/looks.hpp"

namespace ositrace::picture {

namespace {

/// Adds a thing with a place, without marks. Adds nothing and returns nullopt if it cannot be shown.
std::optional<Base> add_still(LayerBuilder& to, Category category, std::string_view what, const MessageView& message,
                              const StillKind& kind, ThingId id, std::string path)
{
    const auto base = read_base(message, "base", what, to.notes());
    if (!base) return std::nullopt;
    auto& thing = to.add(category, id, kind.look, std::move(path), kind.type);
    if (place_thing(thing, *base, to.placement(), what, to.notes())) return base;
    to.drop();
    return std::nullopt;
}

void add_box(LayerBuilder& to, const StillKind& kind)
{
    const auto& thing = to.thing();
    to.box(kind.look, thing.centre, thing.size, thing.rotation, kind.strength);
}

/// Of the top of the last added thing: the part from `begin` to `end` along its longer side, as fractions of its half
/// length from the centre. A marking is thin in the direction of its face: x in OSI, z in some traces.
void add_part_of_marking(LayerBuilder& to, Look look, double begin, double end)
{
    const auto& size = to.thing().size;
    const auto thin = static_cast<std::size_t>(std::ranges::min_element(size) - size.begin());
    auto across = (thin + 1) % 3, along = (thin + 2) % 3;
    if (size[across] > size[along]) std::swap(across, along);
    std::array<Point, 4> corners{};
    for (std::size_t i = 0; i < corners.size(); ++i) {
        std::array<double, 3> corner{};
        corner[thin] = 1;
        corner[across] = i / 2 == 0 ? 1 : -1;
        corner[along] = i % 2 == 0 ? begin : end;
        corners[i] = place_on(to.thing(), {corner[0], corner[1], corner[2]});
    }
    to.strip(look, corners, false);
}

/// Bars of half a metre, half a metre apart.
void add_zebra(LayerBuilder& to, Look look)
{
    constexpr double bar = 0.5, most_bars = 200;  // m
    const auto length = static_cast<double>(*std::ranges::max_element(to.thing().size));
    const double bars = std::floor((length / bar + 1) / 2);
    if (!(bars >= 2 && bars <= most_bars)) return add_marking_surface(to, look);
    const double width = 2 * bar / length, first = -width * (bars - 0.5);  // the half length is 1
    for (int i = 0; i < static_cast<int>(bars); ++i)
        add_part_of_marking(to, look, first + 2 * i * width, first + (2 * i + 1) * width);
}

}  // namespace

void add_marking_surface(LayerBuilder& to, Look look) { add_part_of_marking(to, look, -1, 1); }

void add_stationary_objects(LayerBuilder& to, const MessageView& parent, std::string_view field)
{
    constexpr std::string_view what = "stationary object";
    for_each_element(to, parent, field, what, [&](const MessageView& object, std::size_t place) {
        const auto kind = kind_of_stationary_object(message_in(object, "classification"));
        const auto base = add_still(to, Category::stationary_object, what, object, kind, thing_id_in(object, place),
                                    to.path(field, place));
        if (base) add_body(to, message_in(object, "base"), *base, {.look = kind.look, .strength = kind.strength});
    });
}

void add_traffic_signs(LayerBuilder& to, const MessageView& parent, std::string_view field)
{
    constexpr std::string_view what = "traffic sign", below = "supplementary sign";
    for_each_element(to, parent, field, what, [&](const MessageView& sign, std::size_t place) {
        const auto id = thing_id_in(sign, place);
        const auto path = to.path(field, place);
        const auto add_board = [&](const MessageView& board, std::string_view name, std::string_view inner) {
            const auto classification = message_in(board, "classification");
            const auto kind = kind_of_traffic_sign(classification);
            if (!add_still(to, Category::traffic_sign, name, board, kind, id, path + std::string(inner))) return;
            const bool is_main = classification && name == what;
            if (!is_main ||
                !add_pictogram(to, integer_in(*classification, "type").value_or(0), number_on_sign(*classification)))
                add_box(to, kind);
        };
        if (const auto main = message_in(sign, "main_sign"))
            add_board(*main, what, "");
        else
            to.notes().leave_out(what, "without a main sign");
        for_each_element(to, sign, "supplementary_sign", below, [&](const MessageView& supplementary, std::size_t i) {
            add_board(supplementary, below, ".supplementary_sign[" + std::to_string(i) + ']');
        });
    });
}

namespace {

/// The directions of the arrows of TrafficLight.Classification.Icon, in degrees from up to the left.
std::span<const double> arrows_of(std::int64_t icon) noexcept
{
    struct Row {
        std::size_t count;
        std::array<double, 2> degrees;
    };
    constexpr std::int64_t first = 3;
    static constexpr std::array rows{Row{1, {0}},   Row{1, {90}},  Row{1, {45}},     Row{2, {0, 90}},
                                     Row{1, {-90}}, Row{1, {-45}}, Row{2, {0, -90}}, Row{2, {90, -90}},
                                     Row{1, {180}}, Row{1, {135}}, Row{1, {-135}}};
    if (icon < first || icon - first >= static_cast<std::int64_t>(rows.size())) return {};
    const auto& row = rows.at(static_cast<std::size_t>(icon - first));
    return std::span(row.degrees).first(row.count);
}

/// What is lit of a bulb: arrows, or a disc. A flashing one has a dark ring; one that counts shows its number.
void add_lit_part(Face& face, const MessageView& classification, Look look, float strength)
{
    const auto mode = integer_in(classification, "mode").value_or(0);
    if (const auto arrows = arrows_of(integer_in(classification, "icon").value_or(0)); !arrows.empty()) {
        for (const double degrees : arrows) face.arrow(look, degrees * std::numbers::pi / 180, 0.85, {}, strength);
    } else {
        face.disc(look, 0.85, strength);
    }
    face.raise();
    if (mode == lamp_flashing) {
        face.disc(Look::light_housing, 0.62);
        face.raise();
        face.disc(look, 0.42, strength);
    }
    if (mode == lamp_counting)
        face.text(Look::light_housing, number_text(std::round(real_in(classification, "counter").value_or(0))), 0.9,
                  1.2);
}

/// A bulb in its housing; a lit one glows.
void add_bulb(LayerBuilder& to, const std::optional<MessageView>& classification, const StillKind& kind)
{
    if (!classification || kind.look == Look::light_housing || !Face::has_room(to.thing())) return add_box(to, kind);
    const auto& thing = to.thing();
    to.box(Look::light_housing, thing.centre, thing.size, thing.rotation);
    Face face(to);
    add_lit_part(face, *classification, kind.look, kind.strength);
    face.raise();
    constexpr float lit = 0.5F, glow = 0.55F;
    if (kind.strength > lit) face.glow(kind.look, 2.6, glow);
}

}  // namespace

void add_traffic_lights(LayerBuilder& to, const MessageView& parent, std::string_view field)
{
    constexpr std::string_view what = "traffic light";
    for_each_element(to, parent, field, what, [&](const MessageView& light, std::size_t place) {
        const auto classification = message_in(light, "classification");
        const auto kind = kind_of_traffic_light(classification);
        if (!add_still(to, Category::traffic_light, what, light, kind, thing_id_in(light, place),
                       to.path(field, place)))
            return;
        to.thing().is_off = classification && integer_in(*classification, "mode") == lamp_off;
        add_bulb(to, classification, kind);
    });
}

void add_road_markings(LayerBuilder& to, const MessageView& parent, std::string_view field)
{
    constexpr std::string_view what = "road marking";
    for_each_element(to, parent, field, what, [&](const MessageView& marking, std::size_t place) {
        const auto classification = message_in(marking, "classification");
        const auto kind = kind_of_road_marking(classification);
        if (!add_still(to, Category::road_marking, what, marking, kind, thing_id_in(marking, place),
                       to.path(field, place)))
            return;
        const bool is_zebra = classification && words_in(*classification, "traffic_main_sign_type") == "zebra crossing";
        (is_zebra ? add_zebra : add_marking_surface)(to, kind.look);
    });
}

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
