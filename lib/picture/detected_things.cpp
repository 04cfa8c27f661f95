// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/detected_things.hpp"

#include "lib/picture/body.hpp"
#include "lib/picture/candidates.hpp"
#include "lib/picture/moving_objects.hpp"
#include "lib/picture/still_things.hpp"

namespace ositrace::picture {

namespace {

constexpr BodyStyle as_detected{.look = Look::detected, .is_detected = true};

/// From the reference point to the centre of the box: DetectedMovingObject.ReferencePoint says which place `position`
/// is.
Vector to_centre(std::string_view reference_point, Vector size) noexcept
{
    const auto says = [&](std::string_view word) { return reference_point.find(word) != std::string_view::npos; };
    return {says("front")  ? -size.x / 2
            : says("rear") ? size.x / 2
                           : 0,
            says("left")    ? -size.y / 2
            : says("right") ? size.y / 2
                            : 0,
            0};
}

bool add_thing(LayerBuilder& to, Category category, ThingId id, std::string path, std::string type, const Base& base,
               std::string_view what)
{
    auto& thing = to.add(category, id, Look::detected, std::move(path), std::move(type));
    if (place_thing(thing, base, to.placement(), what, to.notes())) return true;
    to.drop();
    return false;
}

void add_wire_box(LayerBuilder& to, Look look = Look::detected, float strength = 1)
{
    const auto& thing = to.thing();
    to.box(look, thing.centre, thing.size, thing.rotation, strength, true);
}

/// Things with a `base` and candidates with a `classification`.
template <class KindOf, class Draw>
void add_classified(LayerBuilder& to, const MessageView& sensor_data, Category category, std::string_view field,
                    std::string_view what, const KindOf& kind_of, const Draw& draw)
{
    for_each_element(to, sensor_data, field, what, [&](const MessageView& detected, std::size_t place) {
        const auto base = read_base(detected, "base", what, to.notes());
        if (!base) return;
        const auto kind = kind_of(message_in(most_probable_candidate(detected), "classification"));
        if (add_thing(to, category, tracking_id_of(detected, place), to.path(field, place), kind.type, *base, what))
            draw(kind, *base, message_in(detected, "base"));
    });
}

}  // namespace

void add_detected_moving_objects(LayerBuilder& to, const MessageView& sensor_data)
{
    constexpr std::string_view what = "detected moving object", field = "moving_object";
    for_each_element(to, sensor_data, field, what, [&](const MessageView& detected, std::size_t place) {
        auto base = read_base(detected, "base", what, to.notes());
        if (!base) return;
        const auto reference = words_in(detected, "reference_point");
        if (base->has_size)
            base->position = base->position + Rotation(base->orientation).to_parent(to_centre(reference, base->size));
        const auto candidate = most_probable_candidate(detected);
        auto type = candidate ? kind_of_moving_object(*candidate).type : std::string();
        if (!add_thing(to, Category::detected_moving_object, tracking_id_of(detected, place), to.path(field, place),
                       std::move(type), *base, what))
            return;
        add_body(to, message_in(detected, "base"), *base, as_detected);
        add_velocity(to, Look::detected);  // relative to the sensor, which moves: not to be taken for the true one
    });
}

void add_detected_stationary_objects(LayerBuilder& to, const MessageView& sensor_data)
{
    add_classified(
        to, sensor_data, Category::detected_stationary_object, "stationary_object", "detected stationary object",
        kind_of_stationary_object,
        [&](const StillKind&, const Base& base, const auto& from) { add_body(to, from, base, as_detected); });
}

void add_detected_traffic_lights(LayerBuilder& to, const MessageView& sensor_data, std::optional<Nanoseconds> time)
{
    add_classified(
        to, sensor_data, Category::detected_traffic_light, "traffic_light", "detected traffic light",
        [&](const std::optional<MessageView>& classification) { return kind_of_traffic_light(classification, time); },
        [&](const StillKind& kind, const Base&, const auto&) { add_wire_box(to, kind.look, kind.strength); });
}

void add_detected_road_markings(LayerBuilder& to, const MessageView& sensor_data)
{
    add_classified(to, sensor_data, Category::detected_road_marking, "road_marking", "detected road marking",
                   kind_of_road_marking, [&](const StillKind&, const Base&, const auto&) { add_wire_box(to); });
}

void add_detected_traffic_signs(LayerBuilder& to, const MessageView& sensor_data)
{
    constexpr std::string_view what = "detected traffic sign", field = "traffic_sign";
    for_each_element(to, sensor_data, field, what, [&](const MessageView& sign, std::size_t place) {
        const auto id = tracking_id_of(sign, place);
        const auto path = to.path(field, place);
        const auto add_board = [&](const MessageView& board, std::string_view inner) {
            const auto base = read_base(board, "base", what, to.notes());
            if (!base) return;
            const auto kind = kind_of_traffic_sign(message_in(most_probable_candidate(board), "classification"));
            if (add_thing(to, Category::detected_traffic_sign, id, path + std::string(inner), kind.type, *base, what))
                add_wire_box(to);
        };
        if (const auto main = message_in(sign, "main_sign")) add_board(*main, "");
        for_each_element(to, sign, "supplementary_sign", what, [&](const MessageView& board, std::size_t i) {
            add_board(board, ".supplementary_sign[" + std::to_string(i) + ']');
        });
    });
}

}  // namespace ositrace::picture
