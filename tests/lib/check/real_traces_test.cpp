// SPDX-License-Identifier: MPL-2.0
#include <map>
#include <string>

#include <ositrace/check.hpp>

#include "tests/catch.hpp"
#include "tests/places.hpp"

using namespace ositrace;

namespace {

using Counts = std::map<std::string, std::uint64_t>;

/// Without the rules in OSI's comments, which a build may lack.
Counts counts_of(const std::string& name)
{
    Counts counts;
    for (const auto& count : check_trace(ositrace::test::shared_folder() / "traces" / name).counts)
        counts[count.id.substr(count.id.rfind(':') + 1)] = count.count;
    return counts;
}

}  // namespace

TEST_CASE("real traces have the findings that are known of them")
{
    if (!std::filesystem::exists(ositrace::test::shared_folder() / "traces")) {
        WARN("skipped: no folder of real traces");
        return;
    }
    CHECK(counts_of("20240618T122540Z_sv_370_244_20_minimal_valid_example.osi") == Counts{});
    CHECK(counts_of("20230621T113737Z_sv_350_32112_100.osi") == Counts{});
    CHECK(counts_of("deserialization_version_is_set_invalid.osi") ==
          Counts{{"deserialization.version_is_set", 547}, {"file_name.convention", 1}});
    CHECK(counts_of("highway_merge.osi") == Counts{{"deserialization.version_is_set", 432},
                                                   {"id.unique_in_frame", 37},
                                                   {"file_name.convention", 1},
                                                   {"reference.lane", 1}});
    CHECK(counts_of("MovingHostWithStopLine.mcap") == Counts{{"mcap.channel_recommended_key", 1},
                                                             {"mcap.channel_mandatory_key", 2},
                                                             {"mcap.metadata_is_set", 1},
                                                             {"map.found", 1},
                                                             {"file_name.convention", 1}});
    CHECK(counts_of("disappearingVehicle.mcap") == Counts{{"mcap.publish_time", 10}, {"file_name.convention", 1}});
    CHECK(counts_of("sensorDataDetectedLaneBoundaries.mcap") ==
          Counts{{"id.unique_in_frame", 3408}, {"mcap.publish_time", 40}, {"file_name.convention", 1}});
}
