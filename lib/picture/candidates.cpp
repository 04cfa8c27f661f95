// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/candidates.hpp"

#include <string>
#include <string_view>

namespace ositrace::picture {

std::optional<MessageView> most_probable_candidate(const MessageView& detected)
{
    std::optional<MessageView> best;
    const auto* const row = repeated_messages(detected.table(), "candidate");
    if (row == nullptr) return best;
    constexpr int most = 100;
    double highest = 0;
    int looked_at = 0;
    detected.for_each_element(*row, [&](const Value& value) {
        const auto& candidate = std::get<MessageView>(value);
        const auto probability = real_in(candidate, "probability").value_or(0);
        if (!best || probability > highest) {
            best = candidate;
            highest = probability;
        }
        return ++looked_at < most;
    });
    return best;
}

ThingId tracking_id_of(const MessageView& detected, std::size_t place)
{
    const auto header = message_in(detected, "header");
    return header ? thing_id_in(*header, place, "tracking_id") : ThingId{place, false};
}

Vector from_reference_point(const MessageView& detected, Vector size)
{
    const auto reference = words_in(detected, "reference_point");
    const auto contains = [&](std::string_view word) { return reference.find(word) != std::string::npos; };
    return {contains("front")  ? -size.x / 2
            : contains("rear") ? size.x / 2
                               : 0,
            contains("left")    ? -size.y / 2
            : contains("right") ? size.y / 2
                                : 0,
            0};
}

std::optional<Base> read_detected_base(const MessageView& detected, std::string_view what, Notes& notes)
{
    auto base = read_base(detected, "base", what, notes);
    if (base && base->has_size)
        base->position =
            base->position + Rotation(base->orientation).to_parent(from_reference_point(detected, base->size));
    return base;
}

}  // namespace ositrace::picture
