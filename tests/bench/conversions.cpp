// SPDX-License-Identifier: MPL-2.0
#include "tests/bench/conversions.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/message_type.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/transcoder.hpp>

#include "osi_opponent.hpp"

namespace bench {

using namespace ositrace;

namespace {

constexpr Format proto{};
constexpr Format flat{Encoding::flatbuffers, Layout::numbered};

const opponent::Row& row_of_opponent(std::string_view full_name)
{
    for (const auto& row : opponent::osi::rows())
        if (row.full_name == full_name) return row;
    throw std::runtime_error("no opponent for " + std::string(full_name));
}

Bytes finished(const flatbuffers::FlatBufferBuilder& builder)
{
    return {reinterpret_cast<const std::byte*>(builder.GetBufferPointer()), builder.GetSize()};
}

void expect_equal(const Sample& sample, std::size_t frame, const char* what, Bytes a, Bytes b)
{
    if (!std::ranges::equal(a, b)) throw std::runtime_error(sample.name + ", frame " + std::to_string(frame) + ": " + what + " differ");
}

}  // namespace

struct Conversions::State {
    const Sample& sample;
    const opponent::Row& row;
    const MessageTable& table;
    std::string identifier;
    std::vector<std::vector<std::byte>> flats;  ///< the frames in our flat form

    std::unique_ptr<google::protobuf::Message> message{row.prototype().New()};
    flatbuffers::FlatBufferBuilder builder;
    ByteBuffer serialized, copy, out;
    Transcoder forward{table, proto, flat}, backward{table, flat, proto};
    Transcoder forward_plain{table, proto, flat, {.limits = {}, .strict = false, .shapes = false}};
    Transcoder backward_plain{table, flat, proto, {.limits = {}, .strict = false, .shapes = false}};

    explicit State(const Sample& from)
        : sample(from), row(row_of_opponent(from.type)), table(*Schema::built_in()->find(from.type)),
          identifier(row_of(*message_type_by_full_name(from.type)).file_identifier[0])
    {
    }

    void parse(Bytes frame)
    {
        if (!message->ParseFromArray(frame.data(), static_cast<int>(frame.size()))) throw std::runtime_error("libprotobuf refuses a frame");
    }
    Bytes naive_to_flat(Bytes frame)
    {
        parse(frame);
        builder.Clear();
        row.to_flat(*message, builder, identifier.c_str());
        return finished(builder);
    }
    Bytes naive_to_proto(Bytes frame)
    {
        message->Clear();
        row.to_proto(frame.data(), *message);
        const auto size = message->ByteSizeLong();
        serialized.clear(size);
        message->SerializeToArray(serialized.reserve_back(size), static_cast<int>(size));
        serialized.commit_back(size);
        return serialized.bytes();
    }
    void verify(Bytes frame) const
    {
        // The default limit of a million tables refuses a full lidar frame.
        flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(frame.data()), frame.size(), 64, 1u << 31);
        if (!row.verify(verifier, identifier.c_str())) throw std::runtime_error("the Verifier refuses a frame");
    }
    Bytes transcode(Transcoder& transcoder, Bytes frame)
    {
        transcoder.transcode(frame, out);
        return out.bytes();
    }
    std::size_t copy_flat(std::size_t i)
    {
        copy.clear(flats[i].size());
        copy.append(flats[i]);
        return flats[i].size();
    }

    /// A variant that does something to every frame of `frames`.
    template <class Each>
    Variant over(const std::vector<std::vector<std::byte>>& frames, const char* name, Each each)
    {
        return {name, [this, &frames, each] {
                    std::size_t bytes = 0;
                    for (std::size_t i = 0; i < frames.size(); ++i) bytes += each(*this, i);
                    return bytes;
                }};
    }
};

Conversions::Conversions(const Sample& sample) : state_(std::make_unique<State>(sample))
{
    auto& s = *state_;
    for (std::size_t i = 0; i < sample.frames.size(); ++i) {
        const Bytes frame = sample.frames[i];
        const auto ours = s.transcode(s.forward, frame);
        s.flats.emplace_back(ours.begin(), ours.end());
        s.verify(s.flats[i]);
        expect_equal(sample, i, "our flat form, with and without shapes,", s.flats[i], s.transcode(s.forward_plain, frame));
        expect_equal(sample, i, "the frame and what flatc and libprotobuf make of our flat form", frame, s.naive_to_proto(s.flats[i]));
        expect_equal(sample, i, "the frame and what we make of our flat form", frame, s.transcode(s.backward, s.flats[i]));
        expect_equal(sample, i, "the frame and what we make of our flat form without shapes", frame, s.transcode(s.backward_plain, s.flats[i]));
        expect_equal(sample, i, "the frame and what we make of the naive flat form", frame, s.transcode(s.backward, s.naive_to_flat(frame)));
    }
}

Conversions::~Conversions() = default;

std::vector<Variant> Conversions::proto_to_flat()
{
    auto& s = *state_;
    const auto& frames = s.sample.frames;
    return {
        s.over(frames, copy_variant, [](State& state, std::size_t i) { return state.copy_flat(i); }),
        s.over(frames, parse_variant, [](State& state, std::size_t i) { return state.parse(state.sample.frames[i]), std::size_t{0}; }),
        s.over(frames, naive_variant, [](State& state, std::size_t i) { return state.naive_to_flat(state.sample.frames[i]).size(); }),
        s.over(frames, our_variant, [](State& state, std::size_t i) { return state.transcode(state.forward, state.sample.frames[i]).size(); }),
        s.over(frames, "ositrace, shapes off",
               [](State& state, std::size_t i) { return state.transcode(state.forward_plain, state.sample.frames[i]).size(); }),
    };
}

std::vector<Variant> Conversions::flat_to_proto()
{
    auto& s = *state_;
    return {
        s.over(s.flats, copy_variant, [](State& state, std::size_t i) { return state.copy_flat(i); }),
        s.over(s.flats, "flatbuffers: Verifier alone", [](State& state, std::size_t i) { return state.verify(state.flats[i]), std::size_t{0}; }),
        s.over(s.flats, naive_variant, [](State& state, std::size_t i) { return state.naive_to_proto(state.flats[i]).size(); }),
        s.over(s.flats, verified_variant,
               [](State& state, std::size_t i) { return state.verify(state.flats[i]), state.naive_to_proto(state.flats[i]).size(); }),
        s.over(s.flats, our_variant, [](State& state, std::size_t i) { return state.transcode(state.backward, state.flats[i]).size(); }),
        s.over(s.flats, "ositrace, shapes off",
               [](State& state, std::size_t i) { return state.transcode(state.backward_plain, state.flats[i]).size(); }),
    };
}

}  // namespace bench
