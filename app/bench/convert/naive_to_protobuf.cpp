// SPDX-License-Identifier: MPL-2.0
// Reads with flatc's code, fills a message of protoc's and serializes it, with and without verifying the buffer first.
#include "app/bench/convert/frame_variants.hpp"
#include "app/bench/naive/naive_converter.hpp"

namespace ositrace::bench {
namespace {

void add_as_it_is(Answer& answer, Bytes protobuf) { answer.add(protobuf); }

}  // namespace

Variant naive_to_protobuf(const Sample& sample)
{
    const auto naive = std::make_shared<NaiveConverter>(sample.type);
    return for_each_frame(
        {.name = "naive",
         .what = "flatc's and protoc's generated code, message reused; the FlatBuffer is trusted",
         .role = Role::naive},
        sample.flat, [naive](Bytes frame) { return naive->to_protobuf(frame); }, add_as_it_is);
}

Variant naive_to_protobuf_verified(const Sample& sample)
{
    const auto naive = std::make_shared<NaiveConverter>(sample.type);
    auto convert = [naive](Bytes frame) { return naive->verify(frame), naive->to_protobuf(frame); };
    return for_each_frame({.name = "naive, verified", .what = "the same after FlatBuffers' Verifier, as safe as ours"},
                          sample.flat, std::move(convert), add_as_it_is);
}

}  // namespace ositrace::bench
