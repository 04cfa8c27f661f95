// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/payloads.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

/// SensorData with a version and a time of so many seconds; `size` more bytes in an unknown field.
std::string sensor_data(std::uint8_t seconds, std::size_t size = 0)
{
    const auto version = field(1, varint_field(1, 3) + varint_field(2, 8) + varint_field(3, 0));
    return version + field(2, varint_field(1, seconds)) + (size == 0 ? "" : field(15, std::string(size, 'x')));
}

std::vector<std::string> unpacked(const std::string& file_bytes)
{
    const ScratchFolder scratch;
    const auto file = scratch / "series.osi";
    write_file(file, file_bytes);
    OpenOptions options;
    options.unpack_series = true;
    options.type = MessageType::sensor_data;
    const auto source = open_stream(file, options);
    std::vector<std::string> payloads;
    for (Frame frame; source->read(frame);) payloads.emplace_back(text_of(frame.bytes));
    return payloads;
}

std::string error_after(const std::string& file_bytes)
{
    auto error = error_of([&] { return unpacked(file_bytes).size(); });
    return error.substr(std::min(error.find(": ") + 2, error.size()));
}

}  // namespace

TEST_CASE("each SensorData of a SensorDataSeries becomes a frame, byte for byte, in order")
{
    const std::vector<std::string> all{sensor_data(1), sensor_data(2, 100'000), sensor_data(3), sensor_data(4, 65'530),
                                       sensor_data(5)};
    const auto file = length_prefixed(field(1, all[0]) + field(1, all[1])) + length_prefixed("") +
                      length_prefixed(field(1, all[2])) + length_prefixed(field(1, all[3]) + field(1, all[4]));
    CHECK(unpacked(file) == all);
}

TEST_CASE("what is no series is refused with its frame and byte, and is never allocated")
{
    const auto one = field(1, sensor_data(1));
    const auto good = length_prefixed(one);
    CHECK(error_after(good + length_prefixed("\x12\x01x")) ==
          "frame 1 at byte " + std::to_string(good.size() + 5) +
              ": no SensorDataSeries: found the field tag 18, expected 10 (sensor_data)");
    CHECK(error_after(good + length_prefixed("\x0a\xff\xff\xff\x7f"))
              .ends_with("a SensorData of 268435455 bytes in the 0 bytes that are left of its frame"));
    CHECK(error_after(good + length_prefixed("\x0a\x80"))
              .ends_with("the frame ends within a field of its SensorDataSeries"));
    CHECK(error_after(good + length_prefixed("\x0a" + std::string(11, '\x80')))
              .ends_with("a length of more than 10 bytes"));
    CHECK(error_after(good + std::string("\xff\xff\xff\x7f\x0a\x05"
                                         "ab",
                                         8))
              .ends_with("the file is truncated: it ends within a frame"));
    for (std::size_t size = good.size() + 1; size < 2 * good.size(); ++size)
        CHECK_FALSE(error_after((good + good).substr(0, size)).empty());
}

TEST_CASE("a series is named where it is taken for a trace")
{
    const ScratchFolder scratch;
    const auto file = scratch / "x_sd_380_2112_2_series.osi";
    write_file(file, length_prefixed(field(1, sensor_data(1)) + field(1, sensor_data(2))));
    CHECK(error_of([&] { return open_stream(file); }).find("the content is SensorDataSeries") != std::string::npos);
    CHECK(error_of([&] { return open_trace(file); }).find("--unpack-series") != std::string::npos);
}
