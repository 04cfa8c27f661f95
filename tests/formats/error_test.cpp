// SPDX-License-Identifier: MPL-2.0
#include <ositrace/error.hpp>

#include "tests/catch.hpp"

using namespace ositrace;

TEST_CASE("a message says file, frame, byte, field and reason")
{
    CHECK(Error(Cause::malformed, "why").what() == std::string("why"));
    CHECK(Error(Cause::malformed, {.file = "run.osi"}, "why").what() == std::string("run.osi: why"));
    CHECK(Error(Cause::malformed, {.offset = 12}, "why").what() == std::string("byte 12: why"));
    CHECK(Error(Cause::malformed, {.frame = 7}, "why").what() == std::string("frame 7: why"));
    CHECK(Error(Cause::malformed, {.field = "a.b"}, "why").what() == std::string("a.b: why"));
    CHECK(Error(Cause::malformed, {.file = "run.osi", .frame = 7, .offset = 912, .field = "a[3].b"}, "why").what() ==
          std::string("run.osi: frame 7 at byte 912: a[3].b: why"));
}

TEST_CASE("every layer adds what it knows: places fill up, offsets add, fields join")
{
    const Error inner(Cause::truncated, {.offset = 5, .field = "x"}, "why");
    const auto middle = inner.within({.offset = 100, .field = "base.position"});
    const auto outer =
        middle.within({.file = "run.osi", .frame = 3, .offset = 1000}).within({.file = "other.osi", .frame = 9});
    CHECK(outer.what() == std::string("run.osi: frame 3 at byte 1105: base.position.x: why"));
    CHECK(outer.cause() == Cause::truncated);
    CHECK(outer.reason() == "why");
    CHECK(outer.where().offset == 1105u);
}

TEST_CASE("an outer place alone is a place")
{
    CHECK(Error(Cause::limit, "why").within({.offset = 40}).what() == std::string("byte 40: why"));
}

TEST_CASE("control characters of names in the input are shown as question marks")
{
    CHECK(Error(Cause::usage, {.file = "a\nb.osi", .field = "\x1b[31m"}, "no field 'c\td'").what() ==
          std::string("a?b.osi: ?[31m: no field 'c?d'"));
    CHECK(Error(Cause::usage,
                "Stra\xc3\x9f"
                "e")
              .what() == std::string("Stra\xc3\x9f"
                                     "e"));
}

TEST_CASE("every cause has its name")
{
    CHECK(name_of(Cause::io) == "io");
    CHECK(name_of(Cause::missing) == "missing");
    CHECK(name_of(Cause::malformed) == "malformed");
    CHECK(name_of(Cause::usage) == "usage");
}
