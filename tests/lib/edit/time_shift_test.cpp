// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/time_shift.hpp"

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/trace/sample_frames.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

std::string shifted(const std::string& message, Nanoseconds by, MessageType type = MessageType::sensor_view)
{
    ByteBuffer out;
    TimeShift(Schema::built_in()->root(type)).apply(bytes_of(message), by, out);
    return std::string(text_of(out.bytes()));
}

}  // namespace

TEST_CASE("a time is shifted over whole seconds, in both directions")
{
    CHECK(shifted(sample::timestamp(1, 900'000'000), 200ms) == sample::timestamp(2, 100'000'000));
    CHECK(shifted(sample::timestamp(2, 100'000'000), -200ms) == sample::timestamp(1, 900'000'000));
    CHECK(shifted(sample::timestamp(0, 0), -1ns) == sample::timestamp(-1, 999'999'999));
    CHECK(shifted(sample::field(2, sample::field(1, 5)), 1s) == sample::field(2, sample::field(1, 6)));
}

TEST_CASE("times inside are shifted with the message, and all else keeps its bytes")
{
    constexpr std::uint32_t ground_truth = 7;
    const auto message = [](std::int64_t seconds) {
        const auto inner = sample::timestamp(seconds, 5) + sample::field(10000, std::string("user"));
        return sample::timestamp(seconds, 5) + sample::field(3, sample::field(1, 42)) +
               sample::field(ground_truth, inner) + sample::field(10001, 7);
    };
    CHECK(shifted(message(3), 4s) == message(7));
}

TEST_CASE("durations and clocks of another kind are not shifted")
{
    const auto message = sample::field(8, sample::field(1, 1)) + sample::field(9, sample::field(1, 1)) +
                         sample::field(10, sample::field(1, 1));
    CHECK(shifted(message, 4s, MessageType::sensor_view_configuration) == message);
}

TEST_CASE("a time that leaves 64-bit seconds is refused")
{
    CHECK(error_of([] { return shifted(sample::timestamp(INT64_MAX, 0), 1s); }) ==
          "a shifted time does not fit into 64-bit seconds");
}
