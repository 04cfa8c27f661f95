// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/wrap.hpp>
#include <ositrace/trace.hpp>

#include "tests/catch.hpp"
#include "tests/model/forms.hpp"
#include "tests/places.hpp"
#include "tests/stride.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

/// The SensorViews of a trace, those that are made of its ground truth where it holds none.
std::vector<Message> views_of(const std::filesystem::path& file)
{
    auto source = open_stream(file);
    if (source->info().channels.front().type == MessageType::ground_truth)
        source = wrap_ground_truth(std::move(source),
                                   {.sensor_id = 3, .mounting = Mounting{.x = 1.5, .z = 0.5, .yaw = 0.1}});
    std::vector<Message> views;
    unsigned found = 0;
    for (Frame frame; source->read(frame);)
        if (source->info().channels[frame.channel].type == MessageType::sensor_view && found++ % stride == 0)
            views.emplace_back(frame.bytes.begin(), frame.bytes.end());
    return views;
}

}  // namespace

TEST_CASE("all forms of the dummy sensor give the same SensorData on real traces")
{
    const auto folder = shared_folder() / "traces";
    std::size_t frames = 0;
    for (const auto* const name :
         {"highway_merge.osi", "20230621T113737Z_sv_350_32112_100.osi",
          "20240618T122540Z_sv_370_244_20_minimal_valid_example.osi", "deserialization_version_is_set_invalid.osi",
          "sensorDataDetectedLaneBoundaries.mcap", "MovingHostWithStopLine.mcap", "disappearingVehicle.mcap"}) {
        if (!std::filesystem::exists(folder / name)) {
            WARN("skipped: no " << name);
            continue;
        }
        INFO(name);
        const auto views = views_of(folder / name);
        CHECK_FALSE(views.empty());
        frames += views.size();
        require_agreement(views, {.carry_input = false});
        require_agreement(views, {.carry_input = true});
    }
    CHECK((frames == 0 || frames > 1000 / stride));
}
