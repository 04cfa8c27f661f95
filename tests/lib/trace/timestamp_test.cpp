// SPDX-License-Identifier: MPL-2.0
#include <limits>

#include "lib/trace/payload_header.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/trace/sample_frames.hpp"

using namespace ositrace;

namespace {

Channel channel_of(MessageType type)
{
    Channel channel;
    channel.type = type;
    channel.schema = Schema::built_in();
    channel.root = &channel.schema->root(type);
    return channel;
}

std::optional<Nanoseconds> time_of(const std::string& payload, MessageType type = MessageType::sensor_view)
{
    return timestamp_of(bytes_of(payload), channel_of(type));
}

std::string time_error(std::int64_t seconds, std::uint32_t nanos)
{
    return error_of([&] { (void)time_of(sample::timestamp(seconds, nanos)); });
}

}  // namespace

TEST_CASE("a timestamp is read in nanoseconds")
{
    CHECK(time_of(sample::timestamp(14, 255'999'999)) == Nanoseconds(14'255'999'999));
    CHECK(time_of(sample::timestamp(-1, 500'000'000)) == Nanoseconds(-500'000'000));
    CHECK(time_of(sample::timestamp(0, 0)) == Nanoseconds(0));
    CHECK(time_of(sample::field(2, std::string())) == Nanoseconds(0));  // there, and all of it default
    CHECK_FALSE(time_of(""));
    CHECK_FALSE(time_of(sample::field(3, sample::field(1, 42))));
}

TEST_CASE("the last timestamp of a payload counts, merged with those before")
{
    const auto seconds = sample::field(2, sample::field(1, 7));
    const auto nanos = sample::field(2, sample::field(2, 5));
    CHECK(time_of(seconds + nanos) == Nanoseconds(7'000'000'005));
    CHECK(time_of(sample::timestamp(1, 1) + sample::timestamp(2, 2)) == Nanoseconds(2'000'000'002));
}

TEST_CASE("HostVehicleData keeps its time in field 10, SensorViewConfiguration keeps none")
{
    const auto timestamp = sample::field(1, 3) + sample::field(2, 4);
    CHECK(time_of(sample::field(10, timestamp), MessageType::host_vehicle_data) == Nanoseconds(3'000'000'004));
    CHECK_FALSE(time_of(sample::field(2, timestamp), MessageType::host_vehicle_data));
    CHECK_FALSE(time_of(sample::field(2, timestamp), MessageType::sensor_view_configuration));
    CHECK_FALSE(timestamp_of(bytes_of(sample::timestamp(1, 1)), Channel{}));
}

TEST_CASE("nanos of a second or more are an error")
{
    CHECK(time_error(1, 999'999'999).empty());
    CHECK(time_error(1, 1'000'000'000) == "timestamp.nanos: found 1000000000, expected less than 1000000000");
}

TEST_CASE("a time beyond 64 bits of nanoseconds is an error")
{
    CHECK(time_of(sample::timestamp(9'223'372'036, 854'775'807)) ==
          Nanoseconds(std::numeric_limits<std::int64_t>::max()));
    CHECK(time_error(9'223'372'036, 854'775'808) ==
          "timestamp: 9223372036 s and 854775808 ns do not fit into 64 bits of nanoseconds");
    CHECK(time_error(std::numeric_limits<std::int64_t>::min(), 0) ==
          "timestamp: -9223372036854775808 s and 0 ns do not fit into 64 bits of nanoseconds");
}

TEST_CASE("a time is found in the front of a payload when it stands there in full")
{
    const auto channel = channel_of(MessageType::sensor_view);
    const auto payload = sample::sensor_view(5, 100'000);
    const auto front = [&](std::size_t count) { return timestamp_in_front(bytes_of(payload).first(count), channel); };
    CHECK(front(100) == std::chrono::seconds(5));
    CHECK_FALSE(front(9));
    const auto behind = sample::field(10000, std::string(100, 'x')) + sample::timestamp(5, 0);
    CHECK_FALSE(timestamp_in_front(bytes_of(behind).first(50), channel));
}

TEST_CASE("the version a payload claims is read")
{
    const auto channel = channel_of(MessageType::sensor_view);
    CHECK(osi_version_of(bytes_of(sample::sensor_view(0)), channel) == OsiVersion{3, 8, 0});
    CHECK_FALSE(osi_version_of(bytes_of(sample::timestamp(1, 1)), channel));
    CHECK_FALSE(osi_version_of({}, Channel{}));
}
