// SPDX-License-Identifier: MPL-2.0
// A message goes to FlatBuffers and back, and is the same bytes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <span>

#include <ositrace/transcoder.hpp>

int main()
{
    using namespace ositrace;
    // GroundTruth: timestamp {seconds: 5, nanos: 7}, host_vehicle_id {value: 42}
    constexpr std::array<unsigned char, 10> numbers{0x12, 0x04, 0x08, 0x05, 0x10, 0x07, 0x1a, 0x02, 0x08, 0x2a};
    const auto message = std::as_bytes(std::span(numbers));
    const auto schema = Schema::built_in();
    const auto& root = schema->root(MessageType::ground_truth);
    ByteBuffer flat, back;
    Transcoder(root, {Encoding::protobuf}, {Encoding::flatbuffers}).transcode(message, flat);
    Transcoder(root, {Encoding::flatbuffers}, {Encoding::protobuf}).transcode(flat.bytes(), back);
    const auto is_same = std::ranges::equal(message, back.bytes());
    std::printf("%zu bytes, %zu as FlatBuffers, %s\n", message.size(), flat.bytes().size(),
                is_same ? "the same again" : "OTHERS");
    return is_same ? 0 : 1;
}
