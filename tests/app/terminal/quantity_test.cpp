// SPDX-License-Identifier: MPL-2.0
#include "app/terminal/quantity.hpp"

#include <ositrace/error.hpp>

#include "lib/trace/nanoseconds.hpp"
#include "tests/catch.hpp"

using namespace ositrace::app;
using ositrace::exact_seconds;

namespace {

template <class Parse>
std::string reason_of(Parse parse)
{
    try {
        parse();
    } catch (const ositrace::Error& e) {
        CHECK(e.cause() == ositrace::Cause::usage);
        return e.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("bytes are printed with three digits and powers of 1000")
{
    CHECK(bytes_text(0) == "0 B");
    CHECK(bytes_text(999) == "999 B");
    CHECK(bytes_text(1000) == "1.00 kB");
    CHECK(bytes_text(50436) == "50.4 kB");
    CHECK(bytes_text(999'499) == "999 kB");
    CHECK(bytes_text(999'500) == "1.00 MB");
    CHECK(bytes_text(10'000'000'000) == "10.0 GB");
    CHECK(bytes_text(UINT64_MAX) == "18.4 EB");
}

TEST_CASE("a time of a trace is printed in microseconds, or exactly")
{
    using ositrace::Nanoseconds;
    CHECK(rounded_seconds_text(Nanoseconds(14'255'999'999)) == "14.256 s");
    CHECK(rounded_seconds_text(Nanoseconds(-500'000'000)) == "-0.5 s");
    CHECK(exact_seconds(Nanoseconds(14'255'999'999)) == "14.255999999");
    CHECK(exact_seconds(Nanoseconds(-1)) == "-0.000000001");
    CHECK(exact_seconds(Nanoseconds(3'000'000'000)) == "3");
    CHECK(exact_seconds(Nanoseconds::min()) == "-9223372036.854775808");
}

TEST_CASE("a short duration is printed in its unit")
{
    using ositrace::Nanoseconds;
    CHECK(duration_text(Nanoseconds(99)) == "99 ns");
    CHECK(duration_text(Nanoseconds(420)) == "0.42 us");
    CHECK(duration_text(Nanoseconds(12'340'000)) == "12.3 ms");
    CHECK(duration_text(Nanoseconds(1'500'000'000)) == "1.50 s");
}

TEST_CASE("trailing zeros of decimals are dropped")
{
    CHECK(decimal_text(10, 3) == "10");
    CHECK(decimal_text(30.30303, 3) == "30.303");
    CHECK(decimal_text(0.5, 0) == "0");
    CHECK(decimal_text(100, 0) == "100");
}

TEST_CASE("durations change their unit as they grow")
{
    CHECK(duration_text(0.4249) == "0.42 s");
    CHECK(duration_text(38.2) == "38 s");
    CHECK(duration_text(130) == "2 min 10 s");
    CHECK(duration_text(12'000) == "3 h 20 min");
}

TEST_CASE("numbers of bytes may end in K, M, G or T")
{
    CHECK(parse_bytes("1048576") == 1048576);
    CHECK(parse_bytes("512K") == 512u << 10);
    CHECK(parse_bytes("2G") == std::uint64_t{2} << 30);
    CHECK(reason_of([] { (void)parse_bytes("2g"); }) == "'2g' is not a whole number");
    CHECK(reason_of([] { (void)parse_bytes("M"); }) == "'M' is not a number of bytes (1048576, 512K, 64M, 2G)");
    CHECK(reason_of([] { (void)parse_bytes("3G", 2147483647); }) == "'3G' is not at most 2147483647 bytes");
    CHECK(reason_of([] { (void)parse_bytes("18446744073709551615T"); }) ==
          "'18446744073709551615T' is not at most 18446744073709551615 bytes");
}

TEST_CASE("whole numbers are refused outside of their bounds")
{
    CHECK(parse_count("0") == 0);
    CHECK(reason_of([] { (void)parse_count(""); }) == "'' is not a whole number");
    CHECK(reason_of([] { (void)parse_count("-1"); }) == "'-1' is not a whole number");
    CHECK(reason_of([] { (void)parse_count("1e3"); }) == "'1e3' is not a whole number");
    CHECK(reason_of([] { (void)parse_count("2000", 0, 1024); }) == "'2000' is not between 0 and 1024");
    CHECK(reason_of([] { (void)parse_count("0", 1); }) == "'0' is not at least 1");
}

TEST_CASE("seconds become whole nanoseconds")
{
    CHECK(parse_seconds("0.1") == 100'000'000);
    CHECK(parse_seconds("1e-9") == 1);
    CHECK(parse_seconds("-1") == -1'000'000'000);
    CHECK(parse_seconds("1m") == 60'000'000'000);
    CHECK(reason_of([] { (void)parse_seconds("nan"); }) == "'nan' is not a time (0.1 seconds, 5ms, 1m, 1:00)");
    CHECK(reason_of([] { (void)parse_seconds("1e10"); }) == "'1e10' is not a time (0.1 seconds, 5ms, 1m, 1:00)");
}
