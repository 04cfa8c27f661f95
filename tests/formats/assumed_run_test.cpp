// SPDX-License-Identifier: MPL-2.0
// A long run of elements of one length is taken for granted until it turns out to hold something else.
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/formats/wire_message.hpp"

using namespace ositrace;
using by_hand::Message;

namespace {

constexpr std::uint32_t lidar_sensor_view = 1001, reflection = 2, signal_strength = 1, time_of_flight = 5, unknown = 9;
constexpr std::size_t element_bytes = 20;  // tag, length and two doubles of nine bytes

std::string reflections(std::size_t count)
{
    Message lidar;
    for (std::size_t i = 0; i != count; ++i)
        lidar.message(reflection, Message().real(signal_strength, static_cast<double>(i)).real(time_of_flight, 1e-7));
    return lidar.str();
}

std::string sensor_view(const std::string& lidar) { return Message().text(lidar_sensor_view, lidar).str(); }

std::string to_flat(Transcoder& transcoder, const std::string& in)
{
    ByteBuffer out;
    transcoder.transcode(bytes_of(in), out);
    return std::string(text_of(out.bytes()));
}

Transcoder transcoder(bool shapes, bool strict = false)
{
    TranscodeOptions options;
    options.shapes = shapes;
    options.strict = strict;
    return {Schema::built_in()->root(MessageType::sensor_view), Format{}, Format{Encoding::flatbuffers}, options};
}

// Every element of the run that may be another one, for a run that is long enough to be taken for granted.
constexpr std::size_t count = 8000;

}  // namespace

TEST_CASE(
    "an element of the same size in a long run that is an unknown field is counted, and the output is that of the slow "
    "path")
{
    auto fast = transcoder(true), slow = transcoder(false);
    for (const std::size_t place : {std::size_t{1}, std::size_t{2}, count / 2, count - 2}) {
        auto lidar = reflections(count);
        lidar[place * element_bytes] = static_cast<char>(unknown << 3 | 2);
        CHECK(to_flat(fast, sensor_view(lidar)) == to_flat(slow, sensor_view(lidar)));
        CHECK(fast.dropped_unknown_fields() == slow.dropped_unknown_fields());
    }
    CHECK(slow.dropped_unknown_fields() == 4);
    CHECK(to_flat(fast, sensor_view(reflections(count))) == to_flat(slow, sensor_view(reflections(count))));
}

TEST_CASE("elements of other lengths that fill a long run exactly give the output of the slow path")
{
    auto fast = transcoder(true), slow = transcoder(false);
    const auto one = Message().message(reflection, Message().real(signal_strength, 1)).str();  // 11 bytes
    std::string twenty;
    for (std::size_t i = 0; i != element_bytes; ++i) twenty += one;
    const auto lidar = reflections(count) + twenty + reflections(count);
    CHECK(to_flat(fast, sensor_view(lidar)) == to_flat(slow, sensor_view(lidar)));
}

TEST_CASE("broken bytes within a long run give the error of the slow path")
{
    for (const auto& [offset, byte] : {std::pair{std::size_t{0}, '\x04'},
                                       {std::size_t{1}, '\x7f'},
                                       {std::size_t{2}, '\x0c'},
                                       {std::size_t{0}, '\x00'}}) {
        auto lidar = reflections(count);
        lidar[count / 2 * element_bytes + offset] = byte;
        auto fast = transcoder(true, true), slow = transcoder(false, true);
        const auto expected = error_of([&] { to_flat(slow, sensor_view(lidar)); });
        CHECK(!expected.empty());
        CHECK(error_of([&] { to_flat(fast, sensor_view(lidar)); }) == expected);
    }
}
