// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_difference.hpp>

#include <catch2/catch.hpp>

#include "tests/formats/mcap/mcap_bytes.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
namespace by_hand = mcap_bytes;

TEST_CASE("of channels with one topic the second is compared with the second")
{
    const ScratchFolder folder;
    const auto channels = by_hand::channel(1, 0, "a") + by_hand::channel(2, 0, "a");
    write_file(folder / "x.mcap",
               by_hand::file(channels + by_hand::message(1, 1, "one") + by_hand::message(2, 2, "two")));
    write_file(folder / "y.mcap",
               by_hand::file(channels + by_hand::message(1, 1, "one") + by_hand::message(2, 2, "too")));
    CHECK(diff(folder / "x.mcap", folder / "x.mcap", {}, {}).equal == 2);
    const auto result = diff(folder / "x.mcap", folder / "y.mcap", {}, {});
    CHECK(result.equal == 1);
    CHECK(result.different == 1);
    CHECK(result.only_in_a + result.only_in_b == 0);
}
