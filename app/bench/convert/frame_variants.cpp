// SPDX-License-Identifier: MPL-2.0
// The variants that convert frames in memory.
#include <cstring>
#include <memory>
#include <utility>

#include <ositrace/transcoder.hpp>

#include "app/bench/convert/convert_variants.hpp"
#include "app/bench/naive/naive_converter.hpp"

namespace ositrace::bench {
namespace {

/// A variant that converts every frame of `frames`. `convert(bytes)` returns the result for one frame, `check(answer,
/// made)` adds it to an answer in canonical Protobuf.
template <class Convert, class Check>
Variant for_each_frame(Variant variant, const std::vector<FrameBytes>& frames, Convert convert, Check check)
{
    const auto work = std::make_shared<Convert>(std::move(convert));
    variant.run = [work, &frames] {
        std::size_t bytes = 0;
        for (const auto& frame : frames) bytes += (*work)(frame).size();
        return bytes;
    };
    variant.answer = [work, &frames, check = std::move(check)](Answer& answer) mutable {
        for (const auto& frame : frames) check(answer, (*work)(frame));
    };
    return variant;
}

Variant copy_of(const std::vector<FrameBytes>& frames, const char* name)
{
    const auto buffer = std::make_shared<FrameBytes>();
    const auto copy = [buffer, &frames] {
        std::size_t bytes = 0;
        for (const auto& frame : frames) {
            if (buffer->size() < frame.size()) buffer->resize(frame.size());
            std::memcpy(buffer->data(), frame.data(), frame.size());
            bytes += frame.size();
        }
        return bytes;
    };
    return {
        .name = name, .what = "copies the finished output: what memory allows", .role = Role::yardstick, .run = copy};
}

/// Reads the naive result with our code.
auto read_by_ours(const Sample& sample)
{
    const auto reader = std::make_shared<Transcoder>(*sample.table, Format{Encoding::flatbuffers}, Format{});
    return [reader, out = std::make_shared<ByteBuffer>()](Answer& answer, Bytes flat) {
        reader->transcode(flat, *out);
        answer.add(out->bytes());
    };
}

void add_as_it_is(Answer& answer, Bytes protobuf) { answer.add(protobuf); }

auto transcode(const Sample& sample, Encoding from, Encoding to)
{
    const auto transcoder = std::make_shared<Transcoder>(*sample.table, Format{from}, Format{to});
    return [transcoder, out = std::make_shared<ByteBuffer>()](Bytes frame) {
        transcoder->transcode(frame, *out);
        return out->bytes();
    };
}

}  // namespace

// The yardstick: nothing that writes the output can be faster than copying it.

Variant memcpy_of_flat(const Sample& sample) { return copy_of(sample.flat, "memcpy of the output"); }
Variant memcpy_of_protobuf(const Sample& sample) { return copy_of(sample.protobuf, "memcpy of the output"); }

// Half of the naive conversion: its cost before the FlatBuffer is built.

Variant libprotobuf_parse(const Sample& sample)
{
    const auto naive = std::make_shared<NaiveConverter>(sample.type);
    Variant variant{.name = "libprotobuf, parse alone",
                    .what = "ParseFromArray into a message that is reused; no FlatBuffer is made"};
    variant.run = [naive, &sample] {
        for (const auto& frame : sample.protobuf) naive->parse(frame);
        return std::size_t{0};
    };
    variant.answer = [naive, &sample](Answer& answer) {
        for (const auto& frame : sample.protobuf) answer.add(bytes_of(naive->parse(frame).SerializeAsString()));
    };
    return variant;
}

// Parses with protoc's code, builds with flatc's: message and builder are reused, or new for every frame.

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

// Reads with flatc's code, fills a message of protoc's and serializes it, with and without verifying the buffer first.

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

// Our Transcoder, every access checked.

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
