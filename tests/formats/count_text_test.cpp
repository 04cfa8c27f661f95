// SPDX-License-Identifier: MPL-2.0
#include "formats/core/too_few_bytes.hpp"

#include "tests/catch.hpp"

using namespace ositrace;

TEST_CASE("one of a thing has no plural")
{
    CHECK(count_text(0, "frame") == "0 frames");
    CHECK(count_text(1, "frame") == "1 frame");
    CHECK(count_text(2, "frame") == "2 frames");
    CHECK(byte_count(1) + ' ' + is_or_are(1) == "1 byte is");
    CHECK(byte_count(3) + ' ' + is_or_are(3) == "3 bytes are");
    CHECK(too_few_bytes(4, 1) == "4 bytes, and 1 is left");
}
