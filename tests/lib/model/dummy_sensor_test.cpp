// SPDX-License-Identifier: MPL-2.0
#include <ositrace/dummy_sensor.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <ositrace/equal_content.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/transcoder.hpp>

#include "lib/dummy/wire_sensor_data.hpp"
#include "tests/catch.hpp"
#include "tests/lib/payloads.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

std::string double_field(std::uint8_t number, double value)
{
    std::string text(1, static_cast<char>(number << 3 | 1));
    return text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Id, position, vehicle classification.
std::string moving_object(std::uint8_t id, double x, const std::string& classification)
{
    return field(5, field(1, varint_field(1, id)) + field(2, field(2, double_field(1, x))) + field(6, classification));
}

Channel sensor_views(Format format)
{
    Channel channel{.topic = "view",
                    .type = MessageType::sensor_view,
                    .type_name = "osi3.SensorView",
                    .format = format,
                    .schema = Schema::built_in()};
    channel.root = &channel.schema->root(MessageType::sensor_view);
    return channel;
}

/// The host and a car 20 m in front of it, in FlatBuffers.
std::vector<std::byte> flat_sensor_view()
{
    const auto car = field(2, varint_field(1, 1) + varint_field(3, 1)) + varint_field(1, 4);
    const auto ground_truth = field(3, varint_field(1, 1)) + moving_object(1, 0, "") + moving_object(2, 20, car);
    const auto protobuf = field(7, ground_truth);
    const auto channel = sensor_views({});
    ByteBuffer flat;
    Transcoder(*channel.root, {}, {.encoding = Encoding::flatbuffers}).transcode(bytes_of(protobuf), flat);
    return {flat.bytes().begin(), flat.bytes().end()};
}

}  // namespace

TEST_CASE("a frame that breaks during writing does not spoil the next")
{
    bool writing = false;
    DummySensorOptions options;
    options.encoding = GENERATE(Encoding::protobuf, Encoding::flatbuffers);
    options.observer = [&](PerformanceEvent event, MessageType, std::uint64_t) {
        writing = event == PerformanceEvent::start_serialize;
    };
    const auto sensor = dummy_sensor(options);
    TraceInfo info;
    info.channels.push_back(sensor_views({.encoding = Encoding::flatbuffers}));
    sensor->initialize(info, {});
    const auto step = [&](Bytes view) {
        const Frame frame{.bytes = view, .owner = nullptr};
        return std::string(text_of(sensor->step({&frame, 1}, 1s, 100ms).front().bytes));
    };
    const auto good = flat_sensor_view();
    const auto expected = step(good);

    // What is written is read then: of some places that are broken nobody knows before.
    int broke_in_writing = 0;
    for (std::size_t at = 0; at + 4 <= good.size(); at += 4) {
        auto broken = good;
        std::fill_n(broken.begin() + static_cast<std::ptrdiff_t>(at), 4, std::byte{0x7f});
        try {
            static_cast<void>(step(broken));
        } catch (const Error&) {
            if (writing) ++broke_in_writing;
        }
        CAPTURE(at);
        REQUIRE(step(good) == expected);
    }
    CHECK(broke_in_writing > 0);
}

TEST_CASE("a FlatBuffer that another one adopts is read there, wherever the other one ends")
{
    const Format format{.encoding = Encoding::flatbuffers};
    const auto adopted = flat_sensor_view();
    const auto channel = sensor_views(format);
    const auto& table = Schema::built_in()->root(MessageType::sensor_data);
    const auto& views = *table.find("sensor_view");
    Transcoder to_flat(table, {}, format);
    for (std::size_t extra = 0; extra != 9; ++extra) {
        CAPTURE(extra);
        ByteBuffer out;
        to_flat.transcode(bytes_of(field(views.number, "")), out);
        std::memset(out.reserve_back(extra), 0, extra);
        out.commit_back(extra);
        const auto end = out.size();
        dummy::adopt_flat_message(out, views, format.layout, adopted);
        const auto begin = out.size() - adopted.size();
        CHECK(begin % 8 == 0);
        CHECK(begin - end < 8);

        const auto elements = MessageView(out.bytes(), table, format).repeated(views);
        REQUIRE(elements.size() == 1);
        const MessageView original(adopted, *channel.root, format);
        CHECK_FALSE(first_difference(original, std::get<MessageView>(elements[0])));
    }
}
