// SPDX-License-Identifier: MPL-2.0
// Lanes of a stranger: places with finite coordinates or none, or one Error.
#include <cmath>

#include <ositrace/lane_frame.hpp>
#include <ositrace/schema.hpp>

#include "tests/fuzz/fuzzing.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

void check_place(const std::optional<LanePlace>& place)
{
    if (!place) return;
    check(std::isfinite(place->s) && std::isfinite(place->t), "lane coordinates are finite");
    check(place->reference_line.has_value(), "lane coordinates have a reference line");
    check(place->logical_lane || !place->physical_lane, "a physical lane belongs to a logical one");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const double scale = input.choose() ? 1 : 1e5;
    const auto at = [&] { return scale * (static_cast<double>(input.choose(256)) - 128); };
    const double x = at(), y = at(), z = at();
    attempt([&] {
        const LaneFrame frame(MessageView(input.rest(), Schema::built_in()->root(MessageType::ground_truth), {}));
        check_place(frame.place(x, y, z));
        check_place(frame.place(0, 0, 0));
        check_place(frame.place(1, 1e10, z));
        for (std::uint64_t lane = 0; lane < 4; ++lane) {
            check_place(frame.place_on(lane, x, y, z));
            static_cast<void>(frame.assigned(lane, x, y));
        }
        return std::string();
    });
    return 0;
}
