// SPDX-License-Identifier: MPL-2.0
// ositrace/protobuf.hpp and ositrace/flatbuffers.hpp with protoc's and flatc's own classes.
#include <list>

#include "every_kind_opponent.hpp"
#include "osi_opponent.hpp"

#include <ositrace/flatbuffers.hpp>
#include <ositrace/protobuf.hpp>

#include "tests/catch.hpp"
#include "tests/oracle/random_message.hpp"
#include "tests/oracle/round_trip.hpp"

using namespace ositrace;

namespace {

/// Keeps what it is given, as a trace in memory.
class Kept : public TraceWriter {
public:
    void write(const Frame& frame) override
    {
        bytes_.emplace_back(frame.bytes.begin(), frame.bytes.end());
        frames_.push_back(frame);
        frames_.back().bytes = bytes_.back();
    }
    std::uint64_t close() override { return 0; }
    [[nodiscard]] const std::vector<Frame>& frames() const { return frames_; }

private:
    std::list<std::vector<std::byte>> bytes_;
    std::vector<Frame> frames_;
};

osi3::SensorView some_sensor_view(std::uint64_t seed)
{
    osi3::SensorView message;
    oracle::RandomMessages(seed).fill(message);
    message.mutable_timestamp()->set_seconds(static_cast<std::int64_t>(seed));
    return message;
}

}  // namespace

TEST_CASE("a generated Protobuf message is written to and read from a channel of either encoding")
{
    for (const auto encoding : {Encoding::protobuf, Encoding::flatbuffers}) {
        const auto info = trace_info_of<osi3::SensorView>({encoding, Layout::numbered});
        Kept trace;
        MessageWriter<osi3::SensorView> writer(trace, info);
        for (std::uint64_t seed = 1; seed < 20; ++seed) writer.write(some_sensor_view(seed));

        MessageReader<osi3::SensorView> reader(info.channels.front());
        osi3::SensorView message;
        for (const auto& frame : trace.frames()) {
            reader.read(frame, message);
            CHECK(oracle::serialized(message) == oracle::serialized(some_sensor_view(frame.index + 1)));
        }
    }
}

TEST_CASE("a channel of another type is refused by its reader and its writer")
{
    const auto info = trace_info_of<osi3::GroundTruth>({}, "truth");
    Kept trace;
    CHECK_THROWS_WITH(MessageReader<osi3::SensorView>(info.channels.front()),
                      "the channel 'truth' has messages of type osi3.GroundTruth, not osi3.SensorView");
    CHECK_THROWS_WITH(MessageWriter<osi3::SensorView>(trace, info),
                      "the channel 'truth' takes messages of type osi3.GroundTruth, not osi3.SensorView");
    CHECK_THROWS_WITH(trace_info_of<every_kind::Leaf>(), "the schema has no message every_kind.Leaf");
}

TEST_CASE("bytes that libprotobuf cannot parse are an error that names the frame and the type")
{
    const auto info = trace_info_of<osi3::SensorView>();
    osi3::SensorView message;
    Frame frame;
    frame.index = 7;
    frame.offset = 912;
    frame.bytes = bytes_of("\x0a\x05");
    MessageReader<osi3::SensorView> reader(info.channels.front());
    CHECK_THROWS_WITH(reader.read(frame, message),
                      "frame 7 at byte 912: libprotobuf cannot parse these 2 bytes as osi3.SensorView");
}

TEST_CASE("flatc's accessors read a channel of either encoding, wherever the bytes lie")
{
    for (const auto encoding : {Encoding::protobuf, Encoding::flatbuffers}) {
        const auto info = trace_info_of<osi3::SensorView>({encoding, Layout::numbered});
        Kept trace;
        MessageWriter<osi3::SensorView> writer(trace, info);
        for (std::uint64_t seed = 1; seed < 20; ++seed) writer.write(some_sensor_view(seed));

        FlatReader<osi3_flat::SensorView> reader(info.channels.front());
        for (auto frame : trace.frames()) {
            std::vector<std::byte> shifted(frame.bytes.size() + 8);
            for (std::size_t shift = 0; shift < 8; ++shift) {
                std::ranges::copy(frame.bytes, shifted.begin() + static_cast<std::ptrdiff_t>(shift));
                frame.bytes = Bytes(shifted).subspan(shift, frame.bytes.size());
                osi3::SensorView message;
                opponent::osi::to_proto(reader.read(frame), message);
                REQUIRE(oracle::serialized(message) == oracle::serialized(some_sensor_view(frame.index + 1)));
                frame.bytes = trace.frames()[frame.index].bytes;
            }
        }
    }
}

TEST_CASE("a FlatBuffer of another type or with broken bytes is an error")
{
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(opponent::osi::to_flat(some_sensor_view(1), builder), file_identifier(MessageType::sensor_view));
    const auto bytes = finished_bytes(builder);
    CHECK(flat_root<osi3_flat::SensorView>(bytes, file_identifier(MessageType::sensor_view)).timestamp()->seconds() ==
          1);
    CHECK_THROWS_WITH(
        flat_root<osi3_flat::SensorView>(bytes, file_identifier(MessageType::sensor_view, Layout::declared)),
        "flatbuffers' Verifier refuses these " + std::to_string(bytes.size()) +
            " bytes as a buffer with the identifier OSVD");
    CHECK_THROWS_WITH(flat_root<osi3_flat::SensorView>(bytes.first(6), nullptr),
                      "flatbuffers' Verifier refuses these 6 bytes");
}

TEST_CASE("objects of flatc's object API are packed and unpacked")
{
    every_kind_flat::LeafT leaf;
    leaf.text =
        "Stra\xc3\x9f"
        "e";
    leaf.x = -0.0;
    flatbuffers::FlatBufferBuilder builder;
    for (int again = 0; again < 2; ++again) {
        const auto bytes = pack<every_kind_flat::Leaf>(leaf, builder, nullptr);
        const std::unique_ptr<every_kind_flat::LeafT> back(flat_root<every_kind_flat::Leaf>(bytes, nullptr).UnPack());
        CHECK(back->text == leaf.text);
        CHECK(std::signbit(*back->x));
        CHECK(!back->y.has_value());
    }
}
