// SPDX-License-Identifier: MPL-2.0
// FlatBuffers that nobody has verified to Protobuf: fast and slow paths agree whatever came before, and the result is a
// message. Input: payload, then choices: strict, layout, root.
#include <cstring>
#include <vector>

#include <ositrace/equal_content.hpp>

#include "tests/fuzz/conversion.hpp"
#include "tests/fuzz/message_mutator.hpp"
#include "tests/fuzz/roots.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

constexpr Format protobuf{};
constexpr std::size_t choices = 3;

void check_result(const MessageTable& root, Format flat, const Outcome& message)
{
    Conversion there(root, protobuf, flat, true, max_encodable_bytes);
    const auto clean = there(message.view());
    check(clean.done(), "what was written is a message", clean.error);
    const auto back = Conversion(root, flat, protobuf, true, max_encodable_bytes)(clean.view());
    check(back.bytes == message.bytes, "the result is canonical", back.error);
}

std::size_t mutated_by_content(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed)
{
    const auto payload = size - choices;
    const std::string tail(reinterpret_cast<const char*>(data) + payload, choices);
    const auto& root = *roots()[static_cast<std::uint8_t>(tail[2]) % roots().size()];
    const Format flat{Encoding::flatbuffers,
                      static_cast<std::uint8_t>(tail[1]) % 2 != 0 ? Layout::declared : Layout::numbered};
    try {
        ByteBuffer message, result;
        Transcoder(root, flat, protobuf, {{max_output_bytes}})
            .transcode({reinterpret_cast<const std::byte*>(data), payload}, message);
        std::vector<std::uint8_t> mutated(max_output_bytes);
        std::size_t mutated_size = 0;
        if (!mutate_payload(reinterpret_cast<const std::uint8_t*>(message.data()), message.size(),
                            static_cast<std::uint8_t>(tail[2]), seed, mutated.data(), mutated.size(), mutated_size))
            return 0;
        Transcoder(root, protobuf, flat)
            .transcode({reinterpret_cast<const std::byte*>(mutated.data()), mutated_size}, result);
        if (result.size() + choices > max_size) return 0;
        std::memcpy(data, result.data(), result.size());
        std::memcpy(data + result.size(), tail.data(), choices);
        return result.size() + choices;
    } catch (const Error&) {
        return 0;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const auto& root = choose_root(input);
    const Format flat{Encoding::flatbuffers, input.choose() ? Layout::declared : Layout::numbered};
    const bool strict = input.choose(8) == 7;
    const auto in = input.rest();

    Conversion there(root, flat, protobuf, strict);
    const auto first = there(in);
    check(there(in) == first, "the second conversion is as the first");
    if (in.size() > 8) there(in.first(in.size() - 8));
    check(there(in) == first, "a conversion does not depend on those before");
    if (!first.done()) return 0;
    check_result(root, flat, first);
    const auto difference = first_difference(MessageView(in, root, flat), MessageView(first.view(), root, protobuf));
    check(!difference, "both forms have equal content",
          difference ? difference->field + ": " + difference->text : std::string());
    return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed)
{
    if (seed % 3 == 0 && size > choices)
        if (const auto mutated = mutated_by_content(data, size, max_size, seed / 3)) return mutated;
    return LLVMFuzzerMutate(data, size, max_size);
}
