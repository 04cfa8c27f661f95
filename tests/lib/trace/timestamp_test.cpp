// SPDX-License-Identifier: MPL-2.0
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "lib/trace/payload_header.hpp"
#include "lib/trace/time_notes.hpp"
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

TEST_CASE("nanos of a second or more are added to the seconds, which is reported once")
{
    auto channel = channel_of(MessageType::sensor_view);
    std::vector<std::string> told;
    channel.time_notes = std::make_shared<TimeNotes>([&](const Error& error) { told.push_back(error.what()); });
    const auto time = [&](std::int64_t seconds, std::uint32_t nanos) {
        return timestamp_of(bytes_of(sample::timestamp(seconds, nanos)), channel);
    };
    CHECK(time(1, 999'999'999) == Nanoseconds(1'999'999'999));
    CHECK(told.empty());
    CHECK(time(1, 1'000'000'000) == Nanoseconds(2'000'000'000));
    CHECK(time(1, 4'294'967'295) == Nanoseconds(5'294'967'295));
    CHECK(told == std::vector<std::string>{"a message has 1000000000 nanos, expected less than 1000000000: its time is "
                                           "the sum of seconds and nanos"});
}

TEST_CASE("a message without a timestamp has the time of what is in it")
{
    const auto stamp = [](int seconds) { return sample::field(1, seconds); };
    const auto view_field = Schema::built_in()->root(MessageType::sensor_data).find("sensor_view")->number;
    const auto truth_field = Schema::built_in()->root(MessageType::sensor_view).find("global_ground_truth")->number;
    const auto last_field = Schema::built_in()->root(MessageType::sensor_data).find("last_measurement_time")->number;
    const auto truth = sample::field(truth_field, sample::field(2, stamp(7)));
    CHECK(time_of(truth, MessageType::sensor_view) == Nanoseconds(7'000'000'000));
    CHECK(time_of(sample::field(2, stamp(3)) + truth, MessageType::sensor_view) == Nanoseconds(3'000'000'000));

    const auto in_truth = sample::field(view_field, truth), empty_view = sample::field(view_field, std::string());
    const auto in_view = sample::field(view_field, sample::field(2, stamp(8)) + truth);
    const auto last = sample::field(last_field, stamp(9));
    CHECK(time_of(in_truth, MessageType::sensor_data) == Nanoseconds(7'000'000'000));
    CHECK(time_of(in_view, MessageType::sensor_data) == Nanoseconds(8'000'000'000));
    CHECK(time_of(in_view + last, MessageType::sensor_data) == Nanoseconds(9'000'000'000));
    CHECK(time_of(sample::field(2, stamp(3)) + in_view + last, MessageType::sensor_data) == Nanoseconds(3'000'000'000));
    CHECK_FALSE(time_of(empty_view + in_truth, MessageType::sensor_data));  // the first view decides
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

TEST_CASE("a message with a time beyond 64 bits counts as one without, and the first is named")
{
    std::vector<std::string> told;
    auto channel = channel_of(MessageType::sensor_view);
    channel.time_notes = std::make_shared<TimeNotes>([&](const Error& error) { told.emplace_back(error.what()); });
    const auto payload = sample::timestamp(10'000'000'000, 5);
    Frame frame;
    frame.bytes = bytes_of(payload);
    for (frame.index = 3; frame.index != 6; ++frame.index) {
        CHECK_FALSE(time_in_range_of(frame, channel));
        CHECK_FALSE(readable_timestamp(frame.bytes, channel, {.frame = frame.index}));
    }
    CHECK(told ==
          std::vector<std::string>{
              "frame 3: 10000000000 s and 5 ns do not fit into 64 bits of nanoseconds: the message is kept as one "
              "without a time; osiconvert check lists all such"});
    const auto broken = sample::field(2, std::string("\x08"));
    frame.bytes = bytes_of(broken);
    CHECK(error_of([&] { (void)time_in_range_of(frame, channel); }) != "");
    CHECK_FALSE(readable_timestamp(frame.bytes, channel));
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
