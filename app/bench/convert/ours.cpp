// SPDX-License-Identifier: MPL-2.0
// Our Transcoder, every access checked.
#include <ositrace/transcoder.hpp>

#include "app/bench/convert/frame_variants.hpp"
#include "app/bench/naive/naive_converter.hpp"

namespace ositrace::bench {
namespace {

auto transcode(const Sample& sample, Encoding from, Encoding to)
{
    const auto transcoder = std::make_shared<Transcoder>(*sample.table, Format{from}, Format{to});
    return [transcoder, out = std::make_shared<ByteBuffer>()](Bytes frame) {
        transcoder->transcode(frame, *out);
        return out->bytes();
    };
}

}  // namespace

Variant ours_to_flat(const Sample& sample)
{
    const auto reader = std::make_shared<NaiveConverter>(sample.type);
    const auto read_by_naive = [reader](Answer& answer, Bytes flat) {
        reader->verify(flat);
        answer.add(reader->to_protobuf(flat));
    };
    return for_each_frame({.name = "ositrace",
                           .what = "Transcoder, reused: no objects; every length and offset is checked",
                           .role = Role::ours},
                          sample.protobuf, transcode(sample, Encoding::protobuf, Encoding::flatbuffers), read_by_naive);
}

Variant ours_to_protobuf(const Sample& sample)
{
    return for_each_frame({.name = "ositrace",
                           .what = "Transcoder, reused: no objects; every length and offset is checked",
                           .role = Role::ours},
                          sample.flat, transcode(sample, Encoding::flatbuffers, Encoding::protobuf),
                          [](Answer& answer, Bytes protobuf) { answer.add(protobuf); });
}

}  // namespace ositrace::bench
