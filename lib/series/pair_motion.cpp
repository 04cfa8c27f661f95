// SPDX-License-Identifier: MPL-2.0
#include <ositrace/pair_motion.hpp>

#include <cmath>

namespace ositrace {

std::optional<PairMotion> pair_motion(const GroundBox& a, const GroundBox& b) noexcept
{
    if (!is_finite(a) || !is_finite(b)) return std::nullopt;
    PairMotion motion{.distance = std::hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1]),
                      .gap = shortest_way(a, b).length,
                      .path = in_corridor(a, b),
                      .time_to_contact = time_to_contact(a, b)};
    if (!motion.path) motion.path = in_corridor(b, a);
    return motion;
}

}  // namespace ositrace
