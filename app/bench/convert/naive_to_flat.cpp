// SPDX-License-Identifier: MPL-2.0
// Parses with protoc's code, builds with flatc's: message and builder are reused, or new for every frame.
#include <ositrace/transcoder.hpp>

#include "app/bench/convert/frame_variants.hpp"
#include "app/bench/naive/naive_converter.hpp"

namespace ositrace::bench {
namespace {

/// Reads the naive result with our code.
auto read_by_ours(const Sample& sample)
{
    const auto reader = std::make_shared<Transcoder>(*sample.table, Format{Encoding::flatbuffers}, Format{});
    return [reader, out = std::make_shared<ByteBuffer>()](Answer& answer, Bytes flat) {
        reader->transcode(flat, *out);
        answer.add(out->bytes());
    };
}

}  // namespace

Variant naive_to_flat(const Sample& sample)
{
    const auto naive = std::make_shared<NaiveConverter>(sample.type);
    return for_each_frame(
        {.name = "naive",
         .what = "protoc's and flatc's generated code; message and FlatBufferBuilder reused",
         .role = Role::naive},
        sample.protobuf, [naive](Bytes frame) { return naive->to_flat(frame); }, read_by_ours(sample));
}

Variant naive_to_flat_fresh(const Sample& sample)
{
    auto convert = [type = sample.type, naive = std::unique_ptr<NaiveConverter>()](Bytes frame) mutable {
        naive = std::make_unique<NaiveConverter>(type);
        return naive->to_flat(frame);
    };
    return for_each_frame(
        {.name = "naive, fresh", .what = "the same with a new message and a new FlatBufferBuilder for every frame"},
        sample.protobuf, std::move(convert), read_by_ours(sample));
}

}  // namespace ositrace::bench
