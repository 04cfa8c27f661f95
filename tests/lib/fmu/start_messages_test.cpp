// SPDX-License-Identifier: MPL-2.0
#include <ositrace/model_start.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/fmu/replayed_model.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

TEST_CASE("a model gets what is static in the first frame as its OSMPGroundTruthInit", "[fmu]")
{
    const auto fmi = GENERATE(2, 3);
    Said said;
    ReplayedModel replay(test_model(fmi), options_for({{"behaviour", "need_ground_truth"}}, &said));
    replay.begin();
    replay.model().finish();
    // GroundTruth { timestamp { seconds, nanos }, stationary_object {} }: no moving object
    CHECK(said.lines() == std::vector<std::string>{"got 8 bytes"});
}

TEST_CASE("a model that needs a ground truth and gets none may refuse", "[fmu]")
{
    Said said;
    ReplayedModel replay(test_model(2), options_for({{"behaviour", "need_ground_truth"}}, &said));
    const auto time = field(2, varint_field(1, 0) + varint_field(2, 0));
    CHECK(error_of([&] {
              replay.begin(time);
              return 0;
          }) == "test_model_fmi2 answered fmi2ExitInitializationMode with 'error'");
    CHECK(said.lines() ==
          std::vector<std::string>{"OSMPGroundTruthInit stays empty: the first frames have no ground truth"});
}

TEST_CASE("a request for a SensorViewConfiguration is answered by what the trace holds", "[fmu]")
{
    const auto fmi = GENERATE(2, 3);
    Said said;
    ReplayedModel replay(test_model(fmi), options_for({{"behaviour", "request"}}, &said));
    replay.begin();
    replay.model().finish();
    // sensor_id { 7 }, range, sensor_id { 5 }, update_cycle_time { 0, 10 000 000 }
    CHECK(said.lines() ==
          std::vector<std::string>{
              "the trace has no data for the radar_sensor_view_configuration that the model requests", "got 26 bytes"});
}

TEST_CASE("the static part of a ground truth leaves out what moves", "[fmu]")
{
    const auto info = one_channel(MessageType::ground_truth);
    ByteBuffer out;
    const auto time = field(2, varint_field(1, 3));
    REQUIRE(static_ground_truth(bytes_of(time + field(5, "moves") + field(4, "stands")), info.channels[0], out));
    CHECK(text_of(out.bytes()) == time + field(4, "stands"));
    CHECK(!static_ground_truth({}, info.channels[0], out));
    CHECK(out.empty());
}

TEST_CASE("an answered configuration says which sensor, where and how often", "[fmu]")
{
    const auto info = one_channel(MessageType::sensor_view);
    const auto view = field(2, varint_field(1, 3)) + field(3, varint_field(1, 9)) + field(4, "");
    ByteBuffer out;
    CHECK(answer_configuration(bytes_of(field(8, varint_field(1, 1))), bytes_of(view), info.channels[0], 1s + 5ns, out)
              .empty());
    CHECK(text_of(out.bytes()) ==
          field(2, varint_field(1, 9)) + field(3, "") + field(8, varint_field(1, 1) + varint_field(2, 5)));
}
