// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/wrap.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/edit/edited.hpp"

using namespace ositrace;
using Payloads = std::vector<std::string>;

TEST_CASE("a ground truth becomes a sensor view of its version and time, and comes back")
{
    const Payloads in{version_field() + time_field(0) + moving_object(1), time_field(1)};
    WrapOptions options;
    options.host = 4;
    const auto wrapped = wrap_ground_truth(source_of(in), options);
    CHECK(wrapped->info().channels.front().type == MessageType::sensor_view);
    CHECK(wrapped->info().channels.front().root->full_name == "osi3.SensorView");
    const auto host = field(8, varint_field(1, 4));
    CHECK(payloads_of(*wrapped) == Payloads{version_field() + time_field(0) + field(7, in[0]) + host,
                                            version_field() + time_field(1) + field(7, in[1]) + host});
    const auto both = unwrap_ground_truth(wrap_ground_truth(source_of(in), options));
    CHECK(payloads_of(*both) == in);
}

TEST_CASE("the type must be the one that is wrapped")
{
    CHECK(error_of([] { return unwrap_ground_truth(source_of({})); }) ==
          "in.osi: no channel holds osi3.SensorView, found osi3.GroundTruth");
}
